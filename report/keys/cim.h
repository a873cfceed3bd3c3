// Keys of results of the cim space that are not in common.h.
#pragma once

namespace nestor::key {

inline constexpr char drain[] = "drain";
inline constexpr char fill[] = "fill";
inline constexpr char programs[] = "programs";
inline constexpr char read[] = "read";
inline constexpr char spent_cycles[] = "spent_cycles";
inline constexpr char stall_cycles[] = "stall_cycles";
inline constexpr char stall_edp[] = "stall_edp";
inline constexpr char stalls[] = "stalls";
inline constexpr char traffic_bits[] = "traffic_bits";
inline constexpr char write[] = "write";

}  // namespace nestor::key
