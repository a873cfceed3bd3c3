// Tests that the JSON of all verbs conforms to the shipped schemas, including the JSON of errors and
// heuristics.
#include <gtest/gtest.h>

#include <map>

#include "cli/tool_folder.h"
#include "support/schema_check.h"

namespace nestor::output_schema_test {
namespace {

class OutputSchema : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  // Runs the tool and returns the JSON that it writes to standard output.
  nlohmann::json json_of(const std::string& arguments, int expected_status = 0) const {
    EXPECT_EQ(folder_.run(arguments + " --json"), expected_status) << arguments;
    return file("out");
  }
  nlohmann::json file(const std::string& name) const {
    auto json = nlohmann::json::parse(folder_.text(name), nullptr, false);
    EXPECT_FALSE(json.is_discarded()) << name;
    return json;
  }

 private:
  ToolFolder folder_;
};

TEST_F(OutputSchema, CoversMappingsAndTheirVerification) {
  for (const auto* method : {"optimal", "weight-stationary-greedy", "sampled"}) {
    const auto result =
        json_of(std::string("map mlperf-tiny-autoencoder --arch miredo-table4 --method ") + method);
    EXPECT_EQ(tests::check_schema("result.schema.json", result), "") << method;
    for (const auto& layer : result.at("layers")) {
      EXPECT_EQ(layer.contains("status"), std::string(method) == "optimal");
      EXPECT_EQ(layer.contains("lower_bound"), std::string(method) == "optimal");
    }
    write("result.json", result.dump());
    const auto verification = json_of("verify result.json");
    EXPECT_EQ(tests::check_schema("verification.schema.json", verification), "");
    EXPECT_EQ(verification.at("confirmed"), true);
    EXPECT_EQ(tests::check_schema("result.schema.json", json_of("evaluate result.json")), "");
    EXPECT_EQ(tests::check_schema("result.schema.json", json_of("simulate result.json")), "");
  }
}

TEST_F(OutputSchema, CoversBoundsBeforeTheSearch) {
  for (const std::string objective : {"latency --latency-model miredo", "latency", "energy", "eq14"}) {
    const auto bounds =
        json_of("map mlperf-tiny-autoencoder --arch miredo-default --bound-only --objective " + objective);
    EXPECT_EQ(tests::check_schema("bounds.schema.json", bounds), "") << objective;
    for (const auto& layer : bounds.at("layers"))
      EXPECT_NE(layer.contains("programs"), objective == "latency --latency-model miredo");
  }
}

TEST_F(OutputSchema, CoversSchedulesAndTheirVerification) {
  write("adder.blif",
        ".model adder\n.inputs a b c\n.outputs sum carry\n.names a b c sum\n100 1\n010 1\n001 1\n111 1\n"
        ".names a b c carry\n11- 1\n1-1 1\n-11 1\n.end\n");
  const auto result = json_of("schedule adder.blif --rows 4 --method masim --output schedule.txt");
  EXPECT_EQ(tests::check_schema("schedule.schema.json", result), "");
  const auto confirmed = json_of("verify schedule.txt --netlist adder.blif");
  EXPECT_EQ(tests::check_schema("verification.schema.json", confirmed), "");
  EXPECT_EQ(confirmed.at("confirmed"), true);
  write("other.blif",
        ".model other\n.inputs a b c\n.outputs sum carry\n.names a sum\n1 1\n.names b carry\n1 1\n.end\n");
  const auto refuted = json_of("verify schedule.txt --netlist other.blif", 7);
  EXPECT_EQ(tests::check_schema("verification.schema.json", refuted), "");
  EXPECT_EQ(refuted.at("confirmed"), false);
}

TEST_F(OutputSchema, CoversSchedulesUnderLimits) {
  write("adder.blif",
        ".model adder\n.inputs a b c\n.outputs sum carry\n.names a b c sum\n100 1\n010 1\n001 1\n111 1\n"
        ".names a b c carry\n11- 1\n1-1 1\n-11 1\n.end\n");
  for (const std::string method : {"nestor --planned-work 1000", "exact", "masim --recompute"})
    EXPECT_EQ(tests::check_schema("schedule.schema.json",
                                  json_of("schedule adder.blif --rows 4 --time-limit 5 --method " + method)),
              "")
        << method;
}

TEST_F(OutputSchema, CoversCompiledNetworks) {
  for (const std::string asked : {"--levels cg", "--method cim-mlc",
                                  "--objective peak-power --levels cg --limit latency=9000 --work-limit 1"}) {
    const auto result = json_of("compile vgg7 --arch isaac-table3 " + asked, asked.ends_with("1") ? 1 : 0);
    EXPECT_EQ(tests::check_schema("compile.schema.json", result), "") << asked;
    write("result.json", result.dump());
    EXPECT_EQ(tests::check_schema("compile.schema.json", json_of("evaluate result.json")), "");
    EXPECT_EQ(tests::check_schema("compile.schema.json", json_of("simulate result.json")), "");
    const auto verification = json_of("verify result.json");
    EXPECT_EQ(tests::check_schema("verification.schema.json", verification), "");
    EXPECT_EQ(verification.at("confirmed"), true);
  }
}

TEST_F(OutputSchema, CoversPimMappings) {
  write("net.yaml", "name: net\nlayers:\n  - {name: one, dims: {K: 16, C: 8, P: 4}}\n");
  for (const std::string asked :
       {"--top 2 --explain", "--objective pareto", "--fix-bypass", "--method sampled"}) {
    const auto result = json_of("map net.yaml --arch pim-default " + asked);
    EXPECT_EQ(tests::check_schema("pim-result.schema.json", result), "") << asked;
    write("result.json", result.dump());
    const auto verification = json_of("verify result.json");
    EXPECT_EQ(tests::check_schema("verification.schema.json", verification), "") << asked;
    EXPECT_EQ(verification.at("confirmed"), true) << asked;
    if (asked == "--objective pareto") continue;
    EXPECT_EQ(tests::check_schema("pim-result.schema.json", json_of("evaluate result.json")), "") << asked;
    EXPECT_EQ(tests::check_schema("pim-result.schema.json", json_of("simulate result.json")), "") << asked;
  }
}

TEST_F(OutputSchema, CoversCnmKernels) {
  write("gemv.mlir",
        "func.func @gemv(%A: memref<64x96xi32>, %x: memref<96xi32>, %y: memref<64xi32>) {\n"
        "  linalg.matvec ins(%A, %x : memref<64x96xi32>, memref<96xi32>) outs(%y : memref<64xi32>)\n  "
        "return\n}\n");
  write("net.yaml",
        "name: net\nlayers:\n  - {name: one, dims: {K: 64, C: 32}}\n  - {name: conv, dims: {K: 16, C: 32, P: "
        "4, R: 3}}\n");
  for (const std::string asked :
       {"map gemv.mlir --arch upmem --top 2 --explain", "map net.yaml --arch upmem",
        "map net.yaml --arch hbm3-pim --dtype f16",
        "estimate va --arch upmem-400 --dims iterations=9,buffer_elems=64", "simulate add --arch hbm-pim"}) {
    const auto result = json_of(asked);
    EXPECT_EQ(tests::check_schema("cnm-result.schema.json", result), "") << asked;
    write("result.json", result.dump());
    EXPECT_EQ(tests::check_schema("cnm-result.schema.json", json_of("evaluate result.json")), "") << asked;
    EXPECT_EQ(tests::check_schema("cnm-result.schema.json", json_of("simulate result.json")), "") << asked;
    const auto verification = json_of("verify result.json");
    EXPECT_EQ(tests::check_schema("verification.schema.json", verification), "") << asked;
    EXPECT_EQ(verification.at("confirmed"), true) << asked;
  }
}

TEST_F(OutputSchema, CoversCnmPrograms) {
  write(
      "chain.mlir",
      "func.func @f(%x: tensor<16x64xi32>, %w: tensor<64x32xi32>, %o: tensor<16x32xi32>) -> "
      "tensor<16x32xi32> {\n"
      "  %0 = linalg.matmul ins(%x, %w : tensor<16x64xi32>, tensor<64x32xi32>) outs(%o : tensor<16x32xi32>) "
      "-> tensor<16x32xi32>\n"
      "  %1 = linalg.add ins(%0, %0 : tensor<16x32xi32>, tensor<16x32xi32>) outs(%o : tensor<16x32xi32>) -> "
      "tensor<16x32xi32>\n  return %1 : tensor<16x32xi32>\n}\n");
  for (const std::string asked : {"map chain.mlir --arch upmem,hbm-pim,host",
                                  "evaluate chain.mlir --arch upmem --mapping placed.json"}) {
    const auto result = json_of(asked);
    EXPECT_EQ(tests::check_schema("cnm-result.schema.json", result), "") << asked;
    write("result.json", result.dump());
    const auto verification = json_of("verify result.json");
    EXPECT_EQ(tests::check_schema("verification.schema.json", verification), "") << asked;
    EXPECT_EQ(verification.at("confirmed"), true) << asked;
    if (asked.starts_with("map")) write("placed.json", json_of("map chain.mlir --arch upmem").dump());
  }
}

TEST_F(OutputSchema, CoversComparisonsWithBaselines) {
  write("net.yaml", "name: net\nlayers:\n  - {name: one, dims: {K: 16, C: 8, P: 4}}\n");
  write("baseline.json", json_of("map net.yaml --arch miredo-table4").dump());
  EXPECT_EQ(tests::check_schema("check.schema.json", json_of("check baseline.json")), "");
}

TEST_F(OutputSchema, CoversLinearPrograms) {
  const auto check = [&](const std::string& row, const std::string& status, int exit) {
    write("program.lp", "minimize\n obj: x + y\nsubject to\n c1: " + row + "\nbounds\n x free\nend\n");
    const auto json = json_of("lp program.lp", exit);
    EXPECT_EQ(tests::check_schema("lp.schema.json", json), "") << row;
    EXPECT_EQ(json.at("status"), status);
  };
  check("x + y >= 2", "optimal", 0);
  check("x + y <= 2", "unbounded", 4);
  check("0 x >= 2", "infeasible", 4);
}

TEST_F(OutputSchema, CoversShownInputs) {
  EXPECT_EQ(tests::check_schema("architecture.schema.json", json_of("show miredo-table4")), "");
  EXPECT_EQ(tests::check_schema("layers.schema.json", json_of("show resnet18")), "");
  EXPECT_EQ(tests::check_schema("pim-architecture.schema.json", json_of("show pim-default")), "");
  EXPECT_EQ(tests::check_schema("catalogue.schema.json", json_of("show --list")), "");
  // Shows everything that is shipped, and checks the JSON against the schema of its format.
  const std::map<std::string, std::string> schemas = {{"architecture, chip", "chip-architecture.schema.json"},
                                                      {"architecture, cnm", "cnm-architecture.schema.json"},
                                                      {"architecture, pim", "pim-architecture.schema.json"},
                                                      {"architecture, cim", "architecture.schema.json"},
                                                      {"network", "layers.schema.json"}};
  std::size_t chip_networks = 0;
  for (const auto& thing : json_of("show --list")) {
    const std::string name = thing.at("name");
    const auto json = json_of("show " + name);
    EXPECT_EQ(tests::check_schema("shown.schema.json", json), "") << name;
    // If a name refers both to a network of layers and to a chip network, show prints the layers.
    const auto schema = schemas.find(thing.at("what").get<std::string>());
    if (schema != schemas.end()) {
      EXPECT_EQ(tests::check_schema(schema->second, json), "") << name;
    } else if (json.contains("operators")) {
      EXPECT_EQ(tests::check_schema("chip-network.schema.json", json), "") << name;
      ++chip_networks;
    }
  }
  EXPECT_GT(chip_networks, 3U);
  EXPECT_EQ(tests::check_schema("shown.schema.json", json_of("show upmem isaac-table3 resnet18")), "");
}

TEST_F(OutputSchema, CoversShownKernelsAndPrograms) {
  write("gemv.mlir",
        "func.func @gemv(%A: memref<64x96xi32>, %x: memref<96xi32>, %y: memref<64xi32>) {\n"
        "  linalg.matvec ins(%A, %x : memref<64x96xi32>, memref<96xi32>) outs(%y : memref<64xi32>)\n  "
        "return\n}\n");
  for (const std::string as : {"mlir", "cnm", "llvcnm"}) {
    const auto kernel = json_of("show gemv.mlir --as " + as);
    EXPECT_EQ(tests::check_schema("kernel.schema.json", kernel), "") << as;
    EXPECT_EQ(tests::check_schema("shown.schema.json", kernel), "") << as;
  }
  json_of("compile vgg7 --arch isaac-table3 --levels cg --output program.txt");
  const auto program = json_of("show program.txt");
  EXPECT_EQ(tests::check_schema("chip-program.schema.json", program), "");
  EXPECT_EQ(tests::check_schema("shown.schema.json", program), "");
  write("mapped.json", json_of("map mlperf-tiny-autoencoder --arch miredo-table4").dump());
  EXPECT_EQ(tests::check_schema("shown.schema.json", json_of("show mapped.json gemv.mlir")), "");
}

TEST_F(OutputSchema, CoversTimelines) {
  const auto check = [&](const std::string& verb) {
    json_of(verb + " --trace trace.json");
    const auto trace = file("trace.json");
    EXPECT_EQ(tests::check_schema("trace.schema.json", trace), "") << verb;
    EXPECT_GT(trace.at("traceEvents").size(), 10U) << verb;
  };
  write("mapped.json", json_of("map mlperf-tiny-dscnn --arch miredo-table4 --layer conv1").dump());
  check("simulate mapped.json --layer conv1");
  write("compiled.json", json_of("compile vgg7 --arch isaac-table3 --method cim-mlc").dump());
  check("simulate compiled.json");
  check("estimate va --arch upmem --dims iterations=9,buffer_elems=64");
}

}  // namespace
}  // namespace nestor::output_schema_test
