// Python bindings for scores divided by group.
#include "roclab/grouped_scores.hpp"

#include <nanobind/nanobind.h>

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "modules.hpp"
#include "python_arrays.hpp"
#include "python_errors.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace roclab;

namespace {

// Scores of one type, that of the first rows.
class AnyGroupedScores {
 public:
  template <Score T>
  void add(Input<std::uint32_t> groups, std::size_t n_groups, Input<std::uint8_t> labels, Input<T> scores) {
    if (bytes() == 0) stored_.emplace<GroupedScores<T>>();
    auto* stored = std::get_if<GroupedScores<T>>(&stored_);
    if (!stored) throw nb::type_error("the scores are of another type than the first ones");
    nb::gil_scoped_release nogil;
    if (!stored->add(groups.data(), n_groups, labels.data(), scores.data(), scores.size())) throw NanScore();
  }

  std::size_t bytes() const {
    return std::visit([](const auto& stored) { return stored.bytes(); }, stored_);
  }

  nb::tuple rows() const {
    auto found = std::visit([](const auto& stored) { return stored.rows(); }, stored_);
    return nb::make_tuple(to_numpy(std::move(found.groups)), to_numpy(std::move(found.rows)));
  }

  nb::tuple pairs(int threads) const {
    GroupPairs found;
    std::vector<std::int64_t> pos, neg;
    std::vector<double> auc, variance;
    {
      nb::gil_scoped_release nogil;
      found = std::visit([&](const auto& stored) { return stored.pairs(threads); }, stored_);
      for (const PairCounts& counts : found.pairs) {
        pos.push_back(static_cast<std::int64_t>(counts.pos));
        neg.push_back(static_cast<std::int64_t>(counts.neg));
        auc.push_back(counts.auc());
        variance.push_back(counts.auc_variance());
      }
    }
    return nb::make_tuple(to_numpy(std::move(found.groups)), to_numpy(std::move(pos)), to_numpy(std::move(neg)),
                          to_numpy(std::move(auc)), to_numpy(std::move(variance)));
  }

 private:
  std::variant<GroupedScores<double>, GroupedScores<float>, GroupedScores<std::int32_t>, GroupedScores<std::int64_t>,
               GroupedScores<std::uint64_t>>
      stored_;
};

template <Score... T>
void define_add(nb::class_<AnyGroupedScores>& grouped) {
  (grouped.def("add", &AnyGroupedScores::add<T>, nb::arg("groups").noconvert(), "n_groups"_a, nb::arg("labels").noconvert(),
               nb::arg("scores").noconvert()),
   ...);
}

}  // namespace

void define_grouped_scores(nb::module_& m) {
  nb::class_<AnyGroupedScores> grouped(m, "GroupedScores");
  grouped.def(nb::init<>());
  define_add<double, float, std::int32_t, std::int64_t, std::uint64_t>(grouped);
  grouped.def_prop_ro("nbytes", &AnyGroupedScores::bytes);
  grouped.def("rows", &AnyGroupedScores::rows);
  grouped.def("pairs", &AnyGroupedScores::pairs, "threads"_a);
}
