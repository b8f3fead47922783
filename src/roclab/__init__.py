"""ROC analysis for people who ship classifiers: exact, with error bars.

A first look, with labels and scores as arrays, or `read_scores("scores.csv", y_true="label")`:

- How well do scores rank, with what uncertainty? `auc_interval`, `interval`
- Is one model better than another? `compare_auc`, `compare`
- Which of many models, on little data? `select_model`
- Which threshold, for these costs or limits? `choose_threshold`
- Where does a model rank worse than chance? `concavities`, `RepairedClassifierCV`
- How to train for ranking itself? `AUCtronClassifierCV`, `AUCSplitTreeClassifier`
- Did it change, the ranking or the mix? `auc_change`
- When does a stream break? `WindowAUC`, `StreamWatcher`, `monitor.Client`
- How many examples does a study need? `auc_sample_size`, `auc_power`
- And tables larger than memory? `scale.evaluate`

`plot(result)` draws what they return, and ``result.to_dict()`` has every digit. `list_measures()`
names all measures. ``help(roclab.auc_interval)`` and the others have parameters, formulas and
examples; tutorials and how-to pages are in the folder ``docs`` of the repository. At the shell,
``roclab --help`` lists the commands.
"""

from typing import Any

from roclab.lazy import load_lazily
from roclab.result import register_presenter

__version__ = "0.1.0"

_load, __dir__, __all__ = load_lazily(__name__, __file__)

# Names that were here before, with their room. To be removed in 0.3.0.
_MOVED = {"accuracy": "measures"}


def __getattr__(name: str) -> Any:
    if name not in _MOVED:
        return _load(name)
    from roclab.errors import RenamedWarning

    room = _MOVED[name]
    RenamedWarning(f"roclab.{name}", f"roclab.{room}.{name}", removed_in="0.3.0").issue()
    return getattr(_load(room), name)


register_presenter("roclab.report.presenter")
