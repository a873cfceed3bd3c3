// Tests of a single bypass table for several layers. Brute force tries all tables, and all mappings of every
// layer under each table.
#include "mapper/pim/one_table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/pim/boundaries.h"
#include "model/pim/legality.h"
#include "model/pim/search/admission.h"
#include "support/pim_cases.h"
#include "support/setting.h"

namespace nestor::tests::one_table_test {
namespace {

using pim::StoredPairs;

std::vector<StoredPairs> all_tables(const pim::PimMachine& machine) {
  std::vector<StoredPairs> tables(1);
  for (std::size_t m = 0; m < machine.memories.size(); ++m)
    for (const Operand operand : all_operands) {
      if (!machine.memories[m].operands.contains(operand) || m == machine.home(operand) ||
          m == machine.innermost(operand))
        continue;
      const std::size_t count = tables.size();
      for (std::size_t i = 0; i < count; ++i) {
        tables.push_back(tables[i]);
        tables.back()[m].insert(operand);
      }
    }
  return tables;
}

bool stays_within(const pim::PimNest& nest, const pim::PimMachine& machine, const StoredPairs& table) {
  for (std::size_t m = 0; m < machine.memories.size(); ++m)
    for (const Operand operand : all_operands)
      if (machine.memories[m].operands.contains(operand) && m != machine.home(operand) &&
          m != machine.innermost(operand) && nest.used(m, operand) && !table[m].contains(operand))
        return false;
  return true;
}

// Returns the least cost of one layer under every table; nullopt if the layer has too many mappings.
std::optional<std::vector<double>> least_costs(const LayerShape& layer, const pim::PimMachine& machine,
                                               const std::vector<StoredPairs>& tables,
                                               const mapper::pim::PimRequest& request) {
  const auto problem = pim::make_problem(layer, machine, request.objective, request.layouts);
  std::vector<double> costs(tables.size(), no_cost);
  pim::RowCounter rows;
  const bool complete = each_pim_mapping({layer, machine}, 3000, [&](const pim::PimMapping& found) {
    for (std::size_t t = 0; t < tables.size(); ++t) {
      pim::PimMapping mapping = found;
      if (!stays_within(pim::PimNest(layer, machine, mapping), machine, tables[t])) continue;
      mapping.stored = tables[t];
      if (find_violation(layer, machine, mapping)) continue;
      choose_layouts(problem, mapping, rows);
      const auto evaluation = pim::evaluate(layer, machine, mapping, rows);
      costs[t] = std::min(costs[t], objective_value(request.objective, evaluation));
    }
  });
  return complete ? std::optional(costs) : std::nullopt;
}

TEST(OneTable, MinimisesTheSumOverAllLayers) {
  const std::uint64_t cases = setting("NESTOR_PIM_CASES", setting("NESTOR_EXACTNESS_CASES", 40));
  const std::uint64_t seed = setting("NESTOR_PIM_SEED", 1);
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{1} << 30U);
  const mapper::pim::Resources resources{*executor, memory};
  std::uint64_t compared = 0;
  std::uint64_t infeasible = 0;
  std::uint64_t table_costs = 0;  // cases in which the layers would cost less without a common table
  for (std::uint64_t i = 0; compared < cases && i < 100 * cases; ++i) {
    const PimCase first = random_pim_case(seed + i, 12);
    const auto tables = all_tables(first.machine);
    mapper::pim::PimRequest request;
    request.objective.kind = static_cast<pim::ObjectiveKind>(i % 3);
    std::vector<Layer> layers;
    std::vector<double> sums(tables.size(), 0);
    double alone = 0;
    for (std::uint64_t k = 0; k < 3; ++k) {
      Layer layer;
      layer.shape = k == 0 ? first.layer : random_pim_case(seed + i + 1000 * k, 12).layer;
      layer.repeat = static_cast<Int>(1 + (i + k) % 3);
      if (admit(layer.shape, first.machine) != Refusal::none) continue;
      const auto costs = least_costs(layer.shape, first.machine, tables, request);
      if (!costs) continue;
      for (std::size_t t = 0; t < tables.size(); ++t)
        sums[t] += static_cast<double>(layer.repeat) * (*costs)[t];
      const LayerShape& shape = layer.shape;
      const auto own = map_layer(shape, first.machine, request, resources);
      alone += own.best.empty() ? no_cost : static_cast<double>(layer.repeat) * own.best.front().objective;
      layers.push_back(layer);
    }
    if (layers.size() < 2) continue;
    ++compared;
    const double wanted = *std::min_element(sums.begin(), sums.end());
    const auto shapes = unique_shapes(layers);
    ASSERT_TRUE(shapes);
    const auto found = map_with_one_table(layers, shapes->shapes, first.machine, request, resources);
    ASSERT_EQ(found.fault, mapper::Fault::none) << "seed " << seed + i;
    if (wanted == no_cost) {
      ++infeasible;
      ASSERT_EQ(found.status, Status::infeasible) << "seed " << seed + i;
      continue;
    }
    ASSERT_EQ(found.status, Status::optimal) << "seed " << seed + i;
    ASSERT_EQ(found.shapes.size(), shapes->shapes.size());
    double sum = 0;
    for (std::size_t k = 0; k < layers.size(); ++k)
      sum += static_cast<double>(layers[k].repeat) *
             found.shapes[shapes->shape_of_layer[k]].best.front().objective;
    ASSERT_NEAR(sum, wanted, 1e-9 * std::abs(wanted)) << "seed " << seed + i;
    ASSERT_NEAR(found.bound, wanted, 1e-9 * std::abs(wanted)) << "seed " << seed + i;
    const auto at = std::find(tables.begin(), tables.end(), found.table);
    ASSERT_NE(at, tables.end());
    ASSERT_NEAR(sums[static_cast<std::size_t>(at - tables.begin())], wanted, 1e-9 * std::abs(wanted));
    table_costs += static_cast<std::uint64_t>(alone < wanted * (1 - 1e-9));
  }
  EXPECT_EQ(compared, cases);
  if (cases < 40) return;
  EXPECT_GT(table_costs, cases / 40);
}

}  // namespace
}  // namespace nestor::tests::one_table_test
