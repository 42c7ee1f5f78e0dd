"""The file for FinCEN: code lists, facts that a report and the institution must state, and the
XML.

The faces call it. Elements, order, codes and lengths follow FinCEN's own schema for form 111,
EFL_SARXBatchSchema. docs/suspicion.md describes the content.
"""
