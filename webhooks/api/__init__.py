"""The received webhooks, over the desk's REST interface.

The installation's URLs include these endpoints below the desk's prefix. The app registers its
schemas with the desk when it is ready, because the desk itself does not know this app.
"""
