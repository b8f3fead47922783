#define ROCLAB_KERNELS_HERE double
#include "score_kernels.hpp"
