// Keys of compiled networks (chip space) that are not in common.h.
#pragma once

namespace nestor::key {

inline constexpr char baseline_cycles[] = "baseline_cycles";
inline constexpr char cores[] = "cores";
inline constexpr char crossbars[] = "crossbars";
inline constexpr char decisions[] = "decisions";
inline constexpr char end[] = "end";
inline constexpr char first_core[] = "first_core";
inline constexpr char first_row[] = "first_row";
inline constexpr char interval_cycles[] = "interval_cycles";
inline constexpr char on[] = "on";
inline constexpr char operators[] = "operators";
inline constexpr char parts[] = "parts";
inline constexpr char peak_crossbars[] = "peak_crossbars";
inline constexpr char peak_power[] = "peak_power";
inline constexpr char phases[] = "phases";
inline constexpr char pipeline[] = "pipeline";
inline constexpr char proved[] = "proved";
inline constexpr char rewrite_cycles[] = "rewrite_cycles";
inline constexpr char rows_at_once[] = "rows_at_once";
inline constexpr char schedule_cycles[] = "schedule_cycles";
inline constexpr char segments[] = "segments";
inline constexpr char spill_cycles[] = "spill_cycles";
inline constexpr char start[] = "start";
inline constexpr char throughput[] = "throughput";
inline constexpr char model_weights[] = "model_weights";

}  // namespace nestor::key
