#include "model/chip/search/arrival_labels.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace nestor::chip {
namespace {

constexpr double unreachable = std::numeric_limits<double>::infinity();
// Limit on the number of times in new labels, on the positions in all layers, and on the entries of rest_. An
// enumeration that exceeds it fails.
constexpr std::size_t most_places = 8'000'000;

}  // namespace

void ArrivalLabels::find_best_speeds(std::span<const std::uint8_t> alive) {
  const std::size_t count = of_.graph.size();
  best_.assign(count, {longest, 1, longest, longest, longest});
  least_cores_.assign(count + 1, 0);
  for (std::size_t k = count; k-- > 0;) {
    Int least = longest;
    Speed& best = best_[k];
    for (auto o = of_.begin[k]; o < of_.begin[k + 1]; ++o) {
      if (alive[o] == 0) continue;
      const LatencyOption& option = of_.options[o];
      best = {std::min(best.row, option.row), std::max(best.lanes, option.lanes),
              std::min(best.in, option.in), std::min(best.out, option.out), std::min(best.gate, option.gate)};
      least = std::min(least, option.cores);
    }
    least_cores_[k] = least_cores_[k + 1] + least;
  }
}

// Finds another path to the rows of the reader: backwards along an edge other than `pending.edge`, through
// unscheduled operators, to a scheduled operator whose rows are also pending. Each unscheduled operator adds
// its times at best speed to the delay.
void ArrivalLabels::find_other_way(std::size_t op, Pending& pending,
                                   const std::vector<Pending>& known) const {
  if (pending.edge->gated) return;
  std::vector<std::size_t> rows(pending.size);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  Int delay = 0;
  for (std::size_t reader = pending.to;;) {
    const SegmentGraph::Edge* way = nullptr;
    for (const auto& edge : of_.graph.edges(reader))
      if (!edge.gated && &edge != pending.edge && (way == nullptr || edge.from > way->from)) way = &edge;
    if (way == nullptr) return;
    if (way->from <= op) {
      const auto place =
          std::find_if(known.begin(), known.end(), [&](const Pending& other) { return other.edge == way; });
      if (place == known.end()) return;
      pending.like = place->begin;
      pending.like_row = std::move(rows);
      pending.delay = delay;
      return;
    }
    for (auto& row : rows) row = of_.graph.needed(*way, row);
    reader = way->from;
    delay += best_[reader].in + best_[reader].row + best_[reader].out;
  }
}

// Computes, for the labels after each operator, the positions of the rows of pending transfers and the least
// time from each position to the end. Returns false if this needs too much memory.
bool ArrivalLabels::find_layers() {
  const SegmentGraph& graph = of_.graph;
  graph.tails(best_, times_);
  std::vector<std::vector<Int>> tail(graph.size());  // least time from the arrival of a row to the end
  std::size_t offset = 0;
  for (std::size_t k = 0; k < graph.size(); ++k) {
    const auto rows = static_cast<std::size_t>(graph.rows(k));
    const auto lanes = static_cast<std::size_t>(best_[k].lanes);
    tail[k].resize(rows);
    for (std::size_t r = rows; r-- > 0;) {
      tail[k][r] = times_.leave[offset + r] + best_[k].out + best_[k].row;
      if (r + lanes < rows) tail[k][r] = std::max(tail[k][r], tail[k][r + lanes] + best_[k].row);
    }
    for (Int& time : tail[k]) time += best_[k].in;
    offset += rows;
  }
  layers_.assign(graph.size(), {});
  std::size_t places = 0;
  for (std::size_t k = 0; k < graph.size(); ++k) {
    Layer& layer = layers_[k];
    for (std::size_t to = k + 1; to < graph.size(); ++to)
      for (const auto& edge : graph.edges(to)) {
        if (edge.from > k) continue;
        Pending pending{
            &edge,   to,      layer.size, edge.gated ? 1 : static_cast<std::size_t>(graph.rows(to)),
            nowhere, nowhere, {},         0};
        if (edge.from < k)
          for (const auto& before : layers_[k - 1].pending)
            if (before.edge == &edge) pending.was = before.begin;
        layer.size += pending.size;
        for (std::size_t r = 0; r < pending.size; ++r)
          layer.tail.push_back(tail[to][r] + (edge.gated ? best_[to].gate : 0));
        layer.pending.push_back(std::move(pending));
      }
    for (auto& pending : layer.pending) find_other_way(k, pending, layer.pending);
    layer.weight.assign(layer.size, 0.0);
    places += layer.size;
    if (places > most_places) return false;
  }
  return true;
}

