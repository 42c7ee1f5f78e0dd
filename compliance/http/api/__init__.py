"""The toolkit of the two REST interfaces: operations, schemas, validation, errors and OpenAPI.

The desk and the hub build their interfaces with it. It knows no endpoint of theirs; each of the
two brings its own shape of errors.
"""
