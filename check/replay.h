// Replay of a proof file. For each spatial choice, the file lists nests. Each nest is described by an earlier
// nest and the loop added to it. Nothing in the file is trusted: the replay recomputes the numbers of every
// nest. It must exclude every continuation of every nest without expanding it further, for one of three
// reasons: the continuation does not fit, the claim closes it, or a nest in the list dominates it. There is
// no search. The proof fails at the first continuation for which no reason applies.
//
// This proves that no mapping below a nest of the list is better than the claim, by induction on the
// remaining iterations. A continuation has fewer remaining iterations than its nest, and the nest that
// dominates it has equally many. If nests of the list dominate one another, one of them is expanded.
//
// The Rules of a space define nests, their costs and the rules that close them.
#pragma once

#include <tbb/parallel_for.h>

#include <functional>
#include <map>
#include <unordered_map>

#include "check/padding.h"

namespace nestor::check {

/// Reads the next choice of a layer's proof. Returns false at its end.
using ChoiceSource = std::function<bool(LoggedChoice&)>;

/// The claim for each choice. Choices of listed mappings have a different claim from all other choices.
struct Claims {
  Claim of_the_rest;
  std::map<Spatial, Claim> of_listed;  ///< claims by standing_for() of the choice
};

struct ReplayReport {
  std::string failure;  ///< the first step that fails, or empty
  std::size_t choices = 0;
  std::size_t logged = 0;  ///< number of choices with a list
  std::size_t nests = 0;
};

/// The nests of one choice.
template <typename Rules>
class List {
 public:
  using Node = decltype(std::declval<Rules>().root());

  List(const Rules& rules, const LoggedChoice& logged) : rules_(rules), logged_(logged) {}

  /// Returns the first fault, or an empty string.
  std::string failure() {
    if (!rules_.is_possible()) return "";
    nodes_.reserve(logged_.nests.size() + 1);
    add(rules_.root());
    for (const LoggedNest& nest : logged_.nests) {
      const auto node = nest.parent < nodes_.size() ? rules_.after(nodes_[nest.parent], nest) : std::nullopt;
      if (!node) return "nest " + std::to_string(nodes_.size()) + " is invalid";
      add(*node);
    }
    std::vector<bool> ended;  // true for a nest that is closed, or has a closed ancestor
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      ended.push_back((i != 0 && ended[logged_.nests[i - 1].parent]) || rules_.ends(nodes_[i]));
      if (ended[i]) continue;
      if (const auto failed = follow(i); !failed.empty()) return failed;
    }
    return "";
  }

 private:
  void add(Node node) {
    rules_.forget_idle(node);
    by_key_.emplace(rules_.key(node), nodes_.size());
    nodes_.push_back(std::move(node));
  }

  bool any_equal(const Node& node, const auto& accepts) const {
    const auto [first, last] = by_key_.equal_range(rules_.key(node));
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
    if (node.rest == 1) return failure(number, node, nullptr);
    if (is_superfluous(number)) return "";
    std::string failed;
    rules_.each_child(node, [&](Node child, const LoggedNest& loop) {
      if (!failed.empty() || rules_.ends(child)) return;
      rules_.forget_idle(child);
      const bool covered = child.rest > 1 && any_equal(child, [&](std::size_t i) {
                             return rules_.dominates(nodes_[i], child);
                           });
      if (!covered) failed = failure(number, child, &loop);
    });
    return failed;
  }

  // Describes the failure at a nest, or at a nest with one more loop.
  std::string failure(std::size_t number, const Node& node, const LoggedNest* loop) const {
    const auto& [layer, machine, claim] = rules_.problem;
    std::string text = loop == nullptr ? "" : words(*loop, machine);
    for (; number != 0; number = logged_.nests[number - 1].parent)
      text = words(logged_.nests[number - 1], machine) + (text.empty() ? "" : "; ") + text;
    text = text.empty() ? "no loops at all" : "the loops, in placement order, " + text;
    const auto known = rules_.least(node);
    text += node.rest == 1 ? " cost " : " may cost as little as ";
    text += to_text(claim.cost(known), claim.objective().unit);
    if (claim.objective().is_front) text += " pJ in " + to_text(known.latency) + " cycles";
    return text + (node.rest == 1 ? ", which is better than what is claimed"
                                  : ", and no node of the proof covers them");
  }

  const Rules& rules_;
  const LoggedChoice& logged_;
  std::vector<Node> nodes_;
  std::unordered_multimap<decltype(std::declval<Rules>().key(Node{})), std::size_t> by_key_;
};

/// Replays the proof of a layer. The report does not depend on the number of threads. `least` holds the
/// bounds that a mapping must cover. It is set only if a mapping that covers them with smaller factors costs
/// no more.
template <typename Rules, typename SomeMachine>
ReplayReport replay(const Layer& layer, const SomeMachine& machine, const Claims& claims,
                    const ChoiceSource& source, const std::optional<Extents>& least = {}) {
  constexpr std::size_t most_at_once = 100'000;  // nests and choices
  struct Work {
    LoggedChoice choice;
    std::string failure;
  };
  const auto standing = [&](const Spatial& spatial) { return standing_for(spatial, layer, machine); };
  auto choices = spatial_choices(layer, machine, standing);  // choices without a list so far
  std::set<Spatial> needless;
  if (least)
    for (const Spatial& spatial : choices)
      if (could_be_less(spatial, layer.bounds, *least)) needless.insert(spatial);
  for (const Spatial& spatial : needless) choices.erase(spatial);
  typename Rules::Shared shared;
  ReplayReport report;
  report.choices = choices.size();

  // Choices with lists come first, in the order of the proof. The remaining choices must be closed without a
  // list.
  bool are_listed = true;
  const auto next = [&](Work& work) {
    work = {};
    are_listed = are_listed && source(work.choice);
    if (!are_listed && choices.empty()) return false;
    if (are_listed) {
      ++report.logged;
      report.nests += work.choice.nests.size();
      const Spatial stands = standing(work.choice.spatial);
      if (choices.erase(stands) + needless.erase(stands) == 0)
        work.failure = "it is not a choice of the layer, or occurs twice";
    } else {
      work.choice.spatial = choices.extract(choices.begin()).value();
    }
    return true;
  };
  // Some rules have bounds that take long. They are added if the list is not a proof without them.
  const auto check = [&](const LoggedChoice& choice, std::string& failure) {
    const auto listed = claims.of_listed.find(standing(choice.spatial));
    const Claim& claim = listed == claims.of_listed.end() ? claims.of_the_rest : listed->second;
    const typename Rules::Lanes lanes(layer, machine, choice.spatial);
    Rules rules({layer, machine, claim}, lanes, shared);
    failure = List<Rules>(rules, choice).failure();
    if constexpr (requires { rules.add_bounds(); })
      if (!failure.empty() && rules.add_bounds()) failure = List<Rules>(rules, choice).failure();
  };
  while (report.failure.empty()) {
    std::vector<Work> batch;
    std::size_t size = 0;
    for (Work work; size < most_at_once && next(work); batch.push_back(std::move(work)))
      size += work.choice.nests.size() + 1;
    if (batch.empty()) break;
    tbb::parallel_for(std::size_t{0}, batch.size(), [&](std::size_t i) {
      if (batch[i].failure.empty()) check(batch[i].choice, batch[i].failure);
    });
    for (const Work& work : batch)
      if (report.failure.empty() && !work.failure.empty())
        report.failure = words(work.choice.spatial, machine) + ": " + work.failure;
  }
  return report;
}

}  // namespace nestor::check
