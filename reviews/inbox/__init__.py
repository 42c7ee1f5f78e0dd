"""The inbox: what happened to cases that a person is to hear of.

Rooms above call `notifications.notify` in the transaction of what happened. It never holds words of a
case: a notification is a kind, a case and a person.
"""
