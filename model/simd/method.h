// The names of the simd schedulers, as options and results have them.
#pragma once

#include <cstdint>

namespace nestor::simd {

enum class Method : std::uint8_t { nestor, masim, gppic, simpler, star, date24, exact };

constexpr const char* to_string(Method method) {
  switch (method) {
    case Method::nestor:
      return "nestor";
    case Method::masim:
      return "masim";
    case Method::gppic:
      return "gppic";
    case Method::simpler:
      return "simpler";
    case Method::star:
      return "star";
    case Method::date24:
      return "date24";
    case Method::exact:
      return "exact";
  }
  return "?";
}

/// What a schedule is judged by. Where nodes are computed once and all copies cost alike the two agree.
enum class Objective : std::uint8_t { copies, energy };

constexpr const char* to_string(Objective objective) {
  return objective == Objective::copies ? "copies" : "energy";
}

/// Energy per instruction in units of one compute (MASIM's figures for its hardware).
struct InstructionEnergy {
  double per_compute = 1.0;
  double per_copy = 1.87;
};

}  // namespace nestor::simd
