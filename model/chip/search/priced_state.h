// State of the search for the least price of a segment (priced_search.h): nodes, remaining options, paths,
// and answers of the knapsack. Private to the search.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "model/chip/search/knapsack.h"
#include "model/chip/search/priced_search.h"
#include "model/chip/search/segment_graph.h"

namespace nestor::chip::priced {

inline constexpr double infinite = std::numeric_limits<double>::infinity();
inline constexpr Int never = INT64_MAX / 4;

using Answer = std::vector<std::uint32_t>;  // option of each operator

// Multipliers of paths, by position in the pool, and of the energy limit.
struct Multipliers {
  std::vector<std::pair<std::size_t, double>> paths;
  double energy = 0;
};

struct Node {
  double bound = 0;
  std::uint64_t number = 0;
  std::vector<std::uint8_t> alive;  // by option
  Multipliers multipliers;
  std::vector<Answer> answers;  // answers of the parent's linear program
};

class PricedSearch {
 public:
  PricedSearch(const ChipProblem& problem, const SegmentDecision& segment,
               std::span<const std::vector<LatencyOption>> options, const PricedGoal& goal,
               const StopSource& stop)
      : cores_(problem.machine.cores.count()),
        graph_(problem, segment.first, segment.last, segment.stream),
        goal_(goal),
        stop_(stop) {
    begin_.push_back(0);
    for (std::size_t i = segment.first; i <= segment.last; ++i) {
      possible_ &= !options[i].empty();
      options_.insert(options_.end(), options[i].begin(), options[i].end());
      begin_.push_back(static_cast<std::uint32_t>(options_.size()));
    }
    speeds_.resize(graph_.size());
  }

  PricedOutcome run(std::uint64_t most_nodes) {
    if (possible_) {
      auto root = std::make_unique<Node>();
      root->alive.assign(options_.size(), 1);
      push(std::move(root));
    }
    while (!open_.empty() && open_.front()->bound < threshold() && outcome_.nodes < most_nodes &&
           !stop_.requested()) {
      auto node = pop();
      ++outcome_.nodes;
      node_ = node.get();
      const bool closed = !shave() || !bound() || !shave_by_knapsack() || !shave();
      if (stop_.requested())
        push(std::move(node));
      else if (!closed)
        branch();
    }
    const double reached = std::min(outcome_.price, goal_.below);
    outcome_.complete = open_.empty() || open_.front()->bound >= threshold();
    outcome_.bound = outcome_.complete ? reached : std::min(reached, open_.front()->bound);
    return std::move(outcome_);
  }

 private:
  static bool later(const std::unique_ptr<Node>& a, const std::unique_ptr<Node>& b) {
    return std::tie(a->bound, a->number) > std::tie(b->bound, b->number);
  }
  void push(std::unique_ptr<Node> node) {
    node->number = numbered_++;
    open_.push_back(std::move(node));
    std::push_heap(open_.begin(), open_.end(), later);
  }
  std::unique_ptr<Node> pop() {
    std::pop_heap(open_.begin(), open_.end(), later);
    auto node = std::move(open_.back());
    open_.pop_back();
    return node;
  }

  // Returns the threshold at or above which prices are no improvement. Prices that consist of cycles alone
  // are integers.
  double threshold() const {
    const double best = std::min(outcome_.price, goal_.below);
    if (best == infinite) return best;
    if (!goal_.energy && goal_.per_cycle == 1) return best - 1 + 1e-6;
    return best - 1e-10 * std::abs(best);
  }
  double price_of(const LatencyOption& option) const { return goal_.energy ? option.energy : 0; }
  bool alive(std::uint32_t o) const { return node_->alive[o] != 0; }

  template <typename Use>
  void each_alive(std::size_t k, Use use) const {
    for (auto o = begin_[k]; o < begin_[k + 1]; ++o)
      if (alive(o)) use(o);
  }
  template <typename Figure>
  auto least(std::size_t k, Figure figure) const {
    auto result = figure(options_[begin_[k]]);
    bool any = false;
    each_alive(k, [&](std::uint32_t o) {
      const auto value = figure(options_[o]);
      if (!any || value < result) result = value;
      any = true;
    });
    return result;
  }

