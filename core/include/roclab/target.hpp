// Instruction sets beyond the baseline of the build, selected at run time.
#pragma once

#include <cstdlib>

#include "portability.hpp"

#if defined(ROCLAB_GNU) && defined(__x86_64__)
#define ROCLAB_AVX2_PATH 1
#endif

namespace roclab {

// Not if ROCLAB_DISABLE_AVX2 is set, which lets tests take the other path on any processor.
inline bool has_avx2() {
#ifdef ROCLAB_AVX2_PATH
  static const bool present = [] {
    const char* disabled = std::getenv("ROCLAB_DISABLE_AVX2");
    return __builtin_cpu_supports("avx2") && !(disabled && *disabled);
  }();
  return present;
#else
  return false;
#endif
}

}  // namespace roclab
