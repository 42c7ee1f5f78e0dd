"""The people and businesses that attested data name, in any form: members, lists, free text.

`schema.parties_of` is the entry point, for the checks and the hub. It screens nobody, and reports
what it could not read.
"""
