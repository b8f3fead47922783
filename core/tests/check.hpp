// Checks of the core's tests, counted. A failed check fails the program; after ten it ends.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

inline long checks = 0, failures = 0;

inline void check(bool holds, const std::string& what) {
  ++checks;
  if (holds) return;
  std::printf("failed: %s\n", what.c_str());
  if (++failures == 10) std::exit(1);
}

// Prints the counts; main returns the result.
inline int report() {
  std::printf("%ld checks, %ld failures\n", checks, failures);
  return failures != 0;
}
