"""Letters in which the IRS assigns or confirms an employer identification number (EIN)."""
