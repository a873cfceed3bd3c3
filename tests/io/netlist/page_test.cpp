// Test of the examples in docs/netlists.md: they can be read and have the properties that the page states.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "io/files.h"
#include "io/netlist/aiger_reader.h"
#include "io/netlist/blif_reader.h"
#include "io/netlist/verilog_reader.h"
#include "places.h"
#include "report/results/simd/schedule_file.h"
#include "report/simd/schedule_contract.h"

namespace nestor::page_test {
namespace {

std::map<std::string, std::string> examples() {
  std::map<std::string, std::string> blocks;
  const auto page = io::read_file(std::string(NESTOR_SOURCE_DIR) + "/docs/netlists.md");
  if (!page) return blocks;
  std::istringstream lines(*page);
  std::string language;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("```", 0) == 0) {
      language = language.empty() ? line.substr(3) : "";
    } else if (!language.empty()) {
      (blocks[language] += line) += '\n';
    }
  }
  return blocks;
}

TEST(NetlistPage, ExamplesReadAndVerify) {
  const auto blocks = examples();
  ASSERT_EQ(blocks.size(), 4U);
  const auto verilog = io::parse_verilog(blocks.at("verilog"), "page.v");
  const auto blif = io::parse_blif(blocks.at("blif"), "page.blif");
  const auto aiger = io::parse_aiger(blocks.at("aiger"), "page.aag");
  ASSERT_TRUE(verilog.ok() && blif.ok() && aiger.ok());
  EXPECT_TRUE(verilog->already_mapped && blif->already_mapped);
  EXPECT_EQ(verilog->netlist.gates, blif->netlist.gates);
  EXPECT_EQ(aiger->netlist.outputs[0].name, "both");
  const auto text = io::parse_schedule(blocks.at("schedule"), "page.txt");
  ASSERT_TRUE(text.ok()) << text.error().to_string();
  EXPECT_EQ(report::contract_of(*text, verilog->netlist, blif->netlist).fault, "");
}

}  // namespace
}  // namespace nestor::page_test
