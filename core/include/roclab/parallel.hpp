// Threads for one call: started when it begins, joined before it returns. No pool, so forking stays safe.
//
// Between two tasks the calling thread checks, a few times a second, whether the call should be interrupted.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace roclab {

// Thrown by `pause` when the call is interrupted.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

namespace detail {

inline std::atomic<bool (*)()> wants_end{nullptr};
inline thread_local bool is_helper = false;

}  // namespace detail

// Sets the function that decides, on calling threads, whether their call is interrupted.
inline void ask_while_working(bool (*wants_end)()) { detail::wants_end = wants_end; }

// A point at which long work can be interrupted. Checks if some time has passed since the last check.
inline void pause() {
  using Clock = std::chrono::steady_clock;
  const auto wants_end = detail::wants_end.load(std::memory_order_relaxed);
  if (!wants_end || detail::is_helper) return;
  static thread_local Clock::time_point last = Clock::now();
  const auto now = Clock::now();
  if (now - last < std::chrono::milliseconds(100)) return;
  last = now;
  if (wants_end()) throw Interrupted();
}

namespace detail {

// The work of one task, whatever its type, so that the code around it is compiled once and not for each kernel.
class Task {
 public:
  template <class Work>
  explicit Task(Work& work) : work_(&work), call_([](void* of, std::size_t i) { (*static_cast<Work*>(of))(i); }) {}
  void operator()(std::size_t i) const { call_(work_, i); }

 private:
  void* work_;
  void (*call_)(void*, std::size_t);
};

[[gnu::noinline]] inline void run_tasks(std::size_t tasks, int threads, Task work) {
  const std::size_t wanted = std::min<std::size_t>(tasks, std::max(threads, 1));
  if (wanted <= 1) {
    for (std::size_t i = 0; i < tasks; ++i) {
      pause();
      work(i);
    }
    return;
  }
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> failures(wanted);
  auto run = [&](std::size_t worker) {
    if (worker > 0) is_helper = true;
    try {
      for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < tasks;) {
        pause();
        work(i);
      }
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
    // No more threads or no memory for them: those that run, and this one, do the work.
  }
  run(0);
  for (auto& helper : helpers) helper.join();
  for (auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace detail

// Calls work(i) for every i below `tasks`, in any order, on at most `threads` threads. The first exception is rethrown.
template <class Work>
void parallel_for(std::size_t tasks, int threads, Work&& work) {
  detail::run_tasks(tasks, threads, detail::Task(work));
}

}  // namespace roclab
