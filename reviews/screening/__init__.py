"""How good the hits of the screening are, by what people said of them, and the policy of thresholds.

Pages and the REST interface call it. The thresholds themselves are applied by the findings.
"""
