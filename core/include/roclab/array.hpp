// Large arrays that are about to be filled: not zeroed first, and on huge pages where the system has them, since the first
// touch of fresh small pages can cost more than the work itself.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace roclab {

template <class T>
struct FillLater {
  using value_type = T;
  FillLater() = default;
  template <class Other>
  FillLater(const FillLater<Other>&) {}

  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    if (n > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_alloc();
    void* memory = nullptr;
    if (bytes < kLarge) {
      memory = std::malloc(bytes);
    } else {
      memory = std::aligned_alloc(kHugePage, (bytes + kHugePage - 1) / kHugePage * kHugePage);
#ifdef MADV_HUGEPAGE
      if (memory) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    }
    if (!memory && bytes) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }

  // Elements that are to be filled are left as they are.
  template <class U>
  void construct(U* at) { ::new (static_cast<void*>(at)) U; }
  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) { ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...); }

  friend bool operator==(const FillLater&, const FillLater&) { return true; }

 private:
  static constexpr std::size_t kHugePage = 1u << 21, kLarge = 1u << 22;
};

template <class T>
using Array = std::vector<T, FillLater<T>>;

}  // namespace roclab
