// Tests of the reader of mapping files: it agrees with a separate reader, and requires one mapping for each
// layer.
#include "io/cim/mapping_file.h"

#include <gtest/gtest.h>

#include "io/cim/architecture_file.h"
#include "places.h"
#include "support/reference_data.h"

namespace nestor::io::mapping_file_test {
namespace {

// Compares the mappings that the project's reader and the tests' separate reader read from the reference
// cases.
TEST(MappingFile, AgreesWithTheReferenceCases) {
  for (const std::string file : {"examples.json", "mappings.json", "tiny.json"}) {
    const auto path = std::string(NESTOR_SHARED_DIR) + "/data/cim/" + file;
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no reference data at " << path;
    const auto cases = tests::load_reference_cases(file);
    const auto document = Document::read(path);
    ASSERT_TRUE(document) << document.error().to_string();
    ASSERT_EQ(document->root().size(), cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const auto entry = document->root().item(i);
      Reading reading;
      const auto architecture_node = *entry.find("architecture");
      const auto architecture = architecture_node.is_map()
                                    ? read_architecture_node(architecture_node, reading)
                                    : cases[i].architecture;
      EXPECT_EQ(architecture.machine, cases[i].architecture.machine);
      const auto mapping = read_mapping_node(*entry.find("mapping"), architecture, reading);
      ASSERT_FALSE(reading.failed()) << reading.error().to_string();
      EXPECT_EQ(mapping, cases[i].mapping) << file << " case " << i;
    }
  }
}

constexpr const char* machine = R"(
name: m
hierarchy:
  - memory: {name: dram, operands: [I, W, O], bandwidth: 64}
  - memory: {name: buf, operands: [I, O], bandwidth: 64, double_buffer: true}
  - memory: {name: macro, operands: [W], bandwidth: 64}
  - spatial: {name: row, size: 4, dims: [C]}
compute: {mvm_cycles: 1}
)";

TEST(MappingFile, ToleratesFactorsOfOneAndMissingAxes) {
  const auto architecture = parse_architecture(machine, "m.yaml");
  ASSERT_TRUE(architecture) << architecture.error().to_string();
  const std::vector<Layer> layers(1);
  const auto mappings = parse_mappings(R"({"temporal": [
      {"dim": "K", "factor": 1, "at": {"I": "dram", "W": "dram", "O": "dram"}},
      {"dim": "C", "factor": 2, "at": {"I": "buf", "W": "macro", "O": "buf"}}],
      "double_buffer": [{"memory": "buf", "operand": "I"}]})",
                                       "in.json", *architecture, layers);
  ASSERT_TRUE(mappings) << mappings.error().to_string();
  const auto& mapping = mappings->at(0);
  ASSERT_EQ(mapping.loops.size(), 1U);
  EXPECT_EQ(mapping.loops[0].dim, Dim::C);
  EXPECT_EQ(mapping.spatial[0], unit_extents);
  EXPECT_TRUE(mapping.double_buffered[1].contains(Operand::I));

  const Json list = Json::array({mapping_to_json(mapping, *architecture)});
  const auto again = parse_mappings(to_text(list), "again.json", *architecture, layers);
  ASSERT_TRUE(again) << again.error().to_string();
  EXPECT_EQ(again->at(0), mapping);
}

TEST(MappingFile, RequiresOneMappingPerLayer) {
  const auto architecture = parse_architecture(machine, "m.yaml");
  ASSERT_TRUE(architecture);
  const std::vector<Layer> layers(2);
  const auto mappings = parse_mappings("[{}, {}, {}]", "in.json", *architecture, layers);
  ASSERT_FALSE(mappings);
  EXPECT_EQ(mappings.error().to_string(), "in.json:1:1: 3 mappings for 2 layers, expected one per layer");
}

}  // namespace
}  // namespace nestor::io::mapping_file_test
