// Keys of machines and mappings of the loop-nest spaces. Results use them in the same way as the input files
// (io/cim, io/pim).
#pragma once

namespace nestor::key {

inline constexpr char capacity[] = "capacity";
inline constexpr char dim[] = "dim";
inline constexpr char dims[] = "dims";
inline constexpr char double_buffer[] = "double_buffer";
inline constexpr char factor[] = "factor";
inline constexpr char hierarchy[] = "hierarchy";
inline constexpr char leakage[] = "leakage";
inline constexpr char mvm_cycles[] = "mvm_cycles";
inline constexpr char size[] = "size";
inline constexpr char temporal[] = "temporal";

}  // namespace nestor::key
