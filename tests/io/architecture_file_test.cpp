// Tests of the reader and the writer of CIM architecture files: keys, estimated figures, errors, and files
// that are read back unchanged.
#include "io/cim/architecture_file.h"

#include <gmock/gmock.h>

#include "io/part_costs.h"
#include "places.h"
#include "support/reference_data.h"

namespace nestor::io::architecture_file_test {
namespace {

// The example of docs/formats.md, "Architecture".
constexpr const char* table4 = R"(
name: miredo-table4
kind: cim
hierarchy:
  - memory: {name: dram, operands: [I, W, O], bandwidth: 64}          # no capacity: unlimited
  - memory: {name: gbuf, operands: [I, W, O], capacity: 256 KiB, bandwidth: 256, double_buffer: true}
  - spatial: {name: core, size: 8, dims: [N, K, P, Q]}
  - memory: {name: lbuf, operands: [I, O], capacity: 8 KiB, bandwidth: 128, double_buffer: true}
  - memory: {name: ireg, operands: [I], capacity: 2048, bandwidth: 1024, double_buffer: true}
  - memory: {name: oreg, operands: [O], capacity: 2048, bandwidth: 1024, double_buffer: true}
  - memory: {name: macro, operands: [W], capacity: 32768, bandwidth: 256}
  - spatial: {name: row, size: 128, dims: [C, R, S]}
  - spatial: {name: column, size: 32, dims: [K]}
compute: {mvm_cycles: 8}
)";

TEST(ArchitectureFile, ReadsTheExampleOfTheContract) {
  const auto read = parse_architecture(table4, "table4.yaml");
  ASSERT_TRUE(read) << read.error().to_string();
  const auto& machine = read->machine;
  EXPECT_EQ(read->name, "miredo-table4");
  EXPECT_THAT(read->memory_names, ::testing::ElementsAre("dram", "gbuf", "lbuf", "ireg", "oreg", "macro"));
  EXPECT_THAT(read->axis_names, ::testing::ElementsAre("core", "row", "column"));
  EXPECT_EQ(machine.memories[0].capacity, unlimited_capacity);
  EXPECT_EQ(machine.memories[1].capacity, 256 * 1024 * 8);
  EXPECT_EQ(machine.memories[2].axes_above, 1);
  EXPECT_EQ(machine.memories[5].axes_above, 1);
  EXPECT_TRUE(machine.memories[3].double_buffer);
  EXPECT_FALSE(machine.memories[5].double_buffer);
  EXPECT_EQ(machine.axes[1].dims, DimSet::of(Dim::C, Dim::R, Dim::S));
  EXPECT_EQ(machine.mvm_cycles, 8);
}

TEST(ArchitectureFile, RoundTripsUnchanged) {
  const auto read = parse_architecture(table4, "table4.yaml");
  ASSERT_TRUE(read);
  const auto again = parse_architecture(to_text(architecture_to_json(*read)), "again.json");
  ASSERT_TRUE(again) << again.error().to_string();
  EXPECT_EQ(again->machine, read->machine);
  EXPECT_EQ(again->memory_names, read->memory_names);
  EXPECT_EQ(again->axis_names, read->axis_names);
}

constexpr const char* estimated = R"(
name: estimated
hierarchy:
  - memory: {name: home, operands: [I, W, O], bandwidth: 64, read_energy: auto, write_energy: 3, area: auto}
  - memory: {name: fit, operands: [I, W, O], capacity: 256 KiB, bandwidth: 128, read_energy: auto, write_energy: auto, area: auto}
  - spatial: {name: core, size: 4, dims: [K]}
  - memory: {name: small, operands: [I, W, O], capacity: 64 KiB, bandwidth: 32, read_energy: auto, area: 0.5}
compute: {mvm_cycles: 1, area: 0.25}
technology: {energy: 2, area: 3}
)";

