// Keys of schedules (simd space) that are not in common.h.
#pragma once

namespace nestor::key {

inline constexpr char after_instructions[] = "after_instructions";
inline constexpr char argument[] = "argument";
inline constexpr char array[] = "array";
inline constexpr char array_limit[] = "array_limit";
inline constexpr char arrays[] = "arrays";
inline constexpr char arrays_used[] = "arrays_used";
inline constexpr char by_pair[] = "by_pair";
inline constexpr char computes[] = "computes";
inline constexpr char constructions[] = "constructions";
inline constexpr char convergence[] = "convergence";
inline constexpr char copies_by_cause[] = "copies_by_cause";
inline constexpr char eviction[] = "eviction";
inline constexpr char exhaustive[] = "exhaustive";
inline constexpr char fanin[] = "fanin";
inline constexpr char method[] = "method";
inline constexpr char netlist[] = "netlist";
inline constexpr char nodes_before_mapping[] = "nodes_before_mapping";
inline constexpr char occupancy[] = "occupancy";
inline constexpr char outputs[] = "outputs";
inline constexpr char passes[] = "passes";
inline constexpr char patterns[] = "patterns";
inline constexpr char planned_work[] = "planned_work";
inline constexpr char recompute[] = "recompute";
inline constexpr char restructured[] = "restructured";
inline constexpr char rows_used[] = "rows_used";
inline constexpr char schedule[] = "schedule";
inline constexpr char verified[] = "verified";

}  // namespace nestor::key
