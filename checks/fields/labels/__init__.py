"""Values that stand behind, beside or below their labels, in tables and forms of ten languages.

The readers of fields use it. The labels are those of `checks/data/field_labels.csv`; no rule here
is for a single document.
"""
