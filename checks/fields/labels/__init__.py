"""Values that stand behind, beside or below their labels, in tables and forms of ten languages.

The fields of documents use it. The labels are those of `checks/data/field_labels.csv`; nothing here is
of a single document.
"""
