// Keys of proof files (docs/proofs.md) that are not in common.h.
#pragma once

namespace nestor::key {

inline constexpr char architecture_digest[] = "architecture_digest";
inline constexpr char axes[] = "axes";
inline constexpr char from[] = "from";  // also in a schedule's copies
inline constexpr char kernel_digest[] = "kernel_digest";
inline constexpr char levels[] = "levels";  // also in a cnm system
inline constexpr char memories[] = "memories";
inline constexpr char memory[] = "memory";
inline constexpr char mix[] = "mix";
inline constexpr char paths[] = "paths";
inline constexpr char spatial[] = "spatial";
inline constexpr char split[] = "split";
inline constexpr char then[] = "then";
/// The value of --pad in the head of a proof. With padding, each spatial choice begins with the bounds of its
/// shape, as if they were the factors of an outermost axis.
inline constexpr char pad[] = "pad";

}  // namespace nestor::key
