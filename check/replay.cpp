#include "check/replay.h"

#include <algorithm>
#include <mutex>

#include "check/choices.h"
#include "check/parallel.h"
#include "check/rules.h"

namespace nestor::check {
namespace {

constexpr std::size_t root = 0;

std::string words(const Spatial& spatial, const Machine& machine) {
  std::string text;
  for (std::size_t a = 0; a < spatial.size(); ++a)
    for (std::size_t d = 0; d < dim_count; ++d)
      if (spatial[a][d] > 1)
        text += (text.empty() ? "" : ", ") + machine.axes[a].name + " " + dim_letters[d] + " " +
                std::to_string(spatial[a][d]);
  return "spatial choice (" + (text.empty() ? "nothing in parallel" : text) + ")";
}

// The list of one choice.
class List {
 public:
  List(const Layer& layer, const Machine& machine, const Claim& claim, const Lanes& lanes, BoundsCache& cache,
       bool mirrors)
      : machine_(machine),
        claim_(claim),
        lanes_(lanes),
        rules_(layer, machine, claim, lanes, cache),
        mirrors_(mirrors) {}

  /// What is wrong, or nothing.
  std::string check(const std::vector<LoggedNest>& logged, ReplayReport& report) {
    if (!rules_.is_possible()) return "";
    logged_ = &logged;
    nodes_.reserve(logged.size() + 1);
    nodes_.push_back(rules_.nest().root());
    for (const LoggedNest& nest : logged)
      if (!add(nest)) return "nest " + std::to_string(nodes_.size()) + " is none";
    report.nests += nodes_.size();
    index();
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (const auto failure = follow(i, report); !failure.empty()) return failure;
    return "";
  }

 private:
  bool add(const LoggedNest& logged) {
    if (logged.parent >= nodes_.size()) return false;
    const Node& parent = nodes_[logged.parent];
    const auto& divisors = lanes_.divisors[logged.dim];
    const Int inside = divisors[parent.placed[logged.dim]];
    if (logged.factor < 2 || logged.factor > divisors.back() / inside) return false;
    const auto placed = std::lower_bound(divisors.begin(), divisors.end(), inside * logged.factor);
    if (placed == divisors.end() || *placed != inside * logged.factor) return false;
    if (stepped_ != logged.parent) {
      for (const Operand x : operands) steps_[x] = rules_.nest().steps(parent, x);
      stepped_ = logged.parent;
    }
    Steps taken;
    for (const Operand x : operands) {
      const auto& move = logged.moves[x];
      if (move.moves && !is_relevant(logged.dim, x)) return false;
      const Step* const step = find_step(steps_[x], move.moves, move.to, move.doubled);
      if (step == nullptr) return false;
      taken[x] = *step;
    }
    Node node =
        rules_.nest().after(parent, logged.dim, static_cast<std::size_t>(placed - divisors.begin()), taken);
    rules_.nest().forget_idle_bits(node);
    nodes_.push_back(node);
    return true;
  }

  // A mirrored nest of a choice that is its own mirror has the mirrored ways on, at the same costs.
  Int key_of(Node node) const {
    Node mirrored = node;
    std::swap(mirrored.placed[P], mirrored.placed[Q]);
    std::swap(mirrored.placed[R], mirrored.placed[S]);
    if (mirrors_ && mirrored.placed < node.placed) node.placed = mirrored.placed;
    return rules_.key(node);
  }

  void index() {
    std::size_t count = 1;
    while (count < nodes_.size()) count *= 2;
    first_.assign(count, none);
    next_.resize(nodes_.size());
    keys_.resize(nodes_.size());
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      keys_[i] = key_of(nodes_[i]);
      auto& head = first_[place_of(keys_[i])];
      next_[i] = head;
      head = static_cast<std::uint32_t>(i);
    }
  }
  std::size_t place_of(Int key) const {
    auto mixed = static_cast<std::uint64_t>(key) * 0x9e3779b97f4a7c15U;
    mixed ^= mixed >> 29U;
    return mixed & (first_.size() - 1);
  }

