// Python bindings for rows counted by slot and by group: what tables larger than memory are evaluated with.
#include <nanobind/nanobind.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "modules.hpp"
#include "python_arrays.hpp"
#include "python_errors.hpp"
#include "roclab/grouped_pairs.hpp"
#include "roclab/score_slots.hpp"
#include "score_kernels.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace roclab;

namespace {

void refuse_nan(bool fine) {
  if (!fine) throw NanScore();
}

template <class T>
void define_for(nb::module_& m, const char* name) {
  using Counter = SlotCounter<T>;
  nb::class_<Counter>(m, name)
      .def("add", [](Counter& self, Input<std::uint8_t> labels, Input<T> scores) {
        nb::gil_scoped_release nogil;
        refuse_nan(self.add(labels.data(), scores.data(), scores.size()));
      }, nb::arg("labels").noconvert(), nb::arg("scores").noconvert())
      .def("add_weights", [](Counter& self, Input<std::uint8_t> labels, Input<T> scores, Input<double> weights) {
        nb::gil_scoped_release nogil;
        refuse_nan(self.add_weights(labels.data(), scores.data(), weights.data(), scores.size()));
      }, nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), nb::arg("weights").noconvert())
      .def("divide", [](Counter& self, Input<std::uint8_t> labels, Input<T> scores) {
        RowsByGap found;
        {
          nb::gil_scoped_release nogil;
          refuse_nan(self.divide(labels.data(), scores.data(), scores.size(), found));
        }
        return nb::make_tuple(to_numpy(std::move(found.order)), to_numpy(std::move(found.begin)));
      }, nb::arg("labels").noconvert(), nb::arg("scores").noconvert())
      .def("counts", [](Counter& self, bool positive) { return to_numpy(self.counts(positive)); }, "positive"_a)
      .def("weights", [](const Counter& self) {
        auto copied = [](std::vector<double> sums) { return to_numpy(std::move(sums)); };
        const SlotWeights& sums = self.weights();
        return nb::make_tuple(copied(sums.pos), copied(sums.neg), copied(sums.pos_sq), copied(sums.neg_sq));
      });

  m.def("slot_counter", [](Input<T> cuts, int threads) { return Counter(cuts.data(), cuts.size(), threads); },
        nb::arg("cuts").noconvert(), "threads"_a);

  m.def("pairs_by_group", [](Input<std::uint32_t> groups, std::size_t n_groups, Input<std::uint8_t> labels, Input<T> scores, int threads) {
    std::vector<std::int64_t> pos(n_groups), neg(n_groups);
    std::vector<double> auc(n_groups), variance(n_groups);
    {
      nb::gil_scoped_release nogil;
      const auto found =
          unless_nan(count_pairs_by_group(groups.data(), n_groups, labels.data(), scores.data(), scores.size(), threads));
      for (std::size_t group = 0; group < n_groups; ++group) {
        pos[group] = static_cast<std::int64_t>(found[group].pos);
        neg[group] = static_cast<std::int64_t>(found[group].neg);
        auc[group] = found[group].auc();
        variance[group] = found[group].auc_variance();
      }
    }
    return nb::make_tuple(to_numpy(std::move(pos)), to_numpy(std::move(neg)), to_numpy(std::move(auc)), to_numpy(std::move(variance)));
  }, nb::arg("groups").noconvert(), "n_groups"_a, nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), "threads"_a);
}

}  // namespace

void define_score_slots(nb::module_& m) {
  define_for<double>(m, "SlotCounterFloat64");
  define_for<float>(m, "SlotCounterFloat32");
  define_for<std::int32_t>(m, "SlotCounterInt32");
  define_for<std::int64_t>(m, "SlotCounterInt64");
  define_for<std::uint64_t>(m, "SlotCounterUInt64");
}
