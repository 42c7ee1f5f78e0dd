"""The rows of the goals: each module has `measure(report, corpus)`."""
