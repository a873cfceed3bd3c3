// Reader and writer of networks of chip operators (docs/models/chip.md, section 2; `kind: chip-network`), in
// JSON or YAML.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "io/checked_reader.h"
#include "io/files.h"
#include "io/find_data.h"
#include "model/chip/network.h"

namespace nestor::io {

/// The built-in networks of chip operators.
inline constexpr DataKind chip_networks = {"networks/chip", "network"};

// Keys of the format in output order.
namespace chip_network_keys {
inline constexpr std::array<std::string_view, 7> top = {"name",   "source",  "kind",     "bits",
                                                        "inputs", "outputs", "operators"};
inline constexpr std::array<std::string_view, 3> bits = {"I", "W", "O"};
inline constexpr std::array<std::string_view, 4> input = {"name", "rows", "width", "channels"};
inline constexpr std::array<std::string_view, 14> op = {
    "name",   "kind",    "rows", "width",  "channels", "in_channels", "row_in",
    "matrix", "alu_ops", "bits", "inputs", "function", "calls",       "piece"};
inline constexpr std::array<std::string_view, 5> piece = {"of", "first_group", "first_column", "first_row",
                                                          "adds"};
inline constexpr std::array<std::string_view, 10> function = {
    "kind", "kernel", "stride", "pad", "dilation", "table", "groups", "transposed", "constant_rows", "views"};
inline constexpr std::array<std::string_view, 3> matrix = {"rows", "columns", "groups"};
inline constexpr std::array<std::string_view, 5> from = {"from", "need", "gate", "pixels", "taps"};
}  // namespace chip_network_keys

/// Reads the function that an operator computes (model/chip/function.h). Costs do not depend on it, so a file
/// may omit it.
chip::Function read_chip_function(const Node& node, Reading& reading);
Json chip_function_to_json(const chip::Function& function);

Result<chip::ChipNetwork> parse_chip_network(std::string_view text, const std::string& file);
chip::ChipNetwork read_chip_network_node(const Node& node, Reading& reading);

Json chip_network_to_json(const chip::ChipNetwork& network);

}  // namespace nestor::io
