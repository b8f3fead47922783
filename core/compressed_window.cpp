// Python bindings for the approximate window.
#include "roclab/compressed_window.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "modules.hpp"
#include "python_arrays.hpp"
#include "python_bytes.hpp"
#include "roclab/compressed_ranking.hpp"
#include "stream_events.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace roclab;

namespace {

void refuse_weights(nb::handle sample_weight) {
  if (sample_weight.is_none()) return;
  refuse("weight of an unweighted window", sample_weight);
}

}  // namespace

void define_compressed_window(nb::module_& m) {
  nb::class_<CompressedWindow>(m, "CompressedWindow")
      .def(nb::init<std::size_t, double, bool>(), "size"_a, "eps"_a, "flipped"_a)
      .def(
          "update",
          [](CompressedWindow& self, nb::handle y_true, nb::handle y_score, nb::handle, nb::handle sample_weight) {
            refuse_weights(sample_weight);
            const bool positive = read_label(y_true);
            self.update(positive, read_score(y_score));
          },
          nb::arg("y_true").none(), nb::arg("y_score").none(), nb::kw_only(), nb::arg("time").none() = nb::none(),
          nb::arg("sample_weight").none() = nb::none(),
          "Add an event. If the window is full, the oldest is removed first.\n\n"
          "O((log k) / eps) in the worst case.\n\n"
          "Parameters\n----------\n"
          "y_true : bool or int\n    Target label: a boolean, 0/1 or -1/1.\n"
          "y_score : float\n    Finite score, higher for the positive class.\n"
          "time : object, optional\n    Time of the event, which this window ignores.\n"
          "sample_weight : None\n    Weights are refused: this window counts events.")
      .def(
          "_revert",
          [](CompressedWindow& self, nb::handle y_true, nb::handle y_score, nb::handle, nb::handle sample_weight) {
            refuse_weights(sample_weight);
            const bool positive = read_label(y_true);
            return self.revert(positive, read_score(y_score));
          },
          nb::arg("y_true").none(), nb::arg("y_score").none(), nb::arg("time").none(), nb::arg("sample_weight").none())
      .def("reset", &CompressedWindow::reset, "Remove all events.")
      .def_prop_ro("size", &CompressedWindow::size, "Maximum number of events in the window.")
      .def_prop_ro("eps", &CompressedWindow::eps, "Twice the bound of the relative error.")
      .def_prop_ro("flipped", &CompressedWindow::flipped, "Whether the list of negatives is kept.")
      .def_prop_ro("n_pos", &CompressedWindow::n_pos, "Number of positive events in the window.")
      .def_prop_ro("n_neg", &CompressedWindow::n_neg, "Number of negative events in the window.")
      .def_prop_ro(
          "auc", &CompressedWindow::auc,
          "The paper's estimate: its error is at most eps / 2 times the AUC; nan if a class is missing. O(compressed_size).")
      .def_prop_ro(
          "auc_flipped",
          [](const CompressedWindow& self) {
            if (!self.flipped()) refuse("auc_flipped");
            return self.auc_flipped();
          },
          "The estimate with labels flipped: its error is at most eps / 2 times 1 - AUC; nan if a class is missing.")
      .def_prop_ro(
          "compressed_size", [](const CompressedWindow& self) { return self.list(true).size(); },
          "Number of nodes in the compressed list, with its two sentinels.")
      .def("_bounds",
           [](const CompressedWindow& self) {
             const auto [low, high] = self.bounds();
             return std::pair(low, high);
           })
      .def("_reading", [](const CompressedWindow& self) { return nb::make_tuple(self.auc(), self.n_pos(), self.n_neg()); })
      .def(
          "_update_many",
          [](CompressedWindow& self, Input<std::uint8_t> labels, Input<double> scores, nb::handle weights, bool aucs) {
            refuse_weights(weights);
            Array<double> values(aucs ? scores.size() : 0);
            for (std::size_t i = 0; i < scores.size(); ++i) {
              self.update(labels.data()[i], scores.data()[i]);
              if (aucs) values[i] = self.auc();
            }
            return to_numpy(std::move(values));
          },
          nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), nb::arg("weights").none(), "aucs"_a)
      .def("__len__", &CompressedWindow::events)
      .def("_save", &saved<CompressedWindow>)
      .def("_load", &load<CompressedWindow>, "data"_a)
      .def("_groups",
           [](const CompressedWindow& self) {
             Array<double> scores;
             Array<std::int64_t> pos, neg;
             self.tree().each([&](Slot at) {
               const auto& node = self.tree()[at];
               scores.push_back(CompressedWindow::score_of(node.key));
               pos.push_back(node.count[1]);
               neg.push_back(node.count[0]);
             });
             return nb::make_tuple(to_numpy(std::move(scores)), to_numpy(std::move(pos)), to_numpy(std::move(neg)));
           })
      .def(
          "_listed",
          [](const CompressedWindow& self, bool positive) {
            const CompressedList& list = self.list(positive);
            Array<double> scores;
            Array<std::int64_t> own, other;
            for (std::size_t i = 0; i < list.size(); ++i) {
              scores.push_back(CompressedWindow::score_of(list.key(i)));
              own.push_back(list.own_gap(i));
              other.push_back(list.other_gap(i));
            }
            return nb::make_tuple(to_numpy(std::move(scores)), to_numpy(std::move(own)), to_numpy(std::move(other)));
          },
          "positive"_a)
      .def("_problem", [](const CompressedWindow& self) { return nb::str(self.problem().c_str()); });
  m.attr("MOST_EVENTS") = CompressedWindow::kMostEvents;

  m.def(
      "compressed_places",
      [](Input<double> pos, double eps) {
        std::vector<std::int64_t> places;
        {
          nb::gil_scoped_release nogil;
          places = compressed_places(pos.data(), pos.size(), eps);
        }
        return to_numpy(std::move(places));
      },
      nb::arg("pos").noconvert(), "eps"_a);
}
