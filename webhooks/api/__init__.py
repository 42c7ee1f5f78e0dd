"""The webhooks that came, over the desk's REST interface.

The installation's URLs include it below the prefix of the desk. Its schemas are registered with
the desk when the app is ready; the desk itself does not know it.
"""
