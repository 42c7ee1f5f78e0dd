"""The people and businesses that attested data name, whatever the form: members, lists, free text.

`schema.parties_of` is the way in, for the checks and the hub. It screens nobody, and says of what
it could not read that it could not.
"""
