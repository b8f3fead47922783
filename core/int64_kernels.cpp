#define ROCLAB_KERNELS_HERE std::int64_t
#include "score_kernels.hpp"
