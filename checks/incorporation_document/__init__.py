"""Documents by which a company came into being: certificates and articles of incorporation."""
