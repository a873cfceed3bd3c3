// Keys of the JSON of `nestor compare` and `nestor sweep` that are not in common.h.
#pragma once

namespace nestor::key {

/// Schemas of these files.
inline constexpr char comparison_schema[] = "nestor.comparison/1";
inline constexpr char sweep_schema[] = "nestor.sweep/1";

inline constexpr char area_mm2[] = "area_mm2";
inline constexpr char dual_bound[] = "dual_bound";
inline constexpr char evaluated[] = "evaluated";
inline constexpr char parameters[] = "parameters";
inline constexpr char pareto[] = "pareto";
inline constexpr char plan[] = "plan";
inline constexpr char primal[] = "primal";
inline constexpr char ratio[] = "ratio";
inline constexpr char remark[] = "remark";
inline constexpr char solver[] = "solver";
inline constexpr char state[] = "state";

}  // namespace nestor::key
