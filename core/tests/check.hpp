// What the core's tests count and say. A failed check fails the program; after ten it ends, since what follows means little.
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

// For main to return.
inline int told() {
  std::printf("%ld checks, %ld failures\n", checks, failures);
  return failures != 0;
}
