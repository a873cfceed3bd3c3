// Policy of asking linear programs for a bound (mapper/cim/lp_bound.h).
#pragma once

#include <cstdint>

namespace nestor::cim {

enum class LpUse : std::uint8_t {
  off,
  root,     ///< of every choice that is about to be searched: some need not be
  stopped,  ///< once a limit of work or memory has stopped the run, for a better bound on what is open
};

}  // namespace nestor::cim
