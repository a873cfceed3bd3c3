// Reference cases of the chip space: networks, machines and their figures from an independent implementation
// of docs/models/chip.md. The files are not part of the project (NESTOR_SHARED_DIR/data/chip).
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "io/chip/decisions_file.h"
#include "io/chip/machine_file.h"
#include "io/chip/network_file.h"
#include "model/chip/problem.h"
#include "places.h"

namespace nestor::tests {

inline std::filesystem::path chip_reference(const std::string& name) {
  return std::filesystem::path(NESTOR_SHARED_DIR) / "data" / "chip" / name;
}

/// A machine and a network after splitting.
struct ChipCase {
  chip::ChipMachine machine;
  chip::ChipNetwork network;
};

inline ChipCase chip_case(const io::Json& machine, const io::Json& network) {
  auto read_machine = io::parse_chip_machine(machine.dump(), "machine.json");
  auto read_network = io::parse_chip_network(network.dump(), "network.json");
  EXPECT_TRUE(read_machine.ok()) << (read_machine.ok() ? "" : read_machine.error().to_string());
  EXPECT_TRUE(read_network.ok()) << (read_network.ok() ? "" : read_network.error().to_string());
  ChipCase result{std::move(read_machine).value(), std::move(read_network).value()};
  const auto refused = chip::split(result.machine, result.network);
  EXPECT_FALSE(refused) << refused->message;
  return result;
}

inline chip::Decisions chip_decisions(const ChipCase& of, const io::Json& json) {
  const auto document = io::Document::parse(json.dump(), "decisions.json");
  io::Reading reading;
  auto decisions = io::read_chip_decisions_node(document->root(), of.network, of.machine.mode, reading);
  EXPECT_FALSE(reading.failed()) << reading.error().to_string();
  return decisions;
}

/// Returns the first difference between two trees of figures; empty if there is none. Integers must be equal,
/// decimals agree within a relative 1e-9. Keys that only `found` has are ignored.
inline std::string difference(const io::Json& expected, const io::Json& found, const std::string& at = "") {
  if (expected.is_object()) {
    for (const auto& [key, value] : expected.items()) {
      if (!found.contains(key)) return at + "/" + key + " is missing";
      if (auto text = difference(value, found[key], at + "/" + key); !text.empty()) return text;
    }
    return "";
  }
  if (expected.is_array()) {
    if (expected.size() != found.size()) return at + " has another length";
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (auto text = difference(expected[i], found[i], at + "/" + std::to_string(i)); !text.empty())
        return text;
    return "";
  }
  if (expected.is_number() && found.is_number()) {
    const double a = expected.get<double>();
    const double b = found.get<double>();
    if (a == b || std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b))) return "";
  } else if (expected == found) {
    return "";
  }
  return at + ": expected " + expected.dump() + ", found " + found.dump();
}

}  // namespace nestor::tests
