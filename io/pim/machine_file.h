// PIM machines in files (docs/models/pim.md, section 1): the hierarchy as all loop-nest spaces write it, with
// the keys that only kind pim has.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "io/checked_reader.h"
#include "io/files.h"
#include "model/pim/machine.h"
#include "model/workload/named_machine.h"

namespace nestor::io::pim {

/// A machine with the names a person gave its parts.
using NamedPimMachine = nestor::NamedMachine<nestor::pim::PimMachine>;

namespace machine_keys {
inline constexpr std::array<std::string_view, 13> top = {
    "name",   "source",    "kind",  "leakage",  "clock",  "hierarchy", "compute",
    "blocks", "row_model", "ports", "dim_once", "vaults", "units"};
inline constexpr std::array<std::string_view, 2> entry = {"memory", "spatial"};
inline constexpr std::array<std::string_view, 21> memory = {"name",
                                                            "operands",
                                                            "capacity",
                                                            "bandwidth",
                                                            "double_buffer",
                                                            "read_energy",
                                                            "write_energy",
                                                            "read_bandwidth",
                                                            "write_bandwidth",
                                                            "access_latency",
                                                            "ports",
                                                            "row",
                                                            "banks",
                                                            "activation_cycles",
                                                            "activation_energy",
                                                            "RL",
                                                            "WL",
                                                            "tRCDRD",
                                                            "tRP",
                                                            "BL",
                                                            "column_width"};
inline constexpr std::array<std::string_view, 3> axis = {"name", "size", "dims"};
inline constexpr std::array<std::string_view, 5> compute = {"mvm_cycles", "mac_energy", "reduction_latency",
                                                            "unit", "macs"};
}  // namespace machine_keys

/// A shipped name or a path.
Result<NamedPimMachine> read_machine(const std::string& path_or_name);
Result<NamedPimMachine> parse_machine(std::string_view text, const std::string& file);
NamedPimMachine read_machine_node(const Node& node, Reading& reading);

Json machine_to_json(const NamedPimMachine& machine);

}  // namespace nestor::io::pim
