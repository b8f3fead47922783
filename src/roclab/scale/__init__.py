"""Tables larger than memory, and clusters: exact AUC with intervals from summaries of parts.

`evaluate` and `compare` are the ways in. `sources` opens a table for an engine (`engine` says what
one must do): `local` reads files and frames with polars and keeps on disk (`spill`) what does not
fit, `streams` does the same for what can be read only once; `spark` and `dask` are clusters, whose
`workers` run the tasks. `plans` chooses how summaries are found, `passes` and `slots` have what is
done with the rows of a part (`rows`), `groups` the same for many groups, and `paired` for several
models on the same rows. `histogram` counts scores in bins, with a guaranteed error. `cohorts`
summarises calendar periods for the monitor (`cohort_rows`, `cohort_streams`), and `posting` sends
the rows (`cohort_summary`).
"""

from roclab.lazy import load_lazily

__getattr__, __dir__, __all__ = load_lazily(__name__, __file__)
