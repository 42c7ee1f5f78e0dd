"""Documents that prove an address: statements, bills, leases and the like."""
