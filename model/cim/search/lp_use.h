// Policy that determines when bounds are computed by linear programs (mapper/cim/lp_bound.h).
#pragma once

#include <cstdint>

namespace nestor::cim {

enum class LpUse : std::uint8_t {
  off,
  root,     ///< for every choice before its search; some choices then need no search
  stopped,  ///< after a work or memory limit, for a better bound on open choices
};

}  // namespace nestor::cim
