// Random numbers for resampling: the same on every machine, with a separate stream for every replicate, so that results do not
// depend on the number of threads or their order. Only integers: no rounding, no library function.
//
// The generator is xoshiro256++, its state filled by splitmix64 (Blackman and Vigna, ACM Trans. Math. Softw. 47 (2021) 36).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace roclab {

class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream) {
    // The stream is mixed before it is combined with the seed, or seed 0 stream 1 would equal seed 1 stream 0.
    std::uint64_t state = stream;
    state = seed ^ mix(state);
    for (auto& word : state_) word = mix(state);
  }

  std::uint64_t bits() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform below `end`, without bias (Lemire, ACM Trans. Model. Comput. Simul. 29 (2019) 3).
  std::uint32_t below(std::uint32_t end) {
    std::uint64_t product = half() * end;
    if (static_cast<std::uint32_t>(product) < end)
      for (const std::uint32_t least = -end % end; static_cast<std::uint32_t>(product) < least;) product = half() * end;
    return static_cast<std::uint32_t>(product >> 32);
  }

  // The number of heads in `trials` tosses of a fair coin.
  std::uint64_t heads(std::uint64_t trials) {
    std::uint64_t count = 0;
    for (; trials >= 64; trials -= 64) count += std::popcount(bits());
    return trials ? count + std::popcount(bits() >> (64 - trials)) : count;
  }

  // The number of successes in `trials`, each with probability part/whole (part <= whole < 2^63). Each trial is a uniform number
  // whose binary digits are compared with those of part/whole until they differ: of the undecided trials, half differ at every
  // digit, so that about two coins a trial decide all.
  std::uint64_t successes(std::uint64_t trials, std::uint64_t part, std::uint64_t whole) {
    if (part == whole) return trials;
    std::uint64_t count = 0;
    for (std::uint64_t open = trials, rest = part; open && rest;) {
      rest *= 2;
      const std::uint64_t ones = heads(open);
      if (rest >= whole) {
        rest -= whole;
        count += open - ones;
        open = ones;
      } else {
        open -= ones;
      }
    }
    return count;
  }

 private:
  static std::uint64_t mix(std::uint64_t& state) {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::uint64_t half() {
    if (!kept_) {
      kept_word_ = bits();
      kept_ = true;
      return kept_word_ >> 32;
    }
    kept_ = false;
    return kept_word_ & 0xffffffff;
  }

  std::uint64_t state_[4];
  std::uint64_t kept_word_ = 0;
  bool kept_ = false;
};

// Draws of rows with replacement: the count of draws of each row. Of n draws among n rows one row gets more than 255
// with a probability below 1e-500, so a byte holds it.
using DrawCount = std::uint8_t;

namespace detail {

// Draws among a power of two of rows: 8 or 16 bits of a random word are one draw.
template <int kBits>
void draw_among_power(Random& random, std::size_t rows, std::uint64_t draws, DrawCount* counts) {
  const std::uint64_t mask = rows - 1;
  // A local copy: counts are bytes, which may alias anything, so the other generator would stay in memory.
  Random own = random;
  constexpr std::uint64_t kDraws = 64 / kBits;
  for (; draws >= kDraws; draws -= kDraws) {
    std::uint64_t word = own.bits();
    for (std::uint64_t i = 0; i < kDraws; ++i, word >>= kBits) ++counts[word & mask];
  }
  if (draws)
    for (std::uint64_t word = own.bits(); draws; --draws, word >>= kBits) ++counts[word & mask];
  random = own;
}

}  // namespace detail

// Adds `draws` draws among `rows` rows to `counts`. The rows are divided into powers of two, and coins decide the number of
// draws of each part: draws within a part need few random bits and stay in the L1 cache.
inline void draw_rows(Random& random, std::size_t rows, std::uint64_t draws, DrawCount* counts) {
  constexpr std::size_t kByte = 1u << 8, kLargest = 1u << 15, kFew = 48;
  while (rows > kFew && draws && !(std::has_single_bit(rows) && rows <= kLargest)) {
    const std::size_t lower = rows > 2 * kLargest ? (rows / kLargest + 1) / 2 * kLargest : std::min(std::bit_floor(rows), kLargest);
    const std::uint64_t to_lower = random.successes(draws, lower, rows);
    draw_rows(random, lower, to_lower, counts);
    counts += lower;
    rows -= lower;
    draws -= to_lower;
  }
  if (!std::has_single_bit(rows))
    for (; draws; --draws) ++counts[random.below(static_cast<std::uint32_t>(rows))];
  else if (rows <= kByte) detail::draw_among_power<8>(random, rows, draws, counts);
  else detail::draw_among_power<16>(random, rows, draws, counts);
}

}  // namespace roclab
