"""Single sign-on by SAML 2.0. Needs the extra `saml`.

python3-saml builds the request and verifies the signature. `responses.py` demands more of a response than it
does, and `views.py` binds the response to the browser that asked. Only `urls.py` and `checks.py` are loaded
where no provider of SAML is set.
"""
