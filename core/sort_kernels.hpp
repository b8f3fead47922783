// Sorting, for which several kernels wait: compiled with those of each type of scores, and only declared elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>

#include "roclab/sort.hpp"

#define ROCLAB_SORT_KERNELS(DECLARE, T)                                     \
  DECLARE template void detail::spread_sort(T*, T*, std::size_t, int, int); \
  DECLARE template void detail::spread_sort(detail::RowItem<T>*, detail::RowItem<T>*, std::size_t, int, int);

namespace roclab {

ROCLAB_SORT_KERNELS(extern, double)
ROCLAB_SORT_KERNELS(extern, float)
ROCLAB_SORT_KERNELS(extern, std::int64_t)

}  // namespace roclab
