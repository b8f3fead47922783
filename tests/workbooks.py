"""Excel workbooks, written cell by cell: the few parts that a workbook must have."""

import zipfile
from dataclasses import dataclass
from datetime import date, datetime, time
from xml.sax.saxutils import escape

SPACE = "http://schemas.openxmlformats.org"
RELATION = f"{SPACE}/officeDocument/2006/relationships"
# Formats of cells: general, dates, dates with times, times of day, per cent.
FORMATS = (0, 14, 22, 21, 10)


@dataclass(frozen=True)
class Cell:
    """A cell that is not written as its value in Python says."""

    xml: str


def formula(value, text="A1"):
    """A formula with the value that was computed when it was written."""
    kind = ' t="str"' if isinstance(value, str) else ' t="b"' if isinstance(value, bool) else ""
    shown = int(value) if isinstance(value, bool) else value
    cached = "" if value is None else f"<v>{escape(str(shown))}</v>"
    return Cell(f"<c{kind}><f>{text}</f>{cached}</c>")


def error(word="#DIV/0!"):
    return Cell(f'<c t="e"><v>{word}</v></c>')


def percent(value):
    return Cell(f'<c s="4"><v>{value}</v></c>')


def write_workbook(path, *sheets, merged=(), hidden=()):
    """Write sheets, which are lists of rows; None is a cell without a value."""
    names = [f"sheet{number}" for number in range(1, len(sheets) + 1)]
    types = "".join(
        f'<Override PartName="/xl/worksheets/{name}.xml" ContentType="application/'
        'vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
        for name in names
    )
    listed = "".join(
        f'<sheet name="{name}" sheetId="{number}" r:id="r{number}"'
        + (' state="hidden"' if number in hidden else "")
        + "/>"
        for number, name in enumerate(names, 1)
    )
    related = "".join(
        f'<Relationship Id="r{number}" Type="{RELATION}/worksheet" Target="worksheets/{name}.xml"/>'
        for number, name in enumerate(names, 1)
    )
    formats = "".join(f'<xf numFmtId="{one}" applyNumberFormat="1"/>' for one in FORMATS)
    main = f'xmlns="{SPACE}/spreadsheetml/2006/main"'
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{SPACE}/package/2006/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/xl/workbook.xml" ContentType='
        '"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
        '<Override PartName="/xl/styles.xml" ContentType='
        '"application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>'
        f"{types}</Types>",
        "_rels/.rels": f'<Relationships xmlns="{SPACE}/package/2006/relationships">'
        f'<Relationship Id="r1" Type="{RELATION}/officeDocument" Target="xl/workbook.xml"/>'
        "</Relationships>",
        "xl/workbook.xml": f'<workbook {main} xmlns:r="{RELATION}">'
        f"<sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{SPACE}/package/2006/relationships">'
        f'{related}<Relationship Id="r0" Type="{RELATION}/styles" Target="styles.xml"/>'
        "</Relationships>",
        "xl/styles.xml": f"<styleSheet {main}><cellXfs>{formats}</cellXfs></styleSheet>",
    }
    spans = "".join(f'<mergeCell ref="{one}"/>' for one in merged)
    for name, rows in zip(names, sheets, strict=True):
        cells = "".join("<row>" + "".join(map(_cell, row)) + "</row>" for row in rows)
        parts[f"xl/worksheets/{name}.xml"] = (
            f"<worksheet {main}><sheetData>{cells}</sheetData>"
            + (f"<mergeCells>{spans}</mergeCells>" if spans else "")
            + "</worksheet>"
        )
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, '<?xml version="1.0" encoding="UTF-8"?>' + text)


def _cell(value):
    if value is None:
        return "<c/>"
    if isinstance(value, Cell):
        return value.xml
    if isinstance(value, bool):
        return f'<c t="b"><v>{value:d}</v></c>'
    if isinstance(value, str):
        text = escape(value)
        return f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
    if isinstance(value, datetime):
        days = (value - datetime(1899, 12, 30)).total_seconds() / 86400
        return f'<c s="2"><v>{days!r}</v></c>'
    if isinstance(value, date):
        return f'<c s="1"><v>{(value - date(1899, 12, 30)).days}</v></c>'
    if isinstance(value, time):
        seconds = (value.hour * 60 + value.minute) * 60 + value.second
        return f'<c s="3"><v>{seconds / 86400!r}</v></c>'
    return f"<c><v>{value!r}</v></c>"
