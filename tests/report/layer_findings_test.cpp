// Tests of the conversion of a mapper's findings to the records of a result's layers. The mappings of this
// test space are numbers.
#include "report/layer_findings.h"

#include <gtest/gtest.h>

#include <limits>

#include "mapper/loopnest/explain_resource.h"
#include "mapper/loopnest/layer_map.h"

namespace nestor::report::layer_findings_test {
namespace {

using Mapped = mapper::MappedNest<int, int>;
using Report = mapper::SearchedReport<Mapped>;

struct Point {
  std::optional<double> objective;
  int mapping = 0;
};

struct Machine {
  std::vector<std::string> memory_names = {"dram", "buffer"};
  std::vector<std::string> axis_names = {"rows"};
};

Mapped mapped(int mapping, double objective) {
  Mapped made;
  made.mapping = mapping;
  made.objective = objective;
  return made;
}

Point point_of(const Mapped& mapped) { return {mapped.objective, mapped.mapping}; }

TEST(LayerFindings, HaveTheBestFirstAndAFrontWithoutObjectives) {
  mapper::NestMap<Mapped> map;
  map.status = Status::time_limit;
  map.bound = 3;
  map.best = {mapped(1, 4), mapped(2, 5)};
  map.front = {mapped(3, 4)};
  map.search.counts.expanded = 7;
  io::LayerFindings<Point> record;
  set_findings(record, map, point_of);
  EXPECT_EQ(record.status, Status::time_limit);
  EXPECT_EQ(record.lower_bound, 3);
  EXPECT_EQ(record.best.mapping, 1);
  EXPECT_EQ(record.best.objective, 4);
  ASSERT_EQ(record.alternatives.size(), 1U);
  EXPECT_EQ(record.alternatives[0].mapping, 2);
  EXPECT_EQ(record.alternatives[0].objective, 5);
  ASSERT_EQ(record.front.size(), 1U);
  EXPECT_EQ(record.front[0].mapping, 3);
  EXPECT_FALSE(record.front[0].objective);
  EXPECT_EQ(record.search->nodes(), 7);
}

TEST(LayerFindings, OmitTheStatusOfBaselines) {
  mapper::NestMap<Mapped> map;
  map.heuristic = true;
  io::LayerFindings<Point> record;
  set_findings(record, map, point_of);
  EXPECT_FALSE(record.status);
  EXPECT_TRUE(record.search);
}

TEST(LayerFindings, NameResourcesAndOmitInfiniteBounds) {
  mapper::SearchedChange<Mapped> step;
  step.amount = 8;
  step.best = mapped(5, 2);
  step.lower_bound = 1;
  step.gain = 0.5;
  auto most = step;
  most.amount = 9;
  most.lower_bound = -std::numeric_limits<double>::infinity();
  const std::vector<Report> reports = {
      {{Resource::Kind::axis, 0}, 4, {0.25, Operand::W}, step, most, Binding::yes},
      {{Resource::Kind::capacity, 1}, 64, {0.5}, std::nullopt, std::nullopt, Binding::no},
      {{Resource::Kind::compute, 0}, 2, {1}, std::nullopt, std::nullopt, Binding::later}};
  io::LayerFindings<Point> record;
  set_resources(record, reports, Machine(),
                [](const Resource&, const auto& change) { return point_of(change.best); });
  ASSERT_EQ(record.resources.size(), 3U);
  const auto& axis = record.resources[0];
  EXPECT_EQ(axis.resource.name, "rows");
  EXPECT_EQ(axis.amount, 4);
  EXPECT_EQ(axis.used.busiest, Operand::W);
  EXPECT_EQ(axis.binding, Binding::yes);
  EXPECT_EQ(axis.step->amount, 8);
  EXPECT_EQ(axis.step->best.mapping, 5);
  EXPECT_EQ(axis.step->lower_bound, 1);
  EXPECT_EQ(axis.step->gain, 0.5);
  EXPECT_EQ(axis.most->amount, 9);
  EXPECT_FALSE(axis.most->lower_bound);
  EXPECT_EQ(record.resources[1].resource.name, "buffer");
  EXPECT_FALSE(record.resources[1].step);
  EXPECT_EQ(record.resources[2].resource.name, "");
}

}  // namespace
}  // namespace nestor::report::layer_findings_test
