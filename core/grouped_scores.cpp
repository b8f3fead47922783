// Python bindings for scores divided by group.
#include <nanobind/nanobind.h>

#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "modules.hpp"
#include "python_arrays.hpp"
#include "python_scores.hpp"
#include "score_kernels.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace roclab;

namespace {

// Scores of one type, that of the first rows.
class AnyGroupedScores {
 public:
  void add(Input<std::uint32_t> groups, std::size_t n_groups, Input<std::uint8_t> labels, AnyScores scores) {
    const bool empty = bytes() == 0;
    if (empty) type_ = scores.dtype();
    if (scores.dtype() != type_) throw nb::type_error("the scores are of another type than the first ones");
    with_kernel_scores(scores, 1, true, [&](const auto& values) {
      using Stored = GroupedScores<std::remove_cvref_t<decltype(*values.data())>>;
      if (empty) stored_.emplace<Stored>();
      nb::gil_scoped_release nogil;
      refuse_nan(std::get<Stored>(stored_).add(groups.data(), n_groups, labels.data(), values.data(), values.size()));
    });
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
  nb::dlpack::dtype type_ = nb::dtype<double>();
  std::variant<GroupedScores<double>, GroupedScores<float>, GroupedScores<std::int64_t>> stored_;
};

}  // namespace

void define_grouped_scores(nb::module_& m) {
  nb::class_<AnyGroupedScores> grouped(m, "GroupedScores");
  grouped.def(nb::init<>());
  grouped.def("add", &AnyGroupedScores::add, nb::arg("groups").noconvert(), "n_groups"_a, nb::arg("labels").noconvert(),
              nb::arg("scores").noconvert());
  grouped.def_prop_ro("nbytes", &AnyGroupedScores::bytes);
  grouped.def("rows", &AnyGroupedScores::rows);
  grouped.def("pairs", &AnyGroupedScores::pairs, "threads"_a);
}