  template <typename Accepts>
  bool any_equal(Int key, Accepts accepts) const {
    for (std::uint32_t i = first_[place_of(key)]; i != none; i = next_[i])
      if (keys_[i] == key && accepts(i)) return true;
    return false;
  }

  bool is_superfluous(std::size_t number) const {
    const Node& node = nodes_[number];
    return any_equal(keys_[number], [&](std::size_t i) {
      return i != number && rules_.dominates(nodes_[i], node) &&
             (i < number || !rules_.dominates(node, nodes_[i]));
    });
  }

  std::string follow(std::size_t number, ReplayReport& report) {
    const Node& node = nodes_[number];
    if (rules_.judge(node) != Rules::Verdict::open) return "";
    if (node.rest == 1) return ends(node) ? "" : failure(number, node, nullptr);
    if (is_superfluous(number)) return "";
    std::string failed;
    rules_.each_child(node, [&](Node child, std::size_t dim, const Steps& steps) {
      if (!failed.empty()) return;
      ++report.children;
      if (rules_.judge(child) != Rules::Verdict::open) return;
      if (child.rest == 1) {
        if (!ends(child)) failed = failure(number, child, &steps, dim);
        return;
      }
      rules_.nest().forget_idle_bits(child);
      const bool covered =
          any_equal(key_of(child), [&](std::size_t i) { return rules_.dominates(nodes_[i], child); });
      if (!covered) failed = failure(number, child, &steps, dim);
    });
    return failed;
  }

  bool ends(const Node& complete) const {
    const auto cost = rules_.cost(complete);
    return claim_.closes(cost.latency, cost.energy);
  }

  std::string loop_words(std::size_t dim, Int factor, const std::array<LoggedNest::Move, 3>& moves) const {
    std::string text = std::string(1, dim_letters[dim]) + " " + std::to_string(factor);
    for (const Operand x : operands)
      if (moves[x].moves)
        text += std::string(", ") + "IWO"[x] + " to " +
                machine_.memories[machine_.chains[x][moves[x].to]].name +
                (moves[x].doubled ? " through two buffers" : "");
    return text;
  }

  // "below conv1, ... the loops K 2, C 4 W to gbuf, from the inside out".
  std::string failure(std::size_t number, const Node& node, const Steps* steps, std::size_t dim = 0) const {
    std::vector<std::string> loops;
    if (steps != nullptr) {
      std::array<LoggedNest::Move, 3> moves;
      for (const Operand x : operands) moves[x] = {(*steps)[x].moves, (*steps)[x].doubled, (*steps)[x].to};
      const auto& divisors = lanes_.divisors[dim];
      loops.push_back(
          loop_words(dim, divisors[node.placed[dim]] / divisors[nodes_[number].placed[dim]], moves));
    }
    for (; number != root; number = (*logged_)[number - 1].parent) {
      const LoggedNest& nest = (*logged_)[number - 1];
      loops.push_back(loop_words(nest.dim, nest.factor, nest.moves));
    }
    std::string text = "the loops, from the inside out,";
    for (std::size_t i = loops.size(); i-- > 0;) text += " " + loops[i] + (i > 0 ? ";" : "");
    if (loops.empty()) text = "no loops at all";
    const auto known = node.rest == 1 ? rules_.cost(node) : rules_.least(node);
    text += node.rest == 1 ? " cost" : " may cost as little as";
    if (claim_.follows_latency()) text += " " + to_text(known.latency) + " cycles";
    if (claim_.follows_energy())
      text += std::string(claim_.follows_latency() ? " and" : "") + " " +
              to_text(claim_.with_leakage(known.latency, known.energy), machine_.places) + " pJ";
    return text + (node.rest == 1 ? ", which is better than what is claimed"
                                  : ", and nothing in the list stands for them");
  }

