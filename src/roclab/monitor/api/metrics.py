"""Metrics for Prometheus, with labels of bounded number: models and their statuses."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from roclab.monitor import answers
from roclab.monitor.api.context import Context

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def metrics_text(context: Context) -> bytes:
    """All metrics in the text format."""
    registry = CollectorRegistry()
    registry.register(_Collector(context))
    return generate_latest(registry)


class _Collector:
    def __init__(self, context: Context) -> None:
        self._context = context

    def collect(self) -> Iterator[Metric]:
        """Read the metrics off the installation."""
        service = self._context.service
        yield GaugeMetricFamily(
            "roclab_waiting_rows", "Rows that wait to be written", value=service.waiting
        )
        yield GaugeMetricFamily(
            "roclab_writing", "1 if rows are written, 0 if that fails", value=int(service.alive)
        )
        rows = CounterMetricFamily(
            "roclab_rows", "Rows that were answered, by outcome", labels=["kind", "outcome"]
        )
        for (kind, outcome), count in sorted(self._context.rows.items()):
            rows.add_metric([kind, outcome], count)
        yield rows
        of_model = {
            "roclab_auc": "AUC of the window",
            "roclab_auc_low": "Lower end of its 95 % interval",
            "roclab_auc_high": "Upper end of its 95 % interval",
            "roclab_window_positives": "Positives in the window",
            "roclab_window_negatives": "Negatives in the window",
            "roclab_coverage": "Share of labels of the latest cohort",
            "roclab_predictions": "Predictions of the latest cohort",
            "roclab_alert_firing": "1 if an alert of the model fires",
        }
        gauges = {
            name: GaugeMetricFamily(name, words, labels=["model"])
            for name, words in of_model.items()
        }
        for one in answers.overview(service.installation):
            now = one["now"]
            values = {
                "roclab_auc": now["auc"],
                "roclab_auc_low": now["low"],
                "roclab_auc_high": now["high"],
                "roclab_window_positives": now["n_pos"],
                "roclab_window_negatives": now["n_neg"],
                "roclab_coverage": one["coverage"],
                "roclab_predictions": one["volume"],
                "roclab_alert_firing": int(one["status"] == "firing"),
            }
            for name, value in values.items():
                if value is not None:
                    gauges[name].add_metric([one["model"]], value)
        yield from gauges.values()
