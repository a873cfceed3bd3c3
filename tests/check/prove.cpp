#include "prove.h"

#include <unordered_map>

namespace nestor::check_cases {
namespace {

using check::dim_count;
using check::Node;

constexpr std::size_t most_nests = 20'000'000;

// Search over the nests below one spatial choice.
class Below {
 public:
  Below(const check::CheckedCimProblem& problem, const check::CimLanes& lanes, check::BoundsCache& cache,
        Report& report)
      : rules_(problem, lanes, cache), report_(report) {
    std::size_t depths = 1;
    for (std::size_t d = 0; d < dim_count; ++d) {
      depth_[d].resize(lanes.divisors[d].size());
      for (std::size_t i = 0; i < lanes.divisors[d].size(); ++i)
        for (const auto& way : lanes.ways[d][i])
          if (way.is_prime) depth_[d][way.to] = depth_[d][i] + 1;
      depths += depth_[d].back();
    }
    levels_.resize(depths);
    if (rules_.is_possible()) consider(rules_.root());
  }

  void run(bool deepest_first) {
    const auto is_open = [](const Level& level) { return level.followed < level.nodes.size(); };
    while (!report_.refuted && report_.finished) {
      Level* level = nullptr;
      for (Level& candidate : levels_)
        if (is_open(candidate) && (level == nullptr || deepest_first)) level = &candidate;
      if (level == nullptr) return;
      if (stored_ > most_nests) report_.finished = false;
      const Node node = level->nodes[level->followed++];
      rules_.each_child(node, [&](const Node& child, const check::LoggedNest&) { consider(child); });
      if (is_open(*level) || deepest_first) continue;
      stored_ -= level->nodes.size();
      *level = {};
    }
  }

 private:
  struct Level {
    std::vector<Node> nodes;
    std::size_t followed = 0;  ///< number of expanded nodes, which is the index of the next node to expand
    std::unordered_map<check::Int, std::vector<std::uint32_t>> of_key;
  };

  void consider(Node node) {
    if (rules_.ends(node)) return;
    if (node.rest == 1) {
      report_.refuted = true;
      report_.better = rules_.least(node);
      return;
    }
    rules_.forget_idle(node);
    std::size_t depth = 0;
    for (std::size_t d = 0; d < dim_count; ++d) depth += depth_[d][node.placed[d]];
    Level& level = levels_[depth];
    auto& equals = level.of_key[rules_.key(node)];
    for (const std::uint32_t e : equals) {
      Node& other = level.nodes[e];
      if (rules_.dominates(other, node)) return;
      if (e < level.followed || !rules_.dominates(node, other)) continue;
      other = node;  // other dominated nodes stay, which only costs time
      return;
    }
    equals.push_back(static_cast<std::uint32_t>(level.nodes.size()));
    level.nodes.push_back(node);
    ++stored_;
  }

  check::Rules rules_;
  Report& report_;
  std::array<std::vector<std::size_t>, dim_count> depth_;  ///< number of primes in a divisor
  std::vector<Level> levels_;                              ///< by number of placed primes
  std::size_t stored_ = 0;
};

}  // namespace

Report prove(const check::Layer& layer, const check::Machine& machine, const check::Claim& claim,
             bool is_of_impossibility) {
  Report report;
  check::BoundsCache cache;
  const check::CheckedCimProblem problem{layer, machine, claim};
  const auto standing = [&](const check::Spatial& spatial) {
    return check::standing_for(spatial, layer, machine);
  };
  for (const auto& spatial : check::spatial_choices(layer, machine, standing)) {
    const check::CimLanes lanes(layer, machine, spatial);
    Below(problem, lanes, cache, report).run(is_of_impossibility);
    if (report.refuted || !report.finished) break;
  }
  return report;
}

}  // namespace nestor::check_cases
