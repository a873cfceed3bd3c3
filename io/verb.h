// The verbs of the tool, and sets of them. Every option lists the verbs that support it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nestor::io {

enum class Verb : std::uint8_t {
  show,
  evaluate,
  simulate,
  verify,
  schedule,
  map,
  lp,
  compile,
  estimate,
  proof,
  export_model,
  import_solution,
  compare,
  report,
  sweep,
  work,
  store,
  check
};
inline constexpr std::size_t verb_count = 18;

class VerbSet {
 public:
  template <typename... Verbs>
  static constexpr VerbSet of(Verbs... verbs) {
    VerbSet set;
    ((set.bits_ |= 1U << static_cast<unsigned>(verbs)), ...);
    return set;
  }
  constexpr bool contains(Verb verb) const { return (bits_ >> static_cast<unsigned>(verb) & 1U) != 0; }

 private:
  std::uint32_t bits_ = 0;
};

}  // namespace nestor::io
