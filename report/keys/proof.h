// Keys of proof files alone (common.h has those that they share with results; docs/proofs.md).
#pragma once

namespace nestor::key {

inline constexpr char axes[] = "axes";
inline constexpr char memories[] = "memories";
inline constexpr char memory[] = "memory";
inline constexpr char spatial[] = "spatial";

}  // namespace nestor::key
