"""A result through each writer of `roclab.report`."""

from roclab.report import csv, json, markdown, terminal
from roclab.report.document import document


def to_table(result):
    return terminal.to_terminal(document(result))


def to_markdown(result):
    return markdown.to_markdown(document(result))


def to_csv(result):
    return csv.to_csv(document(result))


def to_json(result):
    return json.to_json(document(result))


def notes(result):
    """What is said beside formats that hold numbers only."""
    return tuple(one.text for one in document(result).notes if one.severity == "warning")
