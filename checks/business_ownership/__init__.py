"""Registers of shareholders, lists of members and the like: who owns a business, in which parts."""
