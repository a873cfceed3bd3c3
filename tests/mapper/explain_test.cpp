// Tests of the bottleneck reports, on hand-made machines with one known bottleneck and on random tiny cases.
// Every claimed optimum of a changed machine is compared with brute force on that machine.
#include "mapper/cim/explain.h"

#include <gtest/gtest.h>

#include "model/cim/search/objective.h"
#include "model/cim/search/problem.h"
#include "model/loopnest/rules/legality.h"
#include "one_layer.h"
#include "support/brute_force.h"
#include "support/random_cases.h"

namespace nestor::mapper::explain_test {
namespace {

using Kind = Resource::Kind;

constexpr std::size_t dram = 0;
constexpr std::size_t buffer = 1;
constexpr std::size_t column = 1;

class Explanations : public OneLayer {
 protected:
  std::vector<LayerResource> explain() {
    map_ = map_layer(layer_, machine_, request_, resources_);
    EXPECT_EQ(map_.fault, Fault::none);
    EXPECT_EQ(map_.status, Status::optimal);
    return explain_layer(layer_, machine_, request_, map_, resources_);
  }

  // Sets up a machine with ample resources. Most tests then reduce one of them.
  void make_ample() {
    layer_.bounds = {1, 8, 8, 4, 4, 1, 1, 1};
    machine_ = machine_of(R"(
name: ample
hierarchy:
  - memory: {name: dram, operands: [I, W, O], bandwidth: 1048576, read_energy: 4, write_energy: 4}
  - memory: {name: buffer, operands: [I, O], capacity: 64 KiB, bandwidth: 1048576, double_buffer: true, read_energy: 1, write_energy: 1}
  - memory: {name: array, operands: [W], capacity: 64 KiB, bandwidth: 1048576}
  - memory: {name: lines, operands: [I], capacity: 64 KiB, bandwidth: 1048576, double_buffer: true, read_energy: 0.1, write_energy: 0.1}
  - memory: {name: sums, operands: [O], capacity: 64 KiB, bandwidth: 1048576, double_buffer: true, read_energy: 0.1, write_energy: 0.1}
  - spatial: {name: row, size: 8, dims: [C, R, S]}
  - spatial: {name: column, size: 8, dims: [K]}
compute: {mvm_cycles: 64}
)");
  }

