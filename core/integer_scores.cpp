#include "modules.hpp"
#include "score_kernels.hpp"

void define_integer_scores(nanobind::module_& m) {
  roclab::define_for_scores<std::int32_t>(m);
  roclab::define_for_scores<std::int64_t>(m);
  roclab::define_for_scores<std::uint64_t>(m);
}
