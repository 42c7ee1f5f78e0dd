from __future__ import annotations


def straight_to_receiver(get_response):
    return get_response
