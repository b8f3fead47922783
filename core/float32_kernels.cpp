#define ROCLAB_KERNELS_HERE float
#include "score_kernels.hpp"