  // Removes options with which no schedule satisfies the limits and improves the price, even if all other
  // operators use their best values. Returns false if no schedule is left.
  bool shave() {
    for (bool changed = true; changed;) {
      changed = false;
      if (!take_best()) return false;
      if (stop_.requested()) return true;
      for (std::size_t k = 0; k < graph_.size(); ++k) {
        const double price = least(k, [&](const LatencyOption& o) { return price_of(o); });
        const double energy = least(k, [](const LatencyOption& o) { return o.energy; });
        const Int cores = least(k, [](const LatencyOption& o) { return o.cores; });
        bool any = false;
        bool gone = false;
        each_alive(k, [&](std::uint32_t o) {
          const LatencyOption& option = options_[o];
          const bool useless =
              option.cores - cores > cores_ - least_cores_ ||
              least_energy_ - energy + option.energy > goal_.most_energy * (1 + 1e-9) ||
              goal_.per_cycle * static_cast<double>(earliest_) + least_price_ - price + price_of(option) >=
                  threshold() ||
              (end_ < never && graph_.with(k, speed_of(option), times_, scratch_) > end_);
          any |= !useless;
          gone |= useless;
          if (useless) node_->alive[o] = 0;
        });
        if (!any) return false;
        changed |= gone;
      }
    }
    return true;
  }

  // Computes the best value of each figure over the remaining options of each operator. Returns false if even
  // these values violate a limit or do not improve the price.
  bool take_best() {
    least_cores_ = 0;
    least_energy_ = least_price_ = 0;
    for (std::size_t k = 0; k < graph_.size(); ++k) {
      speeds_[k] = slowest_speed;
      each_alive(k, [&](std::uint32_t o) { speeds_[k] = best_of(speeds_[k], speed_of(options_[o])); });
      least_cores_ += least(k, [](const LatencyOption& o) { return o.cores; });
      least_energy_ += least(k, [](const LatencyOption& o) { return o.energy; });
      least_price_ += least(k, [&](const LatencyOption& o) { return price_of(o); });
    }
    earliest_ = graph_.heads(speeds_, times_);
    graph_.tails(speeds_, times_);
    end_ = goal_.latest;
    const double left = threshold() - least_price_;
    if (goal_.per_cycle > 0 && left / goal_.per_cycle < static_cast<double>(end_))
      end_ = static_cast<Int>(std::floor(std::max(0.0, left / goal_.per_cycle * (1 + 1e-12))));
    return least_cores_ <= cores_ && earliest_ <= end_ && least_energy_ <= goal_.most_energy * (1 + 1e-9) &&
           least_price_ + goal_.per_cycle * static_cast<double>(earliest_) < threshold();
  }

  struct Path {
    SegmentPath rows;
    std::vector<double> lengths;  // by option
  };

  std::size_t add_path(SegmentPath rows);

  // Sets the prices of options under the multipliers. Returns the constant part of the price.
  double reprice(const Multipliers& multipliers);

  bool fill_knapsack();

  double energy_of(const Answer& answer) const {
    double sum = 0;
    for (const auto o : answer) sum += options_[o].energy;
    return sum;
  }
  double price_of(const Answer& answer) const {
    double sum = 0;
    for (const auto o : answer) sum += price_of(options_[o]);
    return sum;
  }

  void accept(const Answer& answer, Int schedule) {
    if (schedule > goal_.latest || energy_of(answer) > goal_.most_energy * (1 + 1e-9)) return;
    const double price = price_of(answer) + goal_.per_cycle * static_cast<double>(schedule);
    if (price >= std::min(outcome_.price, goal_.below)) return;
    outcome_.price = price;
    outcome_.decisions.clear();
    for (const auto o : answer) outcome_.decisions.push_back(options_[o].decision);
  }

  // Computes the bound of the node, improving the multipliers step by step. Returns false if the node is
  // closed.
  bool bound();

  // Moves the multipliers half of the way from their best known values to `wanted`, because pure cutting
  // planes oscillate.
  void move_towards(const Multipliers& wanted, Multipliers& now) const;

  // Adds the knapsack's answer and its longest path to the linear program. Returns the optimum of this
  // program.
  double add_answer();

  // Minimises the cost of a mix of answers: their weighted prices, the end of the schedule, and penalised
  // excess over the limits. The duals of its rows are the next multipliers.
  double solve_program();

