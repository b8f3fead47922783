"""Learning to rank positives above negatives: losses over all pairs, and classifiers made of them.

`loss` (the loss over all pairs, for any model), `unit` (a linear unit over standardised features),
`objective` (loss and unit together), `solvers` and `descent` (how the objective is minimised),
`calibration` (from outputs to probabilities), `classifier` (what the estimators share), `auctron`
and `msetron` (the estimators), and `files` (trained models on disk).
"""

from roclab.learning.auctron import AUCtronClassifier
from roclab.learning.files import ModelFile, load_model, save_model
from roclab.learning.loss import PairwiseLoss, PairwiseObjective, pairwise_loss
from roclab.learning.msetron import MSEtronClassifier

__all__ = [
    "AUCtronClassifier",
    "MSEtronClassifier",
    "ModelFile",
    "PairwiseLoss",
    "PairwiseObjective",
    "load_model",
    "pairwise_loss",
    "save_model",
]
