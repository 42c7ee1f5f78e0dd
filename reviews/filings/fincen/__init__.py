"""The file for FinCEN: its lists of codes, what a report and the installation must say, the XML.

The faces call it. Its facts (elements, order, codes, lengths) are those of FinCEN's own schema,
EFL_SARXBatchSchema, of form 111. docs/suspicion.md says what is in it.
"""