  // Removes options whose least price under the multipliers is no improvement. Returns false if an operator
  // has no options left.
  bool shave_by_knapsack();

  // Splits the options of the operator in which the mixed answers differ most, at the point where they
  // differ. If the answers do not differ, halves the options of the operator with the most options. If only
  // one answer is left, accepts it.
  void branch() {
    std::size_t chosen = graph_.size();
    std::uint32_t last = 0;
    double most = 0;
    reprice(node_->multipliers);
    for (std::size_t k = 0; k < graph_.size(); ++k) {
      std::vector<std::uint32_t> used;
      for (std::size_t a = 0; a < weights_.size(); ++a)
        if (weights_[a] > 1e-9 && alive(answers_[a][k])) used.push_back(answers_[a][k]);
      std::sort(used.begin(), used.end());
      used.erase(std::unique(used.begin(), used.end()), used.end());
      for (std::size_t u = 0; u + 1 < used.size(); ++u) {
        double weight[2] = {0, 0};
        double price[2] = {0, 0};
        for (std::size_t a = 0; a < weights_.size(); ++a) {
          const auto o = answers_[a][k];
          const int side = o <= used[u] ? 0 : 1;
          weight[side] += weights_[a];
          price[side] += weights_[a] * (2 * price_of(options_[o]) - repriced_[o]);
        }
        const double worth =
            std::min(weight[0], weight[1]) * (1e-9 + std::abs(price[0] / weight[0] - price[1] / weight[1]));
        if (worth <= most) continue;
        most = worth;
        chosen = k;
        last = used[u];
      }
    }
    if (chosen == graph_.size() && !halve(chosen, last)) return take_only();
    for (const bool above : {false, true}) {
      auto child = std::make_unique<Node>();
      child->bound = node_->bound;
      child->alive = node_->alive;
      child->multipliers = node_->multipliers;
      for (auto o = begin_[chosen]; o < begin_[chosen + 1]; ++o)
        if ((o > last) != above) child->alive[o] = 0;
      for (std::size_t a = 0; a < weights_.size(); ++a)
        if (weights_[a] > 1e-9) child->answers.push_back(answers_[a]);
      push(std::move(child));
    }
  }

  bool halve(std::size_t& chosen, std::uint32_t& last) const {
    std::vector<std::uint32_t> most;
    for (std::size_t k = 0; k < graph_.size(); ++k) {
      std::vector<std::uint32_t> here;
      each_alive(k, [&](std::uint32_t o) { here.push_back(o); });
      if (here.size() <= most.size()) continue;
      most = here;
      chosen = k;
    }
    if (most.size() < 2) return false;
    last = most[most.size() / 2 - 1];
    return true;
  }

  void take_only() {
    Answer answer;
    Int cores = 0;
    for (std::size_t k = 0; k < graph_.size(); ++k)
      each_alive(k, [&](std::uint32_t o) {
        answer.push_back(o);
        cores += options_[o].cores;
        speeds_[k] = speed_of(options_[o]);
      });
    if (cores <= cores_) accept(answer, graph_.heads(speeds_, answer_times_));
  }

  const Int cores_;
  const SegmentGraph graph_;
  const PricedGoal goal_;
  const StopSource& stop_;
  std::vector<LatencyOption> options_;
  std::vector<std::uint32_t> begin_;
  bool possible_ = true;
  std::vector<std::unique_ptr<Node>> open_;  // heap, least bound first
  std::uint64_t numbered_ = 0;
  PricedOutcome outcome_;
  Node* node_ = nullptr;  // current node
  std::vector<Speed> speeds_;
  SegmentTimes times_;  // times with each operator at its best speed
  SegmentTimes answer_times_;
  std::vector<Int> scratch_;
  Int earliest_ = 0;  // earliest end of the node's schedules
  Int end_ = never;   // schedules with a later end are ignored
  Int least_cores_ = 0;
  double least_energy_ = 0;
  double least_price_ = 0;
  std::vector<Path> pool_;
  std::vector<std::size_t> columns_;  // paths of the linear program
  std::vector<Answer> answers_;       // answers of the linear program
  std::vector<double> weights_;       // weights of the answers in the program's optimum
  Multipliers wanted_;
  std::vector<double> repriced_;
  Knapsack knapsack_;
};

}  // namespace nestor::chip::priced
