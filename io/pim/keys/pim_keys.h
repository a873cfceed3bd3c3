// Keys of PIM machines and their mappings in files. Readers of other kinds also use some of them
// (io/foreign_keys.h).
#pragma once

#include <array>
#include <string_view>

namespace nestor::io::pim {

namespace machine_keys {
/// Keys that no other kind of machine with a hierarchy has, and words that are mistaken for such keys.
inline constexpr std::array<std::string_view, 14> own = {"row",
                                                         "banks",
                                                         "activation_cycles",
                                                         "activation_energy",
                                                         "ports",
                                                         "read_bandwidth",
                                                         "write_bandwidth",
                                                         "access_latency",
                                                         "reduction_latency",
                                                         "dim_once",
                                                         "blocks",
                                                         "vaults",
                                                         "units",
                                                         "layouts"};
}  // namespace machine_keys

namespace mapping_keys {
inline constexpr std::array<std::string_view, 1> own = {"layout"};
}  // namespace mapping_keys

}  // namespace nestor::io::pim
