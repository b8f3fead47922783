// Which instruction sets may be used beyond the baseline of the build, decided when the program runs.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__)
#define ROCLAB_AVX2_PATH 1
#endif

namespace roclab {

constexpr int kBaselineBytes = 16;  // a vector register of SSE2 or NEON

#ifdef ROCLAB_AVX2_PATH
inline bool has_avx2() {
  static const bool present = __builtin_cpu_supports("avx2");
  return present;
}
#endif

}  // namespace roclab
