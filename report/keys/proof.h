// Keys of proof files (docs/proofs.md), but those that they share with results (common.h).
#pragma once

namespace nestor::key {

inline constexpr char architecture_digest[] = "architecture_digest";
inline constexpr char axes[] = "axes";
inline constexpr char from[] = "from";  // of a schedule's copies, too
inline constexpr char kernel_digest[] = "kernel_digest";
inline constexpr char levels[] = "levels";  // of a cnm system, too
inline constexpr char memories[] = "memories";
inline constexpr char memory[] = "memory";
inline constexpr char mix[] = "mix";
inline constexpr char paths[] = "paths";
inline constexpr char spatial[] = "spatial";
inline constexpr char split[] = "split";
inline constexpr char then[] = "then";
/// Of a blended objective and of eq14, as options and in heads.
inline constexpr const char* weights[] = {"alpha", "beta", "mu1", "mu2"};
/// With padding a spatial choice is named by its bounds, too, as if they were an axis outside all others.
inline constexpr char pad[] = "pad";

}  // namespace nestor::key
