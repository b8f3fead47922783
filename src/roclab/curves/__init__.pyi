from roclab.curves.cost import CostCurve as CostCurve
from roclab.curves.cost import cost_curve as cost_curve
from roclab.curves.det import DETCurve as DETCurve
from roclab.curves.det import det_curve as det_curve
from roclab.curves.granular import GranularROC as GranularROC
from roclab.curves.granular import granular_roc as granular_roc
from roclab.curves.hull import Concavity as Concavity
from roclab.curves.hull import ROCHull as ROCHull
from roclab.curves.hull import roc_hull as roc_hull
from roclab.curves.kernel import KernelROC as KernelROC
from roclab.curves.kernel import kernel_roc as kernel_roc
from roclab.curves.margin import MarginCurve as MarginCurve
from roclab.curves.margin import margin_curve as margin_curve
from roclab.curves.operating import OperatingPoint as OperatingPoint
from roclab.curves.operating import OperatingPoints as OperatingPoints
from roclab.curves.operating import operating_points as operating_points
from roclab.curves.precision_recall import PrecisionRecallCurve as PrecisionRecallCurve
from roclab.curves.precision_recall import PrecisionRecallGainCurve as PrecisionRecallGainCurve
from roclab.curves.precision_recall import precision_recall_curve as precision_recall_curve
from roclab.curves.precision_recall import (
    precision_recall_gain_curve as precision_recall_gain_curve,
)
from roclab.curves.roc import ROCCurve as ROCCurve
from roclab.curves.roc import roc_curve as roc_curve
