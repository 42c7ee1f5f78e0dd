"""Proofs for others: Merkle trees (RFC 9162) and time stamps (RFC 3161).

The audit trail calls it. It reads no table and knows no line.
"""
