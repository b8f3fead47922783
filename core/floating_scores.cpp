#include "modules.hpp"
#include "score_kernels.hpp"

void define_floating_scores(nanobind::module_& m) {
  roclab::define_for_scores<double>(m);
  roclab::define_for_scores<float>(m);
}
