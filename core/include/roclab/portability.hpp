// What compilers have beyond C++20, and what takes its place elsewhere. ROCLAB_GNU says that this is GCC or Clang; defining
// ROCLAB_PORTABLE leaves all of it out, so that tests can take the other path. 128-bit integers are in wide_integers.hpp.
//
// Attributes need nothing: a compiler ignores those of a namespace that it does not know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#if defined(__GNUC__) && !defined(ROCLAB_PORTABLE)
#define ROCLAB_GNU 1
#endif

#if defined(ROCLAB_GNU) && defined(__linux__)
#include <sys/mman.h>

#include <cstdlib>
#endif

namespace roclab {

constexpr int kBaselineBytes = 16;  // a vector register of SSE2 or NEON

#ifdef ROCLAB_GNU

inline void prefetch(const void* at) { __builtin_prefetch(at); }
inline void prefetch_to_write(const void* at) { __builtin_prefetch(at, 1); }

#else

inline void prefetch(const void*) {}
inline void prefetch_to_write(const void*) {}

// What vectors of GCC and Clang do here: each operation on every lane, and -1 where a comparison holds.
template <class T, std::size_t N>
struct LaneArray {
  T lane[N];

  T operator[](std::size_t i) const { return lane[i]; }

  template <class Result = T, class Make>
  static LaneArray<Result, N> of_lanes(Make make) {
    LaneArray<Result, N> made;
    for (std::size_t i = 0; i < N; ++i) made.lane[i] = make(i);
    return made;
  }

  friend LaneArray operator+(const LaneArray& a, const LaneArray& b) {
    return of_lanes([&](std::size_t i) { return a[i] + b[i]; });
  }
  friend LaneArray operator+(const LaneArray& a, T b) {
    return of_lanes([&](std::size_t i) { return a[i] + b; });
  }
  friend LaneArray operator-(T a, const LaneArray& b) {
    return of_lanes([&](std::size_t i) { return a - b[i]; });
  }
  friend LaneArray operator*(const LaneArray& a, const LaneArray& b) {
    return of_lanes([&](std::size_t i) { return a[i] * b[i]; });
  }
  LaneArray& operator+=(const LaneArray& other) { return *this = *this + other; }

  using Mask = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  friend LaneArray<Mask, N> operator<(const LaneArray& a, const LaneArray& b) {
    return of_lanes<Mask>([&](std::size_t i) { return -Mask{a[i] < b[i]}; });
  }
  friend LaneArray<Mask, N> operator<=(const LaneArray& a, const LaneArray& b) {
    return of_lanes<Mask>([&](std::size_t i) { return -Mask{a[i] <= b[i]}; });
  }
  friend LaneArray<Mask, N> operator<(const LaneArray& a, T b) {
    return of_lanes<Mask>([&](std::size_t i) { return -Mask{a[i] < b}; });
  }
};

#endif

// Scores in a vector register of `Bytes` bytes.
template <class T, int Bytes>
struct Lanes {
  using Mask = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  static constexpr std::size_t count = Bytes / sizeof(T);
#ifdef ROCLAB_GNU
  typedef T Values __attribute__((vector_size(Bytes)));
  typedef Mask Masks __attribute__((vector_size(Bytes)));
#else
  using Values = LaneArray<T, count>;
  using Masks = LaneArray<Mask, count>;
#endif
};

inline constexpr std::size_t kHugePage = 1u << 21;

// Memory for a whole number of huge pages, on such pages if the system has them. Null if there is no memory.
#if defined(ROCLAB_GNU) && defined(__linux__)

inline void* allocate_pages(std::size_t bytes) {
  void* memory = std::aligned_alloc(kHugePage, bytes);
#ifdef MADV_HUGEPAGE
  if (memory) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  return memory;
}
inline void free_pages(void* memory) { std::free(memory); }

#else

inline void* allocate_pages(std::size_t bytes) { return ::operator new(bytes, std::align_val_t{4096}, std::nothrow); }
inline void free_pages(void* memory) { ::operator delete(memory, std::align_val_t{4096}); }

#endif

}  // namespace roclab
