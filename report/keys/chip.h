// Keys of compiled networks of the chip space alone (common.h has those that all spaces share).
#pragma once

namespace nestor::key {

inline constexpr char baselines[] = "baselines";
inline constexpr char decisions[] = "decisions";
inline constexpr char peak_crossbars[] = "peak_crossbars";

}  // namespace nestor::key
