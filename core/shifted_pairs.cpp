// Python bindings for scores that are compared after a shift.
#include "roclab/shifted_pairs.hpp"

#include <nanobind/nanobind.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "modules.hpp"
#include "python_arrays.hpp"
#include "roclab/published_areas.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace roclab;

namespace {

template <class T, class Mass>
void define_shifted_wins(nb::module_& m) {
  m.def(
      "shifted_wins",
      [](Input<T> pos_scores, Input<Mass> pos, Input<T> neg_scores, Input<Mass> neg, Input<T> shifts, bool exact, bool strict,
         int threads) {
        const TieRule rule = !exact ? TieRule::rounded : strict ? TieRule::exact_strict : TieRule::exact;
        std::vector<Mass> wins;
        {
          nb::gil_scoped_release nogil;
          wins = shifted_wins(ClassView<T, Mass>{pos_scores.data(), pos.data(), pos.size()},
                              ClassView<T, Mass>{neg_scores.data(), neg.data(), neg.size()}, shifts.data(), shifts.size(), rule,
                              threads);
        }
        return to_numpy(std::move(wins));
      },
      nb::arg("pos_scores").noconvert(), nb::arg("pos").noconvert(), nb::arg("neg_scores").noconvert(), nb::arg("neg").noconvert(),
      nb::arg("shifts").noconvert(), "exact"_a, "strict"_a, "threads"_a);
}

template <class T>
void define_published_areas(nb::module_& m) {
  m.def(
      "published_areas",
      [](Input<T> scores, Input<std::int64_t> pos, Input<std::int64_t> neg, Input<T> distances, int threads) {
        std::vector<double> low(distances.size()), up(distances.size());
        {
          nb::gil_scoped_release nogil;
          const auto areas =
              published_areas(scores.data(), pos.data(), neg.data(), scores.size(), distances.data(), distances.size(), threads);
          for (std::size_t i = 0; i < areas.size(); ++i) low[i] = areas[i].low, up[i] = areas[i].up;
        }
        return nb::make_tuple(to_numpy(std::move(low)), to_numpy(std::move(up)));
      },
      nb::arg("scores").noconvert(), nb::arg("pos").noconvert(), nb::arg("neg").noconvert(), nb::arg("distances").noconvert(),
      "threads"_a);
}

}  // namespace

void define_shifted_pairs(nb::module_& m) {
  define_shifted_wins<double, std::int64_t>(m);
  define_shifted_wins<double, double>(m);
  define_shifted_wins<std::int64_t, std::int64_t>(m);
  define_shifted_wins<std::int64_t, double>(m);
  define_published_areas<double>(m);
  define_published_areas<std::int64_t>(m);
}
