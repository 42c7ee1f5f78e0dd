"""What an operator starts and looks at: one command, the demonstration, health, system checks.

Commands and URLs call it. No app imports it, but to add a line to the health page.
"""
