"""Single sign-on by SAML, against a provider that signs with real keys."""
