// Tests of all cases in tests/bad_inputs (bad_inputs.h): each input must cause exactly its expected message.
#include "io/bad_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include "io/cim/architecture_file.h"
#include "io/cim/mapping_file.h"
#include "io/cnm/program_file.h"
#include "io/constraint_file.h"
#include "io/layer_file.h"
#include "io/neighbours/neighbours.h"
#include "io/plan_file.h"
#include "places.h"
#include "report/results/cim/result_file.h"
#include "support/parse_run.h"

namespace nestor::tests::bad_inputs_test {
namespace {

const BadInputKind architecture("architecture", "in.yaml",
                                [](const std::string& input, const std::string& file) {
                                  return message_of(io::parse_architecture(input, file));
                                });
const BadInputKind layers("layers", "in.yaml", [](const std::string& input, const std::string& file) {
  return message_of(io::parse_layers(input, file));
});
// A network in another tool's format.
const BadInputKind neighbour("neighbour", "in.yaml", [](const std::string& input, const std::string& file) {
  const auto network = io::neighbours::parse_network(input, file);
  return network ? message_of(*network) : std::string("is no file of another tool");
});
const BadInputKind result("result", "in.json", [](const std::string& input, const std::string& file) {
  return message_of(tests::parse_run(input, file));
});
const BadInputKind bits("bits", "", [](const std::string& input, const std::string&) {
  return message_of(io::parse_bits_option(input.substr(0, input.find('\n'))));
});
// A mapping for one layer on miredo-table4.
const BadInputKind mapping("mapping", "in.json", [](const std::string& input, const std::string& file) {
  const auto machine = io::read_architecture("miredo-table4");
  if (!machine) return machine.error().to_string();
  const std::vector<Layer> one_layer(1);
  return message_of(io::parse_mappings(input, file, *machine, one_layer));
});
// Constraints on mappings onto miredo-table4.
const BadInputKind constraints("constraints", "fix.yaml",
                               [](const std::string& input, const std::string& file) {
                                 const auto machine = io::read_architecture("miredo-table4");
                                 if (!machine) return machine.error().to_string();
                                 return message_of(
                                     io::parse_constraints(input, file, machine->machine, *machine));
                               });
const BadInputKind plan("plan", "plan.yaml", [](const std::string& input, const std::string& file) {
  return message_of(io::parse_plan(input, file));
});

const BadInputKind program("program", "in.yaml", [](const std::string& input, const std::string& file) {
  const auto document = io::Document::parse(input, file);
  return document ? message_of(io::program_from(document->root())) : document.error().to_string();
});

std::filesystem::path folder() { return std::filesystem::path(NESTOR_SOURCE_DIR) / "tests" / "bad_inputs"; }

std::vector<std::filesystem::path> files() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder())) {
#ifdef NESTOR_WITHOUT_ONNX
    if (entry.path().stem() == "onnx") continue;
#endif
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<BadInputCase> all_cases() {
  std::vector<BadInputCase> all;
  for (const auto& path : files()) {
    const auto text = io::read_file(path);
    if (!text) continue;
    const auto cases = parse_bad_inputs(*text, path.filename().string());
    all.insert(all.end(), cases.begin(), cases.end());
  }
  return all;
}

TEST(BadInputs, GiveExactlyTheExpectedMessage) {
  for (const auto& bad : all_cases()) {
    const auto message = message_for(bad);
    EXPECT_EQ(message, bad.expected) << bad.source << " (" << bad.title << ")";
    EXPECT_FALSE(message.empty()) << bad.source << " was accepted";
    EXPECT_EQ(message.find('\n'), std::string::npos) << bad.source << " takes more than one line";
    EXPECT_LE(message.size(), 400U) << bad.source;
  }
}

TEST(BadInputs, AreNumerousWithUniqueTitles) {
  const auto cases = all_cases();
  EXPECT_GE(cases.size(), 70U);
  std::set<std::string> titles;
  for (const auto& bad : cases) EXPECT_TRUE(titles.insert(bad.kind + ": " + bad.title).second) << bad.source;
}

// Not a test: rewrites the expected messages on request (`make expected`).
TEST(BadInputs, UpdateExpectedWhenAsked) {
  if (std::getenv("NESTOR_UPDATE_EXPECTED") == nullptr) return;
  for (const auto& path : files()) {
    const auto text = io::read_file(path);
    ASSERT_TRUE(text);
    const auto cases = parse_bad_inputs(*text, path.filename().string());
    for (const auto& bad : cases) ASSERT_NE(bad.kind, "malformed") << bad.source << ": " << bad.title;
    std::string updated;
    std::istringstream lines(*text);
    std::size_t next = 0;
    for (std::string line; std::getline(lines, line);) {
      const bool is_expectation = line.starts_with(">>>") && next < cases.size();
      updated += (is_expectation ? ">>> " + message_for(cases[next++]) : line) + "\n";
    }
    ASSERT_FALSE(io::write_file(path, updated));
  }
}

}  // namespace
}  // namespace nestor::tests::bad_inputs_test
