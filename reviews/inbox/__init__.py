"""The inbox: messages about events in cases that concern a user.

Other rooms call `notifications.notify` in the transaction of the event. A message is only a kind, a
case and a user; it holds no text of a case.
"""
