// What a mapping of a layer is judged by, in every loop-nest space.
#pragma once

#include <cstdint>

namespace nestor {

enum class ObjectiveKind : std::uint8_t { latency, energy, edp, eq14 /* cim only */, blended };

}  // namespace nestor
