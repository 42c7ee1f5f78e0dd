"""Operation: one command for everything, the demonstration, health, metrics, system checks.

Commands and URLs call it. Apps import it only to register their parts.
"""