TEST(ArchitectureFile, AutoFollowsCapacityAndBandwidth) {
  const auto read = parse_architecture(estimated, "estimated.yaml");
  ASSERT_TRUE(read) << read.error().to_string();
  const auto& memories = read->machine.memories;
  EXPECT_DOUBLE_EQ(memories[0].read_energy, 2 * 8);
  EXPECT_DOUBLE_EQ(memories[0].write_energy, 3);
  EXPECT_DOUBLE_EQ(memories[1].read_energy, 2 * 0.198);
  EXPECT_DOUBLE_EQ(memories[1].write_energy, 2 * 0.143);
  EXPECT_NEAR(memories[2].read_energy, 2 * 0.198 * 0.4665165 * 1.9, 1e-7);  // (1/4)^0.55, 0.7 + 0.3 * 4
  EXPECT_EQ(memories[2].write_energy, 0);
  const auto area = total_area(read->machine, *read);
  ASSERT_TRUE(area);
  EXPECT_DOUBLE_EQ(*area, 3 * 0.802 + 4 * 0.5 + 4 * 0.25);
  EXPECT_EQ(estimates_text(*read), "home, fit, small: estimated, 28 nm fit");
}

TEST(ArchitectureFile, EstimatesReadBackAsTheirFigures) {
  const auto read = parse_architecture(estimated, "estimated.yaml");
  ASSERT_TRUE(read);
  const auto again = parse_architecture(to_text(architecture_to_json(*read)), "again.json");
  ASSERT_TRUE(again) << again.error().to_string();
  EXPECT_EQ(again->machine, read->machine);
  EXPECT_EQ(again->memory_costs, read->memory_costs);
  EXPECT_EQ(again->compute_area, read->compute_area);
}

TEST(ArchitectureFile, OmitsTheTotalIfAnAreaIsMissing) {
  std::string text = estimated;
  text.replace(text.find(", area: 0.25"), 12, "");
  const auto read = parse_architecture(text, "estimated.yaml");
  ASSERT_TRUE(read);
  EXPECT_FALSE(total_area(read->machine, *read));
}

TEST(ArchitectureFile, AllMeansEveryDimensionExceptGroups) {
  std::string text = table4;
  text.replace(text.find("[N, K, P, Q]"), 12, "all");
  const auto read = parse_architecture(text, "all.yaml");
  ASSERT_TRUE(read) << read.error().to_string();
  for (const auto dim : all_dims) EXPECT_EQ(read->machine.axes[0].dims.contains(dim), dim != Dim::G);
}

TEST(ArchitectureFile, NamesTheKindOfAForeignKey) {
  for (const std::string key : {"row", "banks", "activation_cycles", "activation_energy", "ports",
                                "read_bandwidth", "write_bandwidth", "access_latency", "reduction_latency",
                                "dim_once", "blocks", "vaults", "units", "layouts"}) {
    const auto read = parse_architecture(key + ": 1" + table4, "foreign.yaml");
    ASSERT_FALSE(read) << key;
    EXPECT_EQ(read.error().to_string(), "foreign.yaml:1:1: key '" + key +
                                            "' belongs to kind 'pim', but this architecture has kind 'cim'");
  }
}

TEST(ArchitectureFile, AgreesWithTheReferenceFiles) {
  for (const std::string name : {"miredo-default", "miredo-transformer", "miredo-table4"}) {
    const auto path = std::string(NESTOR_SHARED_DIR) + "/data/cim/" + name + ".json";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no reference data at " << path;
    const auto read = read_architecture(path);
    ASSERT_TRUE(read) << read.error().to_string();
    const auto reference = tests::load_reference_architecture(name);
    EXPECT_EQ(read->machine, reference.machine);
    EXPECT_EQ(read->memory_names, reference.memory_names);
    EXPECT_EQ(read->axis_names, reference.axis_names);
  }
}

}  // namespace
}  // namespace nestor::io::architecture_file_test
