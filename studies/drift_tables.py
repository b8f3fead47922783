"""Stub, replaced below."""


def write_all(answers):
    pass
