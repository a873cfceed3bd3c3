#include "model/chip/program/constants.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace nestor::chip_program {
namespace {

constexpr Int widest_table = 16;

std::uint64_t mixed(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

std::uint64_t mixed(std::uint64_t seed, Int value) { return mixed(seed ^ static_cast<std::uint64_t>(value)); }

// Returns a uniform value in -(2^(bits-1) - 1) .. 2^(bits-1) - 1.
Int symmetric(std::uint64_t hash, Int bits) {
  const Int most = bits <= 1 ? 0 : (Int{1} << std::min<Int>(bits - 1, 31)) - 1;
  return static_cast<Int>(hash % static_cast<std::uint64_t>(2 * most + 1)) - most;
}

using RealFunction = double (*)(double);
constexpr std::array<std::pair<std::string_view, RealFunction>, 13> functions = {{
    {"abs", [](double x) { return std::fabs(x); }},
    {"clip", [](double x) { return std::min(2.0, std::max(0.0, x)); }},
    {"erf", [](double x) { return std::erf(x); }},
    {"exp", [](double x) { return std::exp(x - 2); }},
    {"gelu", [](double x) { return x * 0.5 * (1 + std::erf(x / std::sqrt(2.0))); }},
    {"hardsigmoid", [](double x) { return std::min(1.0, std::max(0.0, 0.2 * x + 0.5)); }},
    {"hardswish", [](double x) { return x * std::min(1.0, std::max(0.0, x / 6 + 0.5)); }},
    {"leakyrelu", [](double x) { return x < 0 ? 0.01 * x : x; }},
    {"neg", [](double x) { return -x; }},
    {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
    {"sqrt", [](double x) { return std::sqrt(std::max(0.0, x)); }},
    {"swish", [](double x) { return x / (1 + std::exp(-x)); }},
    {"tanh", [](double x) { return std::tanh(x); }},
}};

}  // namespace

std::array<Int, 2> requantisation(Int rows, Int bits_in, Int bits_weight, Int bits_out) {
  constexpr Int shift = 16;
  constexpr Int largest = Int{1} << 30;
  const Int products = std::clamp<Int>(bits_in + bits_weight - 2, 0, 40);
  Int root = 1;
  while ((root + 1) * (root + 1) <= std::min(rows, Int{1} << 20)) ++root;
  const Int range = Int{1} << std::min<Int>(bits_out + 1, 34);
  return {std::clamp<Int>((range << shift) / (root << products), 1, largest), shift};
}

Int seed_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return static_cast<Int>(hash >> 33);
}

Int weight(Int seed, Int group, Int column, Int row, Int bits) {
  std::uint64_t hash = mixed(0x57, seed);
  for (const Int at : {group, column, row}) hash = mixed(hash, at);
  return symmetric(hash, bits);
}

Int bias(Int seed, Int group, Int column, Int bits_weight) {
  return symmetric(mixed(mixed(mixed(0xb1, seed), group), column), std::min<Int>(2 * bits_weight, 24));
}

Int element(Int seed, Int at, Int bits) { return symmetric(mixed(mixed(0xe1, seed), at), bits); }

// Input and output elements represent reals from -4 to 4.
std::vector<Int> unary_table(std::string_view function, Int bits_in, Int bits_out) {
  const Int width = std::min(bits_in, widest_table);
  const Int half = Int{1} << (width - 1);
  const double most = static_cast<double>((Int{1} << (std::min<Int>(bits_out, 31) - 1)) - 1);
  RealFunction f = [](double x) { return x; };
  for (const auto& [name, known] : functions) {
    if (name == function) f = known;
  }
  std::vector<Int> entries;
  for (Int x = -half; x < half; ++x) {
    const double real = f(4.0 * static_cast<double>(x) / static_cast<double>(half)) / 4 * (most + 1);
    entries.push_back(static_cast<Int>(std::min(most, std::max(-most, std::floor(real + 0.5)))));
  }
  return entries;
}

std::vector<Int> softmax_table(Int bits_in) {
  const Int width = std::min(bits_in, widest_table);
  const double step = std::ldexp(1.0, static_cast<int>(std::max<Int>(0, width - 3)));
  std::vector<Int> entries;
  for (Int d = 0; d < Int{1} << width; ++d) {
    entries.push_back(static_cast<Int>(std::floor(65535.0 * std::exp(-static_cast<double>(d) / step) + 0.5)));
  }
  return entries;
}

}  // namespace nestor::chip_program
