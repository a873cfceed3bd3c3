#include "check/replay.h"

#include <tbb/parallel_for.h>

#include <unordered_map>

#include "check/rules.h"

namespace nestor::check {
namespace {

std::string words(const Spatial& spatial, const Machine& machine) {
  std::string text;
  for (std::size_t a = 0; a < spatial.size(); ++a)
    for (std::size_t d = 0; d < dim_count; ++d)
      if (spatial[a][d] > 1)
        text += (text.empty() ? "" : ", ") + machine.axes[a].name + " " + dim_letters[d] + " " +
                std::to_string(spatial[a][d]);
  return "spatial choice (" + (text.empty() ? "nothing in parallel" : text) + ")";
}

std::string words(const LoggedNest& nest, const Machine& machine) {
  auto text = std::string(1, dim_letters[nest.dim]) + " " + std::to_string(nest.factor);
  for (const Operand x : operands)
    if (const Move& move = nest.moves[x]; move.moves)
      text += std::string(", ") + operand_letters[x] + " to " +
              machine.memories[machine.chains[x][move.to]].name +
              (move.doubled ? " through two buffers" : "");
  return text;
}

// The list of one choice.
class List {
 public:
  List(const Problem& problem, const Lanes& lanes, BoundsCache& cache, const LoggedChoice& logged,
       bool mirrors)
      : problem_(problem), rules_(problem, lanes, cache), logged_(logged), mirrors_(mirrors) {}

  /// What is wrong, or nothing.
  std::string failure() {
    if (!rules_.is_possible()) return "";
    nodes_.reserve(logged_.nests.size() + 1);
    add(rules_.nest.root());
    for (const LoggedNest& nest : logged_.nests) {
      const auto node =
          nest.parent < nodes_.size() ? rules_.nest.after(nodes_[nest.parent], nest) : std::nullopt;
      if (!node) return "nest " + std::to_string(nodes_.size()) + " is none";
      add(*node);
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (const auto failed = follow(i); !failed.empty()) return failed;
    return "";
  }

 private:
  void add(Node node) {
    rules_.nest.forget_idle_bits(node);
    by_key_.emplace(key_of(node), nodes_.size());
    nodes_.push_back(node);
  }

  // A mirrored nest of a choice that is its own mirror has the mirrored ways on, at the same costs.
  Int key_of(Node node) const {
    Node mirrored = node;
    std::swap(mirrored.placed[P], mirrored.placed[Q]);
    std::swap(mirrored.placed[R], mirrored.placed[S]);
    if (mirrors_ && mirrored.placed < node.placed) node.placed = mirrored.placed;
    return rules_.key(node);
  }

  template <typename Accepts>
  bool any_equal(const Node& node, Accepts accepts) const {
    const auto [first, last] = by_key_.equal_range(key_of(node));
    return std::any_of(first, last, [&](const auto& equal) { return accepts(equal.second); });
  }

  bool is_superfluous(std::size_t number) const {
    const Node& node = nodes_[number];
    return any_equal(node, [&](std::size_t i) {
      return i != number && rules_.dominates(nodes_[i], node) &&
             (i < number || !rules_.dominates(node, nodes_[i]));
    });
  }

  std::string follow(std::size_t number) const {
    const Node& node = nodes_[number];
    if (rules_.ends(node)) return "";
    if (node.rest == 1) return failure(number, node, nullptr);
    if (is_superfluous(number)) return "";
    std::string failed;
    rules_.each_child(node, [&](Node child, const LoggedNest& loop) {
      if (!failed.empty() || rules_.ends(child)) return;
      rules_.nest.forget_idle_bits(child);
      const bool covered = child.rest > 1 && any_equal(child, [&](std::size_t i) {
                             return rules_.dominates(nodes_[i], child);
                           });
      if (!covered) failed = failure(number, child, &loop);
    });
    return failed;
  }

  // Of a nest, or one more loop around it.
  std::string failure(std::size_t number, const Node& node, const LoggedNest* loop) const {
    const auto& [layer, machine, claim] = problem_;
    std::string text = loop == nullptr ? "" : words(*loop, machine);
    for (; number != 0; number = logged_.nests[number - 1].parent)
      text = words(logged_.nests[number - 1], machine) + (text.empty() ? "" : "; ") + text;
    text = text.empty() ? "no loops at all" : "the loops, from the inside out, " + text;
    const auto known = rules_.least(node);
    text += node.rest == 1 ? " cost " : " may cost as little as ";
    text += to_text(claim.cost(known), claim.objective().unit);
    if (claim.objective().is_front) text += " pJ in " + to_text(known.latency) + " cycles";
    return text + (node.rest == 1 ? ", which is better than what is claimed"
                                  : ", and nothing in the list stands for them");
  }

  const Problem problem_;
  Rules rules_;
  const LoggedChoice& logged_;
  bool mirrors_;
  std::vector<Node> nodes_;
  std::unordered_multimap<Int, std::size_t> by_key_;
};

}  // namespace

ReplayReport replay(const Layer& layer, const Machine& machine, const Claims& claims,
                    const ChoiceSource& source) {
  constexpr std::size_t most_at_once = 100'000;  // nests and choices
  struct Work {
    LoggedChoice choice;
    std::string failure;
  };
  const bool symmetric = is_symmetric(layer, machine);
  auto choices = spatial_choices(layer, machine);  // without a list so far
  BoundsCache cache;
  ReplayReport report;
  report.choices = choices.size();

  // Choices with their lists, as they come; then those without, which must end at once.
  bool are_listed = true;
  const auto next = [&](Work& work) {
    work = {};
    are_listed = are_listed && source(work.choice);
    if (!are_listed && choices.empty()) return false;
    if (are_listed) {
      ++report.logged;
      report.nests += work.choice.nests.size();
      if (choices.erase(standing_for(work.choice.spatial, symmetric)) == 0)
        work.failure = " is none of this layer, or is there twice";
    } else {
      work.choice.spatial = choices.extract(choices.begin()).value();
    }
    return true;
  };
  const auto check = [&](Work& work) {
    const Spatial& spatial = work.choice.spatial;
    const auto listed = claims.of_listed.find(standing_for(spatial, symmetric));
    const Claim& claim = listed == claims.of_listed.end() ? claims.of_the_rest : listed->second;
    const Lanes lanes(layer, machine, spatial);
    const bool mirrors = symmetric && mirror(spatial) == spatial;
    const auto failure = List({layer, machine, claim}, lanes, cache, work.choice, mirrors).failure();
    if (!failure.empty()) work.failure = ": " + failure;
  };
  while (report.failure.empty()) {
    std::vector<Work> batch;
    std::size_t size = 0;
    for (Work work; size < most_at_once && next(work); batch.push_back(std::move(work)))
      size += work.choice.nests.size() + 1;
    if (batch.empty()) break;
    tbb::parallel_for(std::size_t{0}, batch.size(), [&](std::size_t i) {
      if (batch[i].failure.empty()) check(batch[i]);
    });
    for (const Work& work : batch)
      if (report.failure.empty() && !work.failure.empty())
        report.failure = words(work.choice.spatial, machine) + work.failure;
  }
  return report;
}

}  // namespace nestor::check
