"""Results on screen and on paper: a result object goes in, a presentation comes out.

Every format is made of the result's `to_dict()`, so every format shows the same number. Formats for
readers (`text.to_table`, `text.to_markdown`) round; formats for programs (`text.to_csv`,
`json.to_json`) carry every digit. Nothing here prints.
"""

from roclab.lazy import load_lazily

__getattr__, __dir__, __all__ = load_lazily(__name__, __file__)
