"""The shared toolkit of the two REST interfaces: operations, schemas, validation, errors, OpenAPI.

The desk and the hub build their interfaces with it. It knows no endpoint of either; each interface
defines the shape of its error bodies.
"""
