// Generator of netlists: arithmetic and control circuits of any size, and random logic, so that tests and
// benchmarks need no external files. All netlists consist of XOR3 and MAJ3 gates; the ripple adder has one of
// each per bit.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "io/error.h"
#include "model/simd/netlist.h"
#include "model/simd/xmg_builder.h"

namespace nestor::bench {

struct GeneratorSize {
  std::uint32_t width = 0;  ///< 0 for the generator's default
  std::uint32_t count = 0;  ///< number of words, gates or tables, or 0 for the generator's default
  std::uint64_t seed = 1;   ///< seed of the random generator
};

/// Number of gates. Sums, products and shifts that do not fit saturate at the largest value.
class GateCount {
 public:
  constexpr GateCount(std::uint64_t value) : value_(value) {}  // NOLINT(google-explicit-constructor)
  constexpr std::uint64_t value() const { return value_; }

  friend constexpr GateCount operator+(GateCount a, GateCount b) {
    std::uint64_t sum = 0;
    return __builtin_add_overflow(a.value_, b.value_, &sum) ? largest : sum;
  }
  friend constexpr GateCount operator*(GateCount a, GateCount b) {
    std::uint64_t product = 0;
    return __builtin_mul_overflow(a.value_, b.value_, &product) ? largest : product;
  }
  friend constexpr GateCount operator/(GateCount a, GateCount b) { return a.value_ / b.value_; }
  friend constexpr GateCount operator<<(GateCount a, GateCount places) {
    return places.value_ < 64 ? a * (std::uint64_t{1} << places.value_) : a.value_ > 0 ? largest : 0;
  }
  friend constexpr auto operator<=>(GateCount a, GateCount b) = default;

 private:
  static constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t value_;
};

struct Generator {
  std::string_view name;
  std::string_view help;  ///< meaning of width and count
  std::uint32_t default_width;
  std::uint32_t default_count;
  std::uint32_t smallest_width;
  std::uint32_t largest_width;
  GateCount (*gate_limit)(GateCount width, GateCount count);  ///< upper bound on build()'s gates
  void (*build)(simd::XmgBuilder& builder, const GeneratorSize& size);
};

std::span<const Generator> generators();

/// Returns a netlist of at most 2^26 gates, or an error.
io::Result<simd::Netlist> generate(std::string_view name, GeneratorSize size);

/// Generates a netlist of at least `gates` gates whose width (for random and mesh: whose count) is close to
/// the smallest possible. At the largest width or count, the netlist may have fewer gates.
io::Result<simd::Netlist> generate_of_size(std::string_view name, std::uint64_t gates, std::uint64_t seed);

}  // namespace nestor::bench
