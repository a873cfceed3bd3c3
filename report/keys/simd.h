// Keys of schedules of the simd space alone (common.h has those that all spaces share).
#pragma once

namespace nestor::key {

inline constexpr char arrays_used[] = "arrays_used";
inline constexpr char computes[] = "computes";
inline constexpr char copies[] = "copies";  // of a chip's operators, too
inline constexpr char exhaustive[] = "exhaustive";
inline constexpr char patterns[] = "patterns";
inline constexpr char rows_used[] = "rows_used";

}  // namespace nestor::key
