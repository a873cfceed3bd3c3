// Keys of results of the pim space that are not in common.h.
#pragma once

namespace nestor::key {

inline constexpr char bandwidth[] = "bandwidth";
inline constexpr char blocks[] = "blocks";
inline constexpr char bypass_table[] = "bypass_table";
inline constexpr char compute_cycles[] = "compute_cycles";
inline constexpr char dataflow[] = "dataflow";
inline constexpr char lanes[] = "lanes";
inline constexpr char latency_per_operand[] = "latency_per_operand";
inline constexpr char latency_shared[] = "latency_shared";
inline constexpr char memory_cycles[] = "memory_cycles";
inline constexpr char per_operand[] = "per_operand";
inline constexpr char row_activations[] = "row_activations";
inline constexpr char row_models[] = "row_models";
inline constexpr char shared[] = "shared";
inline constexpr char utilisation[] = "utilisation";

}  // namespace nestor::key
