// Tests of the pim space against reference cases: every figure of their evaluations, and their proved optima.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "io/layer_file.h"
#include "mapper/pim/map_layer.h"
#include "model/pim/legality.h"
#include "places.h"
#include "report/results/pim/result_file.h"

namespace nestor::tests::pim_reference_test {
namespace {

io::Json reference(const std::string& name) {
  const auto path = std::filesystem::path(NESTOR_SHARED_DIR) / "data" / "pim" / name;
  if (!std::filesystem::exists(path)) return {};
  return io::Json::parse(io::read_file(path).value());
}

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b)); }

// Expects that `found` has every figure of `wanted`; figures that are zero may be missing from `found`.
void expect_figures(const io::Json& wanted, const io::Json& found, const std::string& where) {
  for (const auto& [key, value] : wanted.items()) {
    const auto place = where + "/" + key;
    if (value.is_object()) {
      expect_figures(value, found.contains(key) ? found.at(key) : io::Json::object(), place);
    } else if (value.is_number()) {
      const double got = found.contains(key) ? found.at(key).get<double>() : 0.0;
      EXPECT_TRUE(close(got, value.get<double>())) << place << ": " << got << ", expected " << value;
    } else {
      EXPECT_EQ(found.at(key), value) << place;
    }
  }
}

struct Case {
  io::pim::NamedPimMachine machine;
  Layer layer;
  pim::PimMapping mapping;
};

Case read_case(const io::Json& json) {
  Case read;
  read.machine = io::pim::parse_machine(json.at("architecture").dump(), "architecture").value();
  io::Json layers = {{"name", "reference"}, {"layers", io::Json::array({json.at("layer")})}};
  if (!layers["layers"][0].contains("name")) layers["layers"][0]["name"] = "layer";
  read.layer = io::parse_layers(layers.dump(), "layer").value().layers.front();
  read.mapping =
      io::pim::parse_mappings(json.at("mapping").dump(), "mapping", read.machine, std::span(&read.layer, 1))
          .value()[0];
  return read;
}

void check_evaluations(const std::string& file) {
  const auto cases = reference(file);
  if (cases.is_null()) GTEST_SKIP() << "no reference data";
  pim::RowCounter rows;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    auto [machine, layer, mapping] = read_case(cases[i]);
    pim::normalise(mapping, layer.shape, machine.machine);
    ASSERT_FALSE(find_violation(layer.shape, machine.machine, mapping)) << file << " " << i;
    const auto evaluation = pim::evaluate(layer.shape, machine.machine, mapping, rows);
    expect_figures(cases[i].at("evaluation"), io::pim::evaluation_to_json(evaluation, mapping, machine),
                   file + " " + std::to_string(i));
  }
}

TEST(PimReference, EvaluatesTheTinyCases) { check_evaluations("tiny.json"); }
TEST(PimReference, EvaluatesMixedLayouts) { check_evaluations("layouts.json"); }

TEST(PimReference, ProvesTheTinyOptima) {
  const auto cases = reference("tiny.json");
  if (cases.is_null()) GTEST_SKIP() << "no reference data";
  mapper::pim::PimRequest request;
  request.layouts = pim::LayoutSet::of(pim::LayoutKind::sequential, pim::LayoutKind::row_aligned);
  for (const auto& json : cases) {
    const auto [machine, layer, mapping] = read_case(json);
    MemoryBudget memory(std::size_t{1} << 30U);
    const auto executor = make_executor(ExecutorKind::serial, 1);
    const auto map = map_layer(layer.shape, machine.machine, request, {*executor, memory});
    ASSERT_EQ(map.status, Status::optimal);
    ASSERT_FALSE(map.best.empty());
    EXPECT_TRUE(
        close(map.best.front().objective, json.at("proved_optimal").at("latency_cycles").get<double>()));
  }
}

}  // namespace
}  // namespace nestor::tests::pim_reference_test
