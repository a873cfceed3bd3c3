// Random number generator of the project: xoshiro256** seeded through SplitMix64 (Blackman and Vigna, public
// domain algorithms). It is small and fast, and produces the same sequence on every target, unlike the
// distributions of <random>.
#pragma once

#include <array>
#include <cstdint>

namespace nestor {

class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) {
    for (auto& word : state_) {
      seed += 0x9e3779b97f4a7c15ULL;
      std::uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
      word = z ^ (z >> 31);
    }
  }

  constexpr std::uint64_t next() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  /// Returns a uniformly distributed integer in [0, bound), for bound > 0. Rejection sampling makes the
  /// distribution exact.
  constexpr std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t limit = -bound % bound;
    for (;;) {
      const std::uint64_t draw = next();
      if (draw >= limit) return draw % bound;
    }
  }

  /// Returns a uniformly distributed integer in [low, high].
  constexpr std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
  }

  /// Returns a uniformly distributed number in [0, 1), with 53 random bits.
  constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  constexpr bool chance(double probability) { return unit() < probability; }

 private:
  static constexpr std::uint64_t rotate(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

  std::array<std::uint64_t, 4> state_{};
};

}  // namespace nestor
