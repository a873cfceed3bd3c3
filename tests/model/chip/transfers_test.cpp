// Tests of the least transfers between cores and of the bound that results from them. Transfers are compared
// with all placements, and the bound with all schedules in one segment, for random small networks.
#include "model/chip/search/transfers.h"

#include <gtest/gtest.h>

#include "model/chip/search/segment_search.h"
#include "support/chip_cases.h"
#include "support/chip_decisions.h"
#include "support/setting.h"

namespace nestor::tests::transfers_test {
namespace {

using chip::NocKind;

TEST(ChipTransfers, BoundNeverExceedsAnyPlacement) {
  int positive = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    chip::ChipMachine machine;
    machine.cores = {random.between(1, 4), random.between(1, 6)};
    machine.chip_noc.kind = random.chance(0.5) ? NocKind::mesh : NocKind::h_tree;
    machine.chip_noc.hop_cycles = random.between(1, 3);
    const Int before = random.between(0, 3), from = random.between(1, 3), between = random.between(0, 3);
    const Int to = random.between(1, 4), after = random.between(0, 3);
    Int least = INT64_MAX;
    for (Int f = before; f < machine.cores.count(); ++f)
      for (Int t = f + from + between; t + to + after <= machine.cores.count(); ++t)
        least = std::min(least, chip::chip_noc_cost(machine, {f, from}, {t, to}));
    const Int found = chip::least_transfer(machine, before, from, between, to, after);
    EXPECT_EQ(found, least == INT64_MAX ? 0 : least) << "seed " << seed;
    positive += found > 0 ? 1 : 0;
  }
  EXPECT_GT(positive, 100);
}

// Returns the least length of a schedule with these options, or `latest` + 1 if it exceeds `latest`.
Int bound_of(const chip::ChipProblem& problem, const chip::OptionTable& table, Int latest) {
  const auto executor = make_executor(ExecutorKind::serial, 1);
  const StopSource stop;
  chip::SegmentSearch search(problem, 0, problem.size() - 1, table);
  while (search.feasible() && !search.done() && search.bound() <= latest)
    search.advance(*executor, latest + 1, stop);
  return search.feasible() ? std::min(search.bound(), latest + 1) : latest + 1;
}

// Returns a chain of three operators, most of them matrices. Each operator reads the previous one, and some
// also read a random earlier tensor.
chip::ChipNetwork chain(Random& random) {
  chip::ChipNetwork network;
  network.bits = {4, 4, 4};
  const Int rows = random.between(2, 4);
  network.inputs.push_back({"input", rows, 2, 2});
  for (Int i = 0; i < 3; ++i) {
    chip::Operator op;
    op.name = "o" + std::to_string(i);
    op.kind = random.chance(0.85) ? chip::OperatorKind::array : chip::OperatorKind::alu;
    op.bits = network.bits;
    op.rows = rows;
    op.width = 2;
    op.channels = op.in_channels = 2;
    op.row_in = 4;
    op.alu_ops = random.between(1, 4);
    if (op.kind == chip::OperatorKind::array) op.matrix = {random.between(2, 12), 2, 1};
    op.inputs.push_back({static_cast<std::size_t>(i), {1, random.between(0, 1), 1}, false});
    if (i > 0 && random.chance(0.3)) op.inputs.push_back({random.below(network.tensors()), {1, 0, 1}, false});
    network.operators.push_back(op);
  }
  network.outputs.push_back(2);
  return network;
}

TEST(ChipTransfers, BoundNeverExceedsAnySchedule) {
  const auto cases = nestor::tests::setting("NESTOR_CHIP_CASES", 200);
  const auto first = nestor::tests::setting("NESTOR_CHIP_SEED", 1);
  const StopSource stop;
  std::uint64_t checked = 0;
  std::uint64_t raised = 0;
  std::uint64_t met = 0;
  for (std::uint64_t seed = first; checked < cases && seed < first + 100 * cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto sample = random_chip_case(seed);
    if (!sample) continue;
    Random random(seed);
    auto machine = sample->machine;
    machine.cores = {random.between(1, 3), random.between(2, 4)};
    machine.l0.strict = false;
    machine.chip_noc = {.kind = random.chance(0.5) ? NocKind::mesh : NocKind::h_tree,
                        .hop_cycles = random.between(1, 9),
                        .cost = {}};
    const auto network = chain(random);
    if (chip::admit(machine, network)) continue;
    const auto problem = chip::make_problem(machine, network);
    const auto levels = chip::allowed({random.chance(0.5), random.chance(0.5)}, machine.mode);
    Int least = INT64_MAX;
    const bool listed = each_chip_decision(
        problem, levels, [&](const chip::Decisions& decisions, const chip::ChipEvaluation& figures) {
          if (decisions.segments.size() == 1)
            least = std::min(least, figures.segments.front().schedule_cycles);
        });
    if (!listed || least == INT64_MAX) continue;
    ++checked;
    const auto table = chip::latency_options(problem, levels);
    for (const Int latest : {least - 1, least, least + random.between(1, 20)}) {
      const Int bound = bound_of(problem, chip::with_transfers(problem, table, latest, stop), latest);
      EXPECT_LE(bound, std::max(least, latest + 1));
      if (latest >= least) {
        EXPECT_LE(bound, least);
      }
      const Int plain = bound_of(problem, table, latest);
      EXPECT_GE(bound, plain);
      raised += bound > plain ? 1 : 0;
      met += bound == least && plain < least ? 1 : 0;
    }
    if (HasFailure()) return;
  }
  EXPECT_EQ(checked, cases);
  EXPECT_GT(raised, cases / 4);
  EXPECT_GT(met, cases / 20);
}

}  // namespace
}  // namespace nestor::tests::transfers_test
