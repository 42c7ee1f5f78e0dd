"""Single sign-on with the company's provider: by OpenID Connect, or by SAML 2.0.

An installation has one provider. Which groups of it may come in, and with which roles, is the same
for both protocols.
"""
