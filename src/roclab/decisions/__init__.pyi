from roclab.decisions.calibration.calibration_curve import CalibrationCurve as CalibrationCurve
from roclab.decisions.calibration.calibration_curve import calibration_curve as calibration_curve
from roclab.decisions.calibration.calibration_summary import (
    CalibrationSummary as CalibrationSummary,
)
from roclab.decisions.calibration.calibration_summary import (
    calibration_summary as calibration_summary,
)
from roclab.decisions.net_benefit import DecisionCurve as DecisionCurve
from roclab.decisions.net_benefit import DecisionCurves as DecisionCurves
from roclab.decisions.net_benefit import NetBenefitDifference as NetBenefitDifference
from roclab.decisions.net_benefit import decision_curve as decision_curve
from roclab.decisions.stability import PopulationStability as PopulationStability
from roclab.decisions.stability import population_stability_index as population_stability_index
from roclab.decisions.threshold.choose import ThresholdChoice as ThresholdChoice
from roclab.decisions.threshold.choose import ThresholdPoint as ThresholdPoint
from roclab.decisions.threshold.choose import choose_threshold as choose_threshold
