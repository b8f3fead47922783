// Large uninitialised arrays, on huge pages if the system has them, since the first touch of new small pages can cost more
// than the work itself. Two unused blocks of at most 32 MB are kept for the next array of about their size: the system
// clears new memory, which took a quarter of the time of a call that needs 24 bytes a row.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "portability.hpp"

namespace roclab {

namespace detail {

// An unused block; its size is stored at its start.
struct SpareBlock {
  std::size_t bytes;
};

inline constexpr std::size_t kLargestSpare = 1u << 25;
inline std::array<std::atomic<SpareBlock*>, 2> spare_blocks{};

// `bytes` is a whole number of huge pages. Null if there is no memory.
inline void* take_block(std::size_t bytes) {
  for (auto& slot : spare_blocks) {
    SpareBlock* block = slot.exchange(nullptr);
    if (!block) continue;
    if (block->bytes == bytes) return block;
    if ((block = slot.exchange(block))) free_pages(block);  // stored by another thread in the meantime
  }
  return allocate_pages(bytes);
}

inline void leave_block(void* memory, std::size_t bytes) {
  if (bytes > kLargestSpare) return free_pages(memory);
  SpareBlock* block = ::new (memory) SpareBlock{bytes};
  // Into the first slot; the previous block moves to the second, and that one is freed.
  for (auto& slot : spare_blocks) block = slot.exchange(block);
  if (block) free_pages(block);
}

}  // namespace detail

template <class T>
struct FillLater {
  using value_type = T;
  FillLater() = default;
  template <class Other>
  FillLater(const FillLater<Other>&) {}

  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    if (n > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_alloc();
    void* memory = bytes < kLarge ? std::malloc(bytes) : detail::take_block(in_pages(bytes));
    if (!memory && bytes) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    if (bytes < kLarge) std::free(memory);
    else detail::leave_block(memory, in_pages(bytes));
  }

  // Elements are left uninitialised.
  template <class U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
  }

  friend bool operator==(const FillLater&, const FillLater&) { return true; }

 private:
  static constexpr std::size_t kLarge = 1u << 22;

  static std::size_t in_pages(std::size_t bytes) { return (bytes + kHugePage - 1) / kHugePage * kHugePage; }
};

template <class T>
using Array = std::vector<T, FillLater<T>>;

}  // namespace roclab
