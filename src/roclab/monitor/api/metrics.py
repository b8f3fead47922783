"""Metrics for Prometheus, with labels of bounded number: models and their statuses."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric

from roclab.monitor import answers
from roclab.monitor.service import Service


def metrics_text(service: Service) -> bytes:
    """All metrics in the text format."""
    registry = CollectorRegistry()
    registry.register(_Collector(service))
    return generate_latest(registry)


class _Collector:
    def __init__(self, service: Service) -> None:
        self._service = service

    def collect(self) -> Iterator[Metric]:
        """Read the metrics off the installation."""
        service = self._service
        yield GaugeMetricFamily(
            "roclab_waiting_rows", "Rows that wait to be written", value=service.waiting
        )
        yield GaugeMetricFamily(
            "roclab_writing", "1 if rows are written, 0 if that fails", value=int(service.alive)
        )
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