  CimLayerMap map_;
};

const LayerResource& find(const std::vector<LayerResource>& reports, Kind kind, std::size_t place) {
  for (const auto& report : reports)
    if (report.resource.kind == kind && report.resource.place == place) return report;
  throw std::out_of_range("no such resource");
}

std::size_t count_binding(const std::vector<LayerResource>& reports) {
  return static_cast<std::size_t>(std::count_if(
      reports.begin(), reports.end(), [](const auto& report) { return report.binding == Binding::yes; }));
}

// 16 steps of 64 cycles, with all 64 products of a step in parallel. Only a faster array improves the
// latency, by nearly half.
TEST_F(Explanations, NameTheArrayOfAComputeBoundLayer) {
  make_ample();
  const auto reports = explain();
  const auto& compute = find(reports, Kind::compute, 0);
  EXPECT_EQ(compute.binding, Binding::yes);
  EXPECT_GT(compute.used.share, 0.99);
  EXPECT_EQ(compute.step->amount, 32);
  EXPECT_NEAR(compute.step->gain, 0.5, 0.01);
  for (const auto& report : reports)
    EXPECT_EQ(report.binding == Binding::yes, report.resource.kind == Kind::compute);
}

TEST_F(Explanations, NameTheLimitingBandwidth) {
  make_ample();
  machine_.mvm_cycles = 1;
  machine_.memories[dram].bandwidth = 8;
  const auto reports = explain();
  const auto& bandwidth = find(reports, Kind::bandwidth, dram);
  EXPECT_EQ(bandwidth.binding, Binding::yes);
  EXPECT_EQ(bandwidth.step->amount, 16);
  EXPECT_GT(bandwidth.step->gain, 0.4);
  EXPECT_GT(bandwidth.most->gain, bandwidth.step->gain);
  ASSERT_TRUE(bandwidth.used.busiest);
  EXPECT_EQ(find(reports, Kind::bandwidth, buffer).binding, Binding::no);
  EXPECT_EQ(count_binding(reports), 1U);
}

// The buffer holds only a part of the inputs, so they are read again from outside for further output
// channels.
TEST_F(Explanations, NameTheLimitingCapacity) {
  make_ample();
  layer_.bounds = {1, 64, 8, 16, 1, 1, 1, 1};
  request_.objective.kind = cim::ObjectiveKind::energy;
  machine_.memories[buffer].capacity = 96 * 8;  // inputs take 128 bytes; outputs take much more
  machine_.memories[2].capacity = 64 * 8;       // the weights of one step
  machine_.memories[3].capacity = 8 * 8;
  const auto reports = explain();
  EXPECT_EQ(find(reports, Kind::capacity, buffer).binding, Binding::yes);
  EXPECT_EQ(find(reports, Kind::compute, 0).binding, Binding::no);
  EXPECT_EQ(find(reports, Kind::bandwidth, dram).binding, Binding::no);
}

// The 12 output channels take two passes on 6 of 8 lanes. With 12 lanes, all channels run in parallel.
TEST_F(Explanations, StepToTwiceTheLanesOrToAllUsableLanes) {
  make_ample();
  layer_.bounds = {1, 12, 8, 4, 4, 1, 1, 1};
  const auto reports = explain();
  const auto& axis = find(reports, Kind::axis, column);
  EXPECT_DOUBLE_EQ(axis.used.share, 6.0 / 8);
  EXPECT_EQ(axis.step->amount, 12);
  EXPECT_EQ(axis.binding, Binding::yes);
  EXPECT_FALSE(find(reports, Kind::axis, 0).step);  // all of C is in parallel already
}

TEST_F(Explanations, ReportStepsThatALimitLeftOpen) {
  make_ample();
  layer_.bounds = {1, 96, 96, 24, 24, 3, 3, 1};
  machine_.memories[buffer].capacity = 8 * 1024;
  machine_.memories[dram].bandwidth = 64;
  map_ = map_layer(layer_, machine_, request_, resources_);
  request_.work_limit = 1;
  std::size_t open = 0;
  for (const auto& report : explain_layer(layer_, machine_, request_, map_, resources_)) {
    if (!report.step) continue;
    EXPECT_GE(report.step->gain, 0);
    if (report.step->status == Status::optimal) continue;
    EXPECT_EQ(report.step->status, Status::work_limit);
    EXPECT_EQ(report.binding, report.step->gain > 0 ? Binding::yes : Binding::unknown);
    EXPECT_LE(report.step->lower_bound.value(), report.step->best.objective);
    ++open;
  }
  EXPECT_GT(open, 0U);
}

// Regression case: the current mapping is better on some changed machines, but was reported without a gain.
TEST_F(Explanations, StateTheGainOfTheCurrentMappingIfTimeIsOver) {
  make_ample();
  map_ = map_layer(layer_, machine_, request_, resources_);
  const double before = map_.best.front().objective;
  auto over = resources_;
  over.deadline = Resources::Clock::now();
  int gains = 0;
  for (const auto& report : explain_layer(layer_, machine_, request_, map_, over)) {
    if (!report.most) continue;
    EXPECT_EQ(report.most->status, Status::time_limit);
    EXPECT_NEAR(report.most->gain, (before - report.most->best.objective) / before, 1e-9);
    gains += report.most->gain > 0 ? 1 : 0;
  }
  EXPECT_GT(gains, 0);
}

TEST_F(Explanations, RespectTheFixedMinimumOfLanes) {
  make_ample();
  layer_.bounds = {1, 12, 8, 4, 4, 1, 1, 1};
  request_.constraints.min_utilisation[column] = 0.75;  // at least six lanes, even on an axis of twelve
  request_.constraints.axis_factors[column][index_of(Dim::K)] = 6;
  const auto reports = explain();
  EXPECT_FALSE(find(reports, Kind::axis, column).step);
  for (const auto& report : reports)
    EXPECT_EQ(report.step ? report.step->status : Status::optimal, Status::optimal);
}

std::optional<double> brute_force(const LayerShape& layer, const Architecture& machine,
                                  const cim::CimObjective& objective, std::uint64_t limit = 12'000) {
  const auto resolved = cim::make_problem(layer, machine, objective).objective;
  double best = no_cost;
  const bool complete = nestor::tests::for_each_mapping(layer, machine, limit, [&](const Mapping& mapping) {
    best = std::min(best, cim::objective_value(resolved, cim::evaluate(layer, machine, mapping), machine));
  });
  return complete ? std::optional(best) : std::nullopt;
}

// Every optimum after a change equals the minimum over all mappings onto the changed machine. No change
// increases the optimum.
TEST(ExplanationsOfRandomCases, EqualBruteForceOnTheChangedMachine) {
  const auto executor = make_executor(ExecutorKind::std_thread, 2);
  MemoryBudget memory(std::size_t{1} << 30);
  const Resources resources{*executor, memory};
  std::size_t compared = 0;
  std::array<std::size_t, 4> binding{};
  for (std::uint64_t seed = 1; compared < 1500; ++seed) {
    const auto sample = nestor::tests::random_case(
        seed + 5'000'000, {.max_steps = 24, .max_loops = 3, .graded = seed % 4 != 0});
    SCOPED_TRACE(sample.describe());
    const Architecture& machine = sample.architecture.machine;
    CimRequest request;
    request.objective.kind = static_cast<cim::ObjectiveKind>(seed % 4);
    request.objective.latency_model = seed % 2 == 0 ? cim::LatencyModel::stall : cim::LatencyModel::miredo;
    if (request.objective.kind == cim::ObjectiveKind::eq14) request.objective.additive_weight = 0.05;
    if (!brute_force(sample.layer, machine, request.objective, 5'000)) continue;
    const auto map = map_layer(sample.layer, machine, request, resources);
    ASSERT_EQ(map.status, Status::optimal);
    const double before = map.best.front().objective;
    for (const auto& report : explain_layer(sample.layer, machine, request, map, resources)) {
      for (const auto* change : {&report.step, &report.most}) {
        if (!*change) continue;
        Architecture changed = machine;
        amount_of(report.resource, changed) = (*change)->amount;
        const auto best = brute_force(sample.layer, changed, request.objective);
        if (!best) continue;
        ++compared;
        const double tolerance = 1e-9 * std::max(std::abs(*best), std::abs(before));
        EXPECT_EQ((*change)->status, Status::optimal);
        EXPECT_NEAR((*change)->best.objective, *best, tolerance);
        EXPECT_GE((*change)->gain, 0);
        EXPECT_NEAR((*change)->gain * std::abs(before), before - *best, 2 * tolerance);
        EXPECT_FALSE(find_violation(sample.layer, changed, (*change)->best.mapping));
      }
      if (!report.most) {  // the report claims that no amount helps
        Architecture changed = machine;
        const Int now = amount_of(report.resource, machine);
        amount_of(report.resource, changed) = report.resource.kind == Kind::compute ? 1 : 16 * now;
        const auto best = brute_force(sample.layer, changed, request.objective);
        EXPECT_NEAR(best.value_or(before), before, 1e-9 * std::abs(before));
      }
      binding[static_cast<std::size_t>(report.binding)]++;
    }
    if (::testing::Test::HasFailure()) return;
  }
  std::printf("%zu optima compared; binding: no %zu, later %zu, yes %zu\n", compared, binding[0], binding[1],
              binding[2]);
  for (const auto kind : {Binding::no, Binding::later, Binding::yes})
    EXPECT_GT(binding[static_cast<std::size_t>(kind)], 10U);
  EXPECT_EQ(binding[static_cast<std::size_t>(Binding::unknown)], 0U);
}

}  // namespace
}  // namespace nestor::mapper::explain_test
