// Bytes of windows by libFuzzer, without Python: they are restored, or refused with BadBytes, and what was restored goes on.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "roclab/archive.hpp"
#include "roclab/compressed_window.hpp"
#include "roclab/cumulative_scores.hpp"
#include "roclab/decayed_window.hpp"
#include "roclab/sliding_window.hpp"
#include "roclab/time_window.hpp"

namespace {

using namespace roclab;

constexpr std::size_t kSize = 200;

template <class Window>
std::string saved(const Window& window) {
  Writer to;
  window.save(to);
  return to.bytes;
}

template <class Window, class Update>
void try_bytes(Window window, Window again, const char* data, std::size_t size, Update update) {
  Reader from(data, size);
  try {
    window.load(from);
    from.finish();
  } catch (const BadBytes&) {
    return;
  }
  const std::string bytes = saved(window);
  Reader back(bytes.data(), bytes.size());
  again.load(back);  // which must not refuse what was just written
  back.finish();
  if (saved(again) != bytes) std::abort();
  try {
    for (int i = 0; i < 60; ++i) update(window, i % 3 == 0, static_cast<double>(i * 7 % 11));
  } catch (const TooManyEvents&) {
    // A window may hold as many as it can count.
  }
  (void)saved(window);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const auto* data = reinterpret_cast<const char*>(bytes) + 1;
  --size;
  const auto event = [](auto& window, bool positive, double score) { window.update(positive, score, 1.5); };
  switch (bytes[0] % 5) {
    case 0: try_bytes(SlidingWindow(kSize), SlidingWindow(kSize), data, size, event); break;
    case 1: try_bytes(DecayedWindow(8, 1e-9), DecayedWindow(8, 1e-9), data, size, event); break;
    case 2: try_bytes(CumulativeScores(), CumulativeScores(), data, size, event); break;
    case 3: {
      double time = 1e6;
      try_bytes(TimeWindow(40, 5), TimeWindow(40, 5), data, size,
                [&](auto& window, bool positive, double score) { window.update(positive, score, 1, time += 1); });
      break;
    }
    default:
      try_bytes(CompressedWindow(kSize, 0.2, true), CompressedWindow(kSize, 0.2, true), data, size,
                [](auto& window, bool positive, double score) { window.update(positive, score); });
  }
  return 0;
}
