#include "model/chip/search/transfers.h"

#include <algorithm>

#include "model/chip/search/segment_graph.h"

namespace nestor::chip {
namespace {

constexpr Int unlimited_cycles = INT64_MAX / 4;
// Limit on the number of placements to compare, each counted once per pair of cores if costs are in a matrix.
constexpr Int most_work = Int{1} << 22;
// Maximum number of rounds. With fewer options, operators need more cores; with costlier transfers, fewer
// options remain.
constexpr int most_rounds = 4;

}  // namespace

Int least_transfer(const ChipMachine& machine, Int before, Int from_cores, Int between, Int to_cores,
                   Int after) {
  const Int spare = machine.cores.count() - before - from_cores - between - to_cores - after;
  if (spare < 0 || from_cores < 1 || to_cores < 1 || !has_noc_cost(machine)) return 0;
  // All rows of a mesh are alike, and the first row leaves the most cores for gaps.
  const bool is_mesh = machine.chip_noc.kind == NocKind::mesh;
  const Int shifts = is_mesh ? std::min(spare, machine.cores.columns - 1) : spare;
  const Int pairs = machine.chip_noc.kind == NocKind::matrix ? from_cores * to_cores : 1;
  if (shifts + 1 > most_work / (spare + 1) / pairs) return 0;
  Int least = unlimited_cycles;
  for (Int shift = 0; shift <= shifts; ++shift)
    for (Int gap = 0; gap <= spare - shift; ++gap) {
      const CoreRange from{before + shift, from_cores};
      least = std::min(least, chip_noc_cost(machine, from, {from.end() + between + gap, to_cores}));
    }
  return least;
}

namespace {

class Transfers {
 public:
  Transfers(const ChipProblem& problem, const OptionTable& table, Int latest, const StopSource& stop)
      : problem_(problem),
        stop_(stop),
        latest_(latest),
        graph_(problem, 0, problem.size() - 1),
        plain_(table),
        waits_(problem.size(), 0) {}

  OptionTable run() {
    for (int round = 0; round < most_rounds; ++round) {
      if (!keep_fast_options() || !raise_waits()) break;
    }
    OptionTable result = plain_;
    for (std::size_t i = 0; i < result.size(); ++i)
      for (LatencyOption& option : result[i]) option.in += waits_[i];
    return result;
  }

 private:
  // Removes options with which the schedule ends after `latest_` even if all other operators are at their
  // best speeds. Returns false after a stop, or if an operator has no option left.
  bool keep_fast_options() {
    std::vector<Speed> best(plain_.size(),
                            Speed{unlimited_cycles, 1, unlimited_cycles, unlimited_cycles, unlimited_cycles});
    for (std::size_t i = 0; i < plain_.size(); ++i) {
      if (plain_[i].empty()) return false;
      for (const LatencyOption& option : plain_[i])
        best[i] = {std::min(best[i].row, option.row), std::max(best[i].lanes, option.lanes),
                   std::min(best[i].in, option.in + waits_[i]), std::min(best[i].out, option.out),
                   std::min(best[i].gate, option.gate)};
    }
    SegmentTimes times;
    std::vector<Int> scratch;
    graph_.heads(best, times);
    graph_.tails(best, times);
    for (std::size_t i = 0; i < plain_.size(); ++i) {
      if (stop_.requested()) return false;
      std::erase_if(plain_[i], [&](const LatencyOption& option) {
        Speed speed = speed_of(option);
        speed.in += waits_[i];
        return graph_.with(i, speed, times, scratch) > latest_;
      });
      if (plain_[i].empty()) return false;
    }
    return true;
  }

  // Computes the bounds on the transfers before all operators. Returns true if some bound increased.
  bool raise_waits() {
    std::vector<Int> ahead(plain_.size() + 1, 0);  // fewest cores of all earlier operators
    std::vector<Int> cores(plain_.size());
    for (std::size_t i = 0; i < plain_.size(); ++i) {
      cores[i] = plain_[i].front().cores;  // options start with the fewest cores
      ahead[i + 1] = ahead[i] + cores[i];
    }
    bool raised = false;
    for (std::size_t i = 0; i < plain_.size() && !stop_.requested(); ++i) {
      const Int wait = least_wait(i, ahead, cores);
      raised |= wait > waits_[i];
      waits_[i] = std::max(waits_[i], wait);
    }
    return raised;
  }

  // Returns a lower bound on the transfer before operator i. Transfers delay the last of several operands by
  // at least the least of their costs. An operator that is gated by a tensor from outside the segment may
  // wait for no transfer.
  Int least_wait(std::size_t i, const std::vector<Int>& ahead, const std::vector<Int>& cores) const {
    const auto is_array = [&](std::size_t op) {
      return problem_.network.operators[op].kind == OperatorKind::array;
    };
    if (!is_array(i) || graph_.gated_outside(i) || graph_.edges(i).empty()) return 0;
    Int least = unlimited_cycles;
    for (const SegmentGraph::Edge& edge : graph_.edges(i)) {
      const std::size_t j = edge.from;
      if (!is_array(j)) return 0;
      least = std::min(least, least_transfer(problem_.machine, ahead[j], cores[j], ahead[i] - ahead[j + 1],
                                             cores[i], ahead.back() - ahead[i + 1]));
    }
    return least;
  }

  const ChipProblem& problem_;
  const StopSource& stop_;
  const Int latest_;
  const SegmentGraph graph_;
  OptionTable plain_;       ///< without transfers
  std::vector<Int> waits_;  ///< least transfer before each operator
};

}  // namespace

OptionTable with_transfers(const ChipProblem& problem, const OptionTable& table, Int latest,
                           const StopSource& stop) {
  return Transfers(problem, table, latest, stop).run();
}

}  // namespace nestor::chip
