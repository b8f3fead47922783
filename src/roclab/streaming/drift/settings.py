"""Settings of a drift detector whose reference is not complete yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from roclab.checks.choices import DriftAlternative
from roclab.checks.options import check_choice
from roclab.errors import InputError, Parameter
from roclab.result import Record
from roclab.streaming.drift.blocks import BlockRule
from roclab.streaming.drift.cusum import BlockCUSUM
from roclab.streaming.drift.detector import checked_error, checked_run_length, directions_of
from roclab.streaming.drift.e_detector import BlockEDetector
from roclab.streaming.drift.reference import DriftReference

DetectorKind = Literal["e-detector", "cusum"]
Detector = BlockEDetector | BlockCUSUM

_ONLY = {"margin": "e-detector", "drop": "cusum"}


@dataclass(frozen=True, kw_only=True)
class DetectorSettings(Record):
    """Settings of the detector that a `StreamWatcher` makes of its first events, as data.

    Parameters
    ----------
    detector : {"e-detector", "cusum"}, default "e-detector"
        Kind of detector: a `BlockEDetector` or a `BlockCUSUM`.
    average_run_length : float, default 1,000,000
        Average number of events to a false alarm.
    alternative : {"less", "greater", "two-sided"}, default "less"
        Alternative hypothesis. ``"less"``: the mean AUC of blocks is below that of the reference;
        ``"greater"``: above it; ``"two-sided"``: either.
    reference_confidence : float, default 0.95
        Confidence of the bounds that the detector uses, since the reference is a sample.
    margin : float, optional
        Irrelevant change, of the e-detector only; by default 0.
    drop : float, optional
        Change of the mean AUC to detect fastest, of the CUSUM only; by default 0.05.
    per_class, events : int, optional
        Number of examples of each class, or of events, that complete a block. By default the length
        is chosen from the reference.

    Examples
    --------
    >>> DetectorSettings(detector="cusum", drop=0.1).to_dict()["average_run_length"]
    1000000
    """

    detector: DetectorKind = "e-detector"
    average_run_length: float = 1_000_000
    alternative: DriftAlternative = "less"
    reference_confidence: float = 0.95
    margin: float | None = None
    drop: float | None = None
    per_class: int | None = None
    events: int | None = None

    def __post_init__(self) -> None:
        check_choice("detector", self.detector, DetectorKind)
        checked_run_length(self.average_run_length)
        checked_error(self.reference_confidence, len(directions_of(self.alternative)))
        BlockRule.of(self.per_class, self.events)
        for name, kind in _ONLY.items():
            if getattr(self, name) is not None and self.detector != kind:
                raise InputError(
                    found="{name} is a setting of {kind}, and {detector=}{given}",
                    fix="Omit {name}, or choose the other detector.",
                    name=Parameter(name),
                    kind=kind,
                    given=repr(self.detector),
                )

    def make_reference(self, y_true: Any, y_score: Any) -> DriftReference:
        """The reference of these events, cut into blocks.

        Parameters
        ----------
        y_true : array-like
            Target labels: booleans, 0/1 or -1/1, in the order of arrival.
        y_score : array-like
            Finite scores, higher for the positive class.
        """
        return DriftReference(y_true, y_score, per_class=self.per_class, events=self.events)

    def make_detector(self, reference: DriftReference) -> Detector:
        """A detector with these settings and this reference.

        Parameters
        ----------
        reference : DriftReference
            Reference, before any change.
        """
        kind: Any = BlockCUSUM if self.detector == "cusum" else BlockEDetector
        own = {name: getattr(self, name) for name in _ONLY if getattr(self, name) is not None}
        made: Detector = kind(
            reference,
            average_run_length=self.average_run_length,
            alternative=self.alternative,
            reference_confidence=self.reference_confidence,
            **own,
        )
        return made