// Adds the share of each path to the weights of the pending rows through which it continues, and to `ended`
// of the layers after its last operator. Returns false if the rows of a path do not match the edges.
bool ArrivalLabels::place_paths(const Mix& mix) {
  const SegmentGraph& graph = of_.graph;
  for (std::size_t p = 0; p < mix.paths.size(); ++p) {
    const SegmentPath& path = *mix.paths[p];
    const auto share = static_cast<double>(mix.shares[p]);
    std::size_t k = graph.size();
    while (k > 0 && path.rows[k - 1] == 0) --k;
    if (k == 0) return false;
    --k;
    for (std::size_t later = k; later < graph.size(); ++later) layers_[later].ended += share;
    std::size_t exit = static_cast<std::size_t>(graph.rows(k)) - 1;
    for (;;) {
      const auto rows = static_cast<std::size_t>(path.rows[k]);
      if (rows > exit + 1) return false;
      const std::size_t entry = exit + 1 - rows;
      std::size_t from = k;
      while (from > 0 && path.rows[from - 1] == 0) --from;
      if (from == 0) break;  // first operator of the path
      --from;
      const SegmentGraph::Edge* taken = nullptr;
      for (const auto& edge : graph.edges(k))
        if (edge.from == from && edge.gated == (path.gated[k] != 0)) taken = &edge;
      if (taken == nullptr) return false;
      for (std::size_t between = from; between < k; ++between)
        for (const auto& pending : layers_[between].pending)
          if (pending.edge == taken)
            layers_[between].weight[pending.begin + (taken->gated ? 0 : entry)] += share;
      exit = graph.needed(*taken, entry);
      k = from;
    }
  }
  return true;
}

void ArrivalLabels::bound_rest(std::span<const std::uint8_t> alive, const Mix& mix) {
  const std::size_t count = of_.graph.size();
  const auto width = static_cast<std::size_t>(of_.cores) + 1;
  rest_.assign((count + 1) * width, unreachable);
  std::fill(rest_.end() - static_cast<std::ptrdiff_t>(width), rest_.end(), 0.0);
  for (std::size_t k = count; k-- > 0;) {
    double* here = rest_.data() + k * width;
    const double* after = here + width;
    for (auto o = of_.begin[k]; o < of_.begin[k + 1]; ++o) {
      if (alive[o] == 0) continue;
      const auto cores = static_cast<std::size_t>(of_.options[o].cores);
      for (std::size_t left = cores; left < width; ++left)
        here[left] = std::min(here[left], mix.mixed[o] + after[left - cores]);
    }
  }
}

// Appends the label extended by this option to made_. Returns false if the cores do not suffice or if no
// completion of the extended label is below the limit.
bool ArrivalLabels::extend(std::size_t op, const Label& label, const Time* from,
                           const LatencyOption& option) {
  const SegmentGraph& graph = of_.graph;
  const Int cores = label.cores + option.cores;
  if (cores + least_cores_[op + 1] > of_.cores) return false;
  if (std::max({option.row, option.in, option.out, option.gate}) >= limit_) return false;
  const auto rows = static_cast<std::size_t>(graph.rows(op));
  const auto lanes = static_cast<std::size_t>(option.lanes);
  const auto row_time = static_cast<Time>(option.row);
  const auto in = static_cast<Time>(option.in);
  const auto out = static_cast<Time>(option.out);
  // end_ contains the arrival times at first, and the ends later.
  end_.assign(rows, 0);
  Time gate = graph.gated_outside(op) ? 0 : -1;
  if (op > 0)
    for (const auto& pending : layers_[op - 1].pending) {
      if (pending.to != op) continue;
      const Time* arrival = from + pending.begin;
      if (pending.edge->gated)
        gate = std::max(gate, *arrival);
      else
        for (std::size_t r = 0; r < rows; ++r) end_[r] = std::max(end_[r], arrival[r]);
    }
  gate = gate < 0 ? 0 : gate + static_cast<Time>(option.gate);
  for (std::size_t r = 0; r < rows; ++r) {
    const Time ready = std::max(end_[r], gate) + in;
    end_[r] = std::max(ready, r >= lanes ? end_[r - lanes] : 0) + row_time;
    if (end_[r] >= limit_) return false;
  }
  const Time done = std::max(label.done, end_[rows - 1] + out);
  if (done >= limit_) return false;
  const Layer& layer = layers_[op];
  const std::size_t begin = made_places_.size();
  made_places_.resize(begin + layer.size);
  Time* places = made_places_.data() + begin;
  // Equation (8.2).
  double mixed =
      layer.ended * static_cast<double>(done) + rest_[(op + 1) * (static_cast<std::size_t>(of_.cores) + 1) +
                                                      static_cast<std::size_t>(of_.cores - cores)];
  for (const auto& pending : layer.pending) {
    const auto most = static_cast<std::size_t>(best_[pending.to].lanes);
    for (std::size_t r = 0; r < pending.size; ++r) {
      Int time = pending.was == nowhere ? Int{end_[graph.needed(*pending.edge, r)]} + out
                                        : Int{from[pending.was + r]};
      // Two lower bounds on the arrival apply: from earlier rows of the reader, and from the other path to
      // the reader.
      if (r >= most) time = std::max(time, places[pending.begin + r - most] + best_[pending.to].row);
      if (pending.like != nowhere && pending.like < pending.begin)
        time = std::max(time, places[pending.like + pending.like_row[r]] + pending.delay);
      if (time + layer.tail[pending.begin + r] >= limit_) {
        made_places_.resize(begin);
        return false;
      }
      places[pending.begin + r] = static_cast<Time>(time);
      mixed += layer.weight[pending.begin + r] * static_cast<double>(time);
    }
  }
  if (mixed > most_mixed_) {
    made_places_.resize(begin);
    return false;
  }
  made_.push_back({0, 0, static_cast<std::int32_t>(cores), done});
  return true;
}