  static constexpr std::uint32_t none = ~std::uint32_t{0};
  const Machine& machine_;
  const Claim& claim_;
  const Lanes& lanes_;
  Rules rules_;
  bool mirrors_;
  const std::vector<LoggedNest>* logged_ = nullptr;
  std::vector<Node> nodes_;
  std::vector<Int> keys_;
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> next_;
  std::array<std::vector<Step>, 3> steps_;  ///< of the nest `stepped_`
  std::size_t stepped_ = ~std::size_t{0};
};

// Lists as they come, then the choices without one.
class Replay {
 public:
  Replay(const Layer& layer, const Machine& machine, const Claims& claims, const ChoiceSource& source,
         const Limits& limits)
      : layer_(layer),
        machine_(machine),
        claims_(claims),
        source_(source),
        limits_(limits),
        symmetric_(is_symmetric(layer, machine)),
        choices_(spatial_choices(layer, machine)),
        logged_(choices_.size()) {
    report_.choices = choices_.size();
  }

  ReplayReport run() {
    on_all_threads([&] { check_logged(); });
    if (failed_at_ == never && report_.finished) on_all_threads([&] { check_others(); });
    return report_;
  }

 private:
  template <typename Work>
  void on_all_threads(const Work& work) {
    in_parallel(limits_.threads, work, [&] {
      const std::lock_guard lock(mutex_);
      over_ = true;
    });
    over_ = false;
    turn_ = 0;
  }

  void check_logged() {
    LoggedChoice choice;
    while (true) {
      std::size_t turn = 0;
      {
        const std::lock_guard lock(mutex_);
        if (over_ || out_of_time() || !source_(choice)) {
          over_ = true;
          return;
        }
        turn = turn_++;
        const Spatial stands = standing_for(choice.spatial, symmetric_);
        const auto found = std::lower_bound(choices_.begin(), choices_.end(), stands);
        const bool is_one = found != choices_.end() && *found == stands;
        const auto place = static_cast<std::size_t>(found - choices_.begin());
        if (!is_one || logged_[place]) {
          fail(turn,
               words(choice.spatial, machine_) + (is_one ? " is there twice" : " is none of this layer"));
          return;
        }
        logged_[place] = true;
        ++report_.logged;
      }
      check(choice.spatial, choice.nests, turn);
    }
  }

  void check_others() {
    while (true) {
      std::size_t turn = 0;
      {
        const std::lock_guard lock(mutex_);
        while (turn_ < choices_.size() && logged_[turn_]) ++turn_;
        if (over_ || turn_ == choices_.size() || out_of_time()) return;
        turn = turn_++;
      }
      check(choices_[turn], {}, turn);
    }
  }

  void check(const Spatial& spatial, const std::vector<LoggedNest>& nests, std::size_t turn) {
    const auto listed = claims_.of_listed.find(standing_for(spatial, symmetric_));
    const Claim& claim = listed == claims_.of_listed.end() ? claims_.of_the_rest : listed->second;
    const Lanes lanes(layer_, machine_, spatial);
    if (claim.closes(times(lanes.steps, machine_.mvm_cycles), lanes.energy)) return;
    ReplayReport part;
    List list(layer_, machine_, claim, lanes, cache_, symmetric_ && mirror(spatial) == spatial);
    const auto failure = list.check(nests, part);
    const std::lock_guard lock(mutex_);
    report_.nests += part.nests;
    report_.children += part.children;
    if (!failure.empty()) fail(turn, words(spatial, machine_) + ": " + failure);
  }

  void fail(std::size_t turn, const std::string& failure) {
    over_ = true;
    if (turn > failed_at_) return;
    failed_at_ = turn;
    report_.failure = failure;
  }
  bool out_of_time() {
    if (std::chrono::steady_clock::now() > limits_.end) report_.finished = false;
    return !report_.finished;
  }

  static constexpr std::size_t never = ~std::size_t{0};
  const Layer& layer_;
  const Machine& machine_;
  const Claims& claims_;
  const ChoiceSource& source_;
  const Limits& limits_;
  bool symmetric_;
  std::vector<Spatial> choices_;
  std::vector<bool> logged_;
  BoundsCache cache_;
  std::mutex mutex_;
  std::size_t turn_ = 0;
  bool over_ = false;
  std::size_t failed_at_ = never;
  ReplayReport report_;
};

}  // namespace

ReplayReport replay(const Layer& layer, const Machine& machine, const Claims& claims,
                    const ChoiceSource& source, const Limits& limits) {
  return Replay(layer, machine, claims, source, limits).run();
}

}  // namespace nestor::check
