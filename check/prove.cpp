#include "check/prove.h"

#include <algorithm>
#include <unordered_map>

#include "check/choices.h"
#include "check/parallel.h"
#include "check/rules.h"

namespace nestor::check {
namespace {

// Nests below one spatial choice that may take this many bytes; beyond, the check gives up on the layer.
constexpr std::size_t most_nests = 20'000'000;

// The nests below one spatial choice.
class Below {
 public:
  Below(const Layer& layer, const Machine& machine, const Claim& claim, const Lanes& lanes,
        BoundsCache& cache, Report& report)
      : claim_(claim), rules_(layer, machine, claim, lanes, cache), report_(report) {
    if (!rules_.is_possible()) return;
    const Node root = rules_.nest().root();
    if (closed(root)) return;
    std::size_t depths = 1;
    for (std::size_t d = 0; d < dim_count; ++d) {
      depth_[d].resize(lanes.divisors[d].size());
      for (std::size_t i = 0; i < lanes.divisors[d].size(); ++i)
        for (const std::size_t j : one_prime_up(lanes.divisors[d], i)) depth_[d][j] = depth_[d][i] + 1;
      depths += depth_[d].back();
    }
    levels_.resize(depths);
    if (root.rest == 1)
      complete(root);
    else
      levels_[0].nodes.push_back(root);
  }

  /// False if time or memory ran out. Where every complete nest refutes the claim, the deepest come first.
  bool run(const Limits& limits, const std::atomic<std::size_t>& refuted_at, std::size_t choice) {
    const auto is_open = [](const Level& level) { return level.followed < level.nodes.size(); };
    for (std::size_t looked = 1;; ++looked) {
      Level* level = nullptr;
      for (Level& candidate : levels_)
        if (is_open(candidate) && (level == nullptr || claim_.is_of_impossibility())) level = &candidate;
      if (level == nullptr || report_.refuted || refuted_at < choice) return true;
      if (looked % 64 == 0 && std::chrono::steady_clock::now() > limits.end) return false;
      if (stored_ > most_nests) return false;
      ++report_.followed;
      const Node node = level->nodes[level->followed++];
      rules_.each_child(node, [&](Node child, std::size_t, const Steps&) { consider(child); });
      if (is_open(*level) || claim_.is_of_impossibility()) continue;
      stored_ -= level->nodes.size();
      *level = {};
    }
  }

 private:
  struct Level {
    std::vector<Node> nodes;
    std::size_t followed = 0;  ///< the first of them
    std::unordered_map<Int, std::vector<std::uint32_t>> of_key;
  };

  void consider(Node& node) {
    if (closed(node)) return;
    if (node.rest == 1) {
      complete(node);
      return;
    }
    rules_.nest().forget_idle_bits(node);
    keep(node);
  }

  void complete(const Node& node) {
    const auto cost = rules_.cost(node);
    if (claim_.closes(cost.latency, cost.energy)) {
      ++report_.by_bound;
      return;
    }
    report_.refuted = true;
    report_.latency = cost.latency;
    report_.energy = cost.energy;
  }

  bool closed(const Node& node) {
    const auto verdict = rules_.judge(node);
    if (verdict == Rules::Verdict::by_room) ++report_.by_room;
    if (verdict == Rules::Verdict::by_bound) ++report_.by_bound;
    return verdict != Rules::Verdict::open;
  }

  void keep(const Node& node) {
    std::size_t depth = 0;
    for (std::size_t d = 0; d < dim_count; ++d) depth += depth_[d][node.placed[d]];
    Level& level = levels_[depth];
    auto& equals = level.of_key[rules_.key(node)];
    for (const std::uint32_t e : equals) {
      Node& other = level.nodes[e];
      if (rules_.dominates(other, node)) {
        ++report_.dominated;
        return;
      }
      if (e < level.followed || !rules_.dominates(node, other)) continue;
      ++report_.dominated;
      other = node;  // takes its place; further ones that it dominates stay, which costs time only
      return;
    }
    equals.push_back(static_cast<std::uint32_t>(level.nodes.size()));
    level.nodes.push_back(node);
    ++stored_;
  }

