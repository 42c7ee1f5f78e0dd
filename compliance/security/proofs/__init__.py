"""Cryptographic proofs for third parties: Merkle trees (RFC 9162) and time stamps (RFC 3161).

The audit trail calls it. It reads no table and does not know the content of the lines.
"""
