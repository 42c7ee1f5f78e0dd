"""The checks that screen a case: its subject and its parties against lists, by `checks.screening`."""