  const Claim& claim_;
  Rules rules_;
  Report& report_;
  std::array<std::vector<std::size_t>, dim_count> depth_;  ///< primes in a divisor
  std::vector<Level> levels_;                              ///< by primes placed
  std::size_t stored_ = 0;
};

void add(Report& sum, const Report& part) {
  sum.choices += part.choices;
  sum.closed_at_once += part.closed_at_once;
  sum.followed += part.followed;
  sum.by_bound += part.by_bound;
  sum.by_room += part.by_room;
  sum.dominated += part.dominated;
}

}  // namespace

Report prove(const Layer& layer, const Machine& machine, const Claim& claim, const Limits& limits) {
  const auto choices = spatial_choices(layer, machine);
  Report sum;
  sum.choices = choices.size();
  BoundsCache cache;
  std::mutex mutex;
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> refuted_at = choices.size();
  const auto work = [&] {
    for (std::size_t i = next++; i < choices.size(); i = next++) {
      if (refuted_at < i) return;
      Report report;
      const Lanes lanes(layer, machine, choices[i]);
      if (claim.closes(times(lanes.steps, machine.mvm_cycles), lanes.energy)) {
        report.closed_at_once = 1;
      } else {
        Below below(layer, machine, claim, lanes, cache, report);
        report.finished = below.run(limits, refuted_at, i);
      }
      const std::lock_guard lock(mutex);
      add(sum, report);
      if (!report.finished) sum.finished = false;
      if (report.refuted && i < refuted_at) {
        refuted_at = i;
        sum.refuted = true;
        sum.latency = report.latency;
        sum.energy = report.energy;
      }
      if (!sum.finished) return;
    }
  };
  in_parallel(limits.threads, work, [&] { next = choices.size(); });
  return sum;
}

Cost cost_of(const Layer& layer, const Machine& machine, const Objective& objective, const Mapping& mapping) {
  Claim both(objective, machine);
  both.is_a_front();
  for (std::size_t a = 0; a < machine.axes.size(); ++a) {
    Int lanes = 1;
    for (std::size_t d = 0; d < dim_count; ++d) {
      lanes = times(lanes, mapping.spatial[a][d]);
      if (mapping.spatial[a][d] > 1 && !machine.axes[a].dims[d])
        return {.fault = "an axis carries a dimension that it cannot"};
    }
    if (lanes > machine.axes[a].size) return {.fault = "an axis is too short"};
  }
  const Lanes lanes(layer, machine, mapping.spatial);
  const Nest nest(layer, machine, both, lanes);
  Node node = nest.root();
  for (std::size_t l = mapping.loops.size(); l-- > 0;) {
    const Loop& loop = mapping.loops[l];
    const auto& divisors = lanes.divisors[loop.dim];
    const auto placed =
        std::find(divisors.begin(), divisors.end(), divisors[node.placed[loop.dim]] * loop.factor);
    if (loop.factor < 2 || placed == divisors.end()) return {.fault = "its loops do not make up the layer"};
    Steps taken;
    for (const Operand x : operands) {
      const auto steps = nest.steps(node, x);
      const bool moves = loop.at[x] != node.at[x];
      const bool doubled = moves && mapping.doubled[nest.memory_at(x, node.at[x])][x];
      const Step* const step = find_step(steps, moves, loop.at[x], doubled);
      if (step == nullptr || (moves && !is_relevant(loop.dim, x)))
        return {.fault = "a block is not where it may be"};
      taken[x] = *step;
    }
    node = nest.after(node, loop.dim, static_cast<std::size_t>(placed - divisors.begin()), taken);
  }
  if (node.rest != 1) return {.fault = "its loops do not make up the layer"};
  Cost cost{nest.latency_of(node), nest.energy_of(node), ""};
  // A second buffer of a block that is filled or drained once takes room and saves nothing.
  const Extents content = nest.content_of(node);
  for (const Operand x : operands) {
    const std::size_t memory = nest.memory_at(x, node.at[x]);
    if (node.at[x] != 0 && mapping.doubled[memory][x])
      node.departed[memory] = plus(
          node.departed[memory],
          times(nest.elements(x, content, memory), nest.width_stored(x, node.at[x], node.entered_complete)));
  }
  if (!nest.fits(node)) cost.fault = "it does not fit a memory";
  return cost;
}

}  // namespace nestor::check
