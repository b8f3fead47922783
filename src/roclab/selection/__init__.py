"""Selection: choose among models on little data, and know how sure the choice is.

A module for each noun: `select` (the choice), `model_selection` (its outcome), `criterion` (what
is chosen by) and `contenders` (which models may be the best).
"""

from roclab.selection.model_selection import ModelSelection, ModelStanding
from roclab.selection.select import select_model

__all__ = ["ModelSelection", "ModelStanding", "select_model"]
