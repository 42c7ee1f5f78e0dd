"""The demonstration: users, an account of the hub, lists, and cases, open ones and decided ones.

It is the one package that knows the desk and the hub: it puts the data of both together.
"""
