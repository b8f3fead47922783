// Threads for one call: started when it begins, joined before it returns. No pool, so forking stays safe.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace roclab {

// Calls work(i) for every i below `tasks`, in any order, on at most `threads` threads. The first exception is rethrown.
template <class Work>
void parallel_for(std::size_t tasks, int threads, Work&& work) {
  const std::size_t wanted = std::min<std::size_t>(tasks, std::max(threads, 1));
  if (wanted <= 1) {
    for (std::size_t i = 0; i < tasks; ++i) work(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> failures(wanted);
  auto run = [&](std::size_t worker) {
    try {
      for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < tasks;) work(i);
    } catch (...) {
      failures[worker] = std::current_exception();
      next.store(tasks, std::memory_order_relaxed);
    }
  };
  std::vector<std::thread> helpers;
  helpers.reserve(wanted - 1);
  try {
    for (std::size_t worker = 1; worker < wanted; ++worker) helpers.emplace_back(run, worker);
  } catch (...) {
    // The system gives no more threads, or no memory for them: those that run, and this one, do the work.
  }
  run(0);
  for (auto& helper : helpers) helper.join();
  for (auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace roclab
