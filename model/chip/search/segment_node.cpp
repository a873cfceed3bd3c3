#include "model/chip/search/segment_node.h"

#include <algorithm>
#include <cmath>

namespace nestor::chip {
namespace {

constexpr Int whole = whole_mix;
constexpr double longest_exact = 0x1p32;

}  // namespace

SegmentSearch::Worker::Worker(const SegmentSearch& search)
    : search_(search),
      labels_({search.graph_, search.options_, search.option_begin_, search.problem_.machine.cores.count()}) {
}

// True if a stop was requested. The worker then abandons its node, which remains open.
bool SegmentSearch::Worker::stopped() {
  if (!outcome_.stopped && search_.stop_->requested()) outcome_.stopped = true;
  return outcome_.stopped;
}

std::shared_ptr<const SegmentSearch::Path> SegmentSearch::Worker::path_of(SegmentPath rows) const {
  auto path = std::make_shared<Path>();
  path->lengths.resize(search_.options_.size());
  for (std::size_t k = 0; k < search_.graph_.size(); ++k)
    for (auto o = search_.option_begin_[k]; o < search_.option_begin_[k + 1]; ++o)
      path->lengths[o] = static_cast<double>(rows.length(k, speed_of(search_.options_[o])));
  path->rows = std::move(rows);
  return path;
}

void SegmentSearch::Worker::mix(const Node& node, const std::vector<Int>& shares) {
  mixed_.assign(search_.options_.size(), 0.0);
  for (std::size_t p = 0; p < shares.size(); ++p) {
    if (shares[p] == 0) continue;
    const auto share = static_cast<double>(shares[p]);
    const double* lengths = node.paths[p]->lengths.data();
    for (std::size_t o = 0; o < mixed_.size(); ++o) mixed_[o] += share * lengths[o];
  }
}

// Fills and solves the knapsack. An operator with one remaining option contributes a constant cost instead of
// a group. Returns false if no answer fits.
bool SegmentSearch::Worker::fill_knapsack(const Node& node) {
  Int cores = search_.problem_.machine.cores.count();
  fixed_cost_ = 0;
  group_operator_.clear();
  for (std::size_t k = 0; k < search_.graph_.size(); ++k) {
    std::uint32_t count = 0;
    std::uint32_t only = 0;
    for (auto o = search_.option_begin_[k]; o < search_.option_begin_[k + 1]; ++o)
      if (node.alive[o] != 0) {
        ++count;
        only = o;
      }
    if (count == 1) {
      cores -= search_.options_[only].cores;
      fixed_cost_ += mixed_[only];
    }
  }
  knapsack_.clear(cores);
  for (std::size_t k = 0; k < search_.graph_.size(); ++k) {
    const auto begin = search_.option_begin_[k];
    const auto end = search_.option_begin_[k + 1];
    if (std::count_if(node.alive.begin() + begin, node.alive.begin() + end,
                      [](std::uint8_t a) { return a != 0; }) < 2)
      continue;
    group_operator_.push_back(static_cast<std::uint32_t>(k));
    knapsack_.begin_group();
    for (auto o = begin; o < end; ++o)
      if (node.alive[o] != 0) knapsack_.add({o, search_.options_[o].cores, mixed_[o]});
  }
  outcome_.counts.knapsacks += 1;
  return knapsack_.solve();
}

void SegmentSearch::Worker::note(Int schedule, const Answer& answer) {
  if (schedule >= outcome_.schedule || schedule >= limit_) return;
  outcome_.schedule = schedule;
  outcome_.answer = answer;
  limit_ = schedule;
}

// Records the answer with the fewest cores, if it fits: as a first incumbent, or as the only answer that the
// node has left.
void SegmentSearch::Worker::note_cheapest(const Node& node) {
  Answer answer(search_.graph_.size());
  Int cores = 0;
  for (std::size_t k = 0; k < answer.size(); ++k) {
    Int least = never;
    for (auto o = search_.option_begin_[k]; o < search_.option_begin_[k + 1]; ++o) {
      if (node.alive[o] == 0 || search_.options_[o].cores >= least) continue;
      least = search_.options_[o].cores;
      answer[k] = o;
    }
    speeds_[k] = speed_of(search_.options_[answer[k]]);
    cores += least;
  }
  if (cores <= search_.problem_.machine.cores.count()) note(search_.graph_.heads(speeds_, times_), answer);
}

// Solves the knapsack under the node's shares, and adds the answer and its longest path to the dual. Returns
// false if the node is closed or the schedule of the answer equals the node's bound.
bool SegmentSearch::Worker::step(Node& node, PathDual& dual) {
  mix(node, node.shares);
  if (!fill_knapsack(node)) {
    node.bound = never;
    return false;
  }
  node.bound = std::max(node.bound, proved_cycles(knapsack_.value() + fixed_cost_));
  if (node.bound >= limit_) return false;
  Answer answer(search_.graph_.size());
  for (std::size_t k = 0; k < answer.size(); ++k)
    for (auto o = search_.option_begin_[k]; o < search_.option_begin_[k + 1]; ++o)
      if (node.alive[o] != 0) answer[k] = o;
  for (std::size_t g = 0; g < group_operator_.size(); ++g)
    answer[group_operator_[g]] = knapsack_.item(knapsack_.answer()[g]).option;
  for (std::size_t k = 0; k < answer.size(); ++k) speeds_[k] = speed_of(search_.options_[answer[k]]);
  const Int schedule = search_.graph_.heads(speeds_, times_);
  note(schedule, answer);
  if (node.bound >= limit_) return false;
  auto rows = search_.graph_.longest_path(speeds_, times_);
  const auto length = [&](const Path& path, const Answer& of) {
    double sum = 0;
    for (const auto o : of) sum += path.lengths[o];
    return sum;
  };
  std::vector<double> lengths;
  for (const auto& path : node.paths) lengths.push_back(length(*path, answer));
  dual.add_answer(lengths);
  answers_.push_back(std::move(answer));
  const bool known =
      std::any_of(node.paths.begin(), node.paths.end(), [&](const auto& path) { return path->rows == rows; });
  if (known) return true;
  node.paths.push_back(path_of(std::move(rows)));
  node.shares.push_back(0);
  lengths.clear();
  for (const auto& of : answers_) lengths.push_back(length(*node.paths.back(), of));
  dual.add_path(lengths);
  return true;
}

// Computes the mixed bound of the node, improving it step by step. Returns false if the node is closed.
bool SegmentSearch::Worker::bound_by_paths(Node& node, int steps) {
  answers_.clear();
  weights_.clear();
  PathDual dual;
  for (std::size_t p = 0; p < node.paths.size(); ++p) dual.add_path({});
  if (node.paths.empty()) {
    // times_ contains the heads at best speeds.
    node.paths.push_back(path_of(search_.graph_.longest_path(speeds_, times_)));
    node.shares = {whole};
    dual.add_path({});
  }
  for (const Answer& answer : node.answers) {
    if (std::any_of(answer.begin(), answer.end(), [&](std::uint32_t o) { return node.alive[o] == 0; }))
      continue;
    std::vector<double> lengths;
    for (const auto& path : node.paths) {
      double sum = 0;
      for (const auto o : answer) sum += path->lengths[o];
      lengths.push_back(sum);
    }
    dual.add_answer(lengths);
    answers_.push_back(answer);
  }
  std::vector<Int> best_shares = node.shares;
  Int best_bound = node.bound;
  double best_value = -1;
  for (int s = 0; s < steps && !stopped(); ++s) {
    if (!step(node, dual)) {
      // The proof uses the best mix found so far.
      best_shares.resize(node.paths.size(), 0);
      if (knapsack_.value() + fixed_cost_ < best_value) node.shares = best_shares;
      return false;
    }
    const double value = knapsack_.value() + fixed_cost_;
    if (value > best_value) {
      best_value = value;
      best_shares = node.shares;
    }
    best_bound = std::max(best_bound, node.bound);
    if (s + 1 == steps) break;
    best_shares.resize(node.paths.size(), 0);
    std::vector<Int> wanted;
    if (search_.settings_.linear_program) {
      wanted = dual.shares(whole);
      outcome_.counts.programs += 1;
      weights_ = dual.answer_weights();
    }
    if (wanted.empty()) {
      wanted.assign(node.paths.size(), 0);
      wanted.back() = whole;
    }
    if (search_.settings_.linear_program &&
        dual.value() * static_cast<double>(whole) <= best_value + 0.5 * static_cast<double>(whole))
      break;
    // The shares move only part of the way from the best known shares to the wanted shares, because pure
    // cutting planes oscillate.
    Int left = whole;
    const Int pull = search_.settings_.linear_program ? 2 : s + 3;
    for (std::size_t p = 0; p < wanted.size(); ++p) {
      node.shares[p] = (best_shares[p] * (pull - 1) + wanted[p]) / pull;
      left -= node.shares[p];
    }
    *std::max_element(node.shares.begin(), node.shares.end()) += left;
  }
  best_shares.resize(node.paths.size(), 0);
  node.shares = best_shares;
  return true;
}

// Enumerates all schedules of the node below the limit by labels, under its mix. Returns false if labels are
// disabled, if the segment is a stream, or if the effort does not suffice.
bool SegmentSearch::Worker::finish_by_labels(const Node& node) {
  const auto effort = node.number == 0 ? search_.settings_.root_label_effort : search_.settings_.label_effort;
  if (effort == 0 || search_.graph_.is_stream()) return false;
  mix(node, node.shares);
  ArrivalLabels::Mix with{{}, {}, whole, mixed_};
  for (std::size_t p = 0; p < node.paths.size(); ++p) {
    if (node.shares[p] == 0) continue;
    with.paths.push_back(&node.paths[p]->rows);
    with.shares.push_back(node.shares[p]);
  }
  outcome_.counts.labelled += 1;
  const bool all = labels_.run(node.alive, with, limit_, effort, search_.stop_);
  outcome_.counts.labels += labels_.labels();
  if (!all) return false;
  outcome_.counts.listed += 1;
  const Answer& answer = labels_.answer();
  if (answer.empty()) return true;
  for (std::size_t k = 0; k < answer.size(); ++k) speeds_[k] = speed_of(search_.options_[answer[k]]);
  note(search_.graph_.heads(speeds_, times_), answer);
  return true;
}

SegmentSearch::Outcome SegmentSearch::Worker::process(Node& node, Int limit, bool labels) {
  outcome_ = {};
  limit_ = limit;
  if (!shave(node)) {
    outcome_.counts.reached += 1;
    return std::move(outcome_);
  }
  if (stopped()) return std::move(outcome_);
  const int steps = node.number == 0 ? search_.settings_.root_steps : search_.settings_.dual_steps;
  const bool exact = static_cast<double>(limit_) < longest_exact;
  if (!exact) {
    // Mixed lengths might not be exact, so only the longest path bounds the node.
    node.shares.clear();
    node.paths.clear();
    answers_.clear();
    weights_.clear();
    note_cheapest(node);
  } else if (!bound_by_paths(node, steps) || !shave_by_knapsack(node) || !shave(node)) {
    outcome_.counts.mixed += 1;
    return std::move(outcome_);
  } else if (labels && !stopped() && finish_by_labels(node)) {
    return std::move(outcome_);
  }
  if (!stopped()) branch(node);
  if (outcome_.stopped) outcome_.children.clear();
  return std::move(outcome_);
}

}  // namespace nestor::chip
