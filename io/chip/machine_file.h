// Reader and writer of architectures of kind `chip` (docs/models/chip.md, section 1), in YAML or JSON.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "io/checked_reader.h"
#include "io/files.h"
#include "model/chip/machine.h"

namespace nestor::io {

// Keys of the format in output order.
namespace chip_machine_keys {
inline constexpr std::array<std::string_view, 11> top = {
    "name", "source", "kind", "mode", "chip", "core", "crossbar", "energy", "functions", "alu_ops", "clock"};
inline constexpr std::array<std::string_view, 2> function = {"does", "ops"};
inline constexpr std::array<std::string_view, 6> chip = {"cores", "alu",      "alu_shared",
                                                         "l0",    "off_chip", "noc"};
inline constexpr std::array<std::string_view, 5> l0 = {"size", "bandwidth", "hidden", "shared", "strict"};
inline constexpr std::array<std::string_view, 1> off_chip = {"bandwidth"};
inline constexpr std::array<std::string_view, 3> noc = {"kind", "hop_cycles", "cost"};
inline constexpr std::array<std::string_view, 4> core = {"crossbars", "alu", "l1", "noc"};
inline constexpr std::array<std::string_view, 2> l1 = {"size", "bandwidth"};
inline constexpr std::array<std::string_view, 8> crossbar = {
    "size", "parallel_rows", "dac", "adc", "type", "cell_bits", "runtime_write", "write_cycles"};
inline constexpr std::array<std::string_view, 10> energy = {
    "crossbar", "adc", "dac", "alu", "l0", "l1", "noc", "write", "off_chip", "leakage"};
/// Valid names in `alu_ops`: "pool" for all kinds of pooling, or an ONNX operator.
inline constexpr std::array<std::string_view, 28> alu_ops = {"pool",          "MaxPool",
                                                             "AveragePool",   "GlobalAveragePool",
                                                             "GlobalMaxPool", "Relu",
                                                             "Clip",          "Add",
                                                             "Mul",           "Sub",
                                                             "Div",           "Erf",
                                                             "Sigmoid",       "Tanh",
                                                             "Sqrt",          "Pow",
                                                             "Exp",           "HardSwish",
                                                             "HardSigmoid",   "LeakyRelu",
                                                             "PRelu",         "Elu",
                                                             "Softmax",       "LayerNormalization",
                                                             "Gelu",          "BatchNormalization",
                                                             "Concat",        "MatMul"};
}  // namespace chip_machine_keys

Result<chip::ChipMachine> parse_chip_machine(std::string_view text, const std::string& file);
chip::ChipMachine read_chip_machine_node(const Node& node, Reading& reading);
/// Reads an architecture by path, or by the name of a built-in one (find_data.h).
Result<chip::ChipMachine> read_chip_machine(const std::string& path_or_name,
                                            std::span<const std::string> settings = {});

Json chip_machine_to_json(const chip::ChipMachine& machine);

}  // namespace nestor::io