// True if the effort is exhausted or a stop was requested.
bool ArrivalLabels::spent() {
  if (effort_ >= next_look_) {
    constexpr std::uint64_t interval = 1'000'000;
    next_look_ = effort_ + interval;
    if (stop_->requested()) effort_ = most_effort_ + 1;
  }
  return effort_ > most_effort_;
}

// Stores the labels that no other label dominates. The labels are sorted by cores, then by the sum of their
// times, so that no later label dominates an earlier one.
void ArrivalLabels::keep_undominated(std::size_t op) {
  const std::size_t size = layers_[op].size;
  std::vector<Int> sums(made_.size());
  std::vector<std::uint32_t> order(made_.size());
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t l = 0; l < made_.size(); ++l) {
    const Time* places = made_places_.data() + l * size;
    sums[l] = std::accumulate(places, places + size, Int{made_[l].done});
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (made_[a].cores != made_[b].cores) return made_[a].cores < made_[b].cores;
    return sums[a] != sums[b] ? sums[a] < sums[b] : a < b;
  });
  auto& kept = kept_[op + 1];
  places_.clear();
  for (const auto l : order) {
    const Time* places = made_places_.data() + l * size;
    bool beaten = false;
    for (std::size_t k = kept.size(); k-- > 0 && !beaten;) {
      const Time* other = places_.data() + k * size;
      beaten = kept[k].done <= made_[l].done && (size == 0 || other[size - 1] <= places[size - 1]) &&
               std::equal(other, other + size, places, [](Time a, Time b) { return a <= b; });
    }
    effort_ += kept.size();
    if (spent()) return;
    if (beaten) continue;
    kept.push_back(made_[l]);
    places_.insert(places_.end(), places, places + size);
  }
  labels_ += kept.size();
}

bool ArrivalLabels::run(std::span<const std::uint8_t> alive, const Mix& mix, Int limit, std::uint64_t effort,
                        const StopSource* stop) {
  answer_.clear();
  labels_ = effort_ = next_look_ = 0;
  stop_ = stop;
  most_effort_ = effort;
  limit_ = limit;
  if (limit >= longest) return false;
  most_mixed_ = static_cast<double>(mix.whole) * static_cast<double>(limit - 1);
  find_best_speeds(alive);
  const std::size_t count = of_.graph.size();
  if ((count + 1) * (static_cast<std::size_t>(of_.cores) + 1) > most_places) return false;
  if (!find_layers() || !place_paths(mix)) return false;
  bound_rest(alive, mix);
  kept_.assign(count + 1, {});
  kept_[0].push_back({0, 0, 0, 0});
  places_.clear();
  for (std::size_t k = 0; k < count; ++k) {
    made_.clear();
    made_places_.clear();
    const std::size_t size = k == 0 ? 0 : layers_[k - 1].size;
    for (std::size_t l = 0; l < kept_[k].size(); ++l)
      for (auto o = of_.begin[k]; o < of_.begin[k + 1]; ++o) {
        if (alive[o] == 0) continue;
        effort_ += static_cast<std::uint64_t>(of_.graph.rows(k)) + layers_[k].size;
        if (spent() || made_places_.size() > most_places) return false;
        if (!extend(k, kept_[k][l], places_.data() + l * size, of_.options[o])) continue;
        made_.back().parent = static_cast<std::uint32_t>(l);
        made_.back().option = o;
      }
    keep_undominated(k);
    if (spent()) return false;
  }
  const auto& last = kept_[count];
  if (last.empty()) return true;
  auto best = static_cast<std::size_t>(
      std::min_element(last.begin(), last.end(),
                       [](const Label& a, const Label& b) { return a.done < b.done; }) -
      last.begin());
  answer_.resize(count);
  for (std::size_t k = count; k-- > 0;) {
    answer_[k] = kept_[k + 1][best].option;
    best = kept_[k + 1][best].parent;
  }
  return true;
}

}  // namespace nestor::chip
