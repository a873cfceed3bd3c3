#include "check/prove.h"

#include <algorithm>
#include <thread>
#include <unordered_map>

#include "check/bounds.h"

namespace nestor::check {
namespace {

// Nests below one spatial choice that may take this many bytes; beyond, the check gives up on the layer.
constexpr std::size_t most_nests = 20'000'000;

constexpr std::size_t most_choices = 3'000'000;

// Every way to lay factors on the axes.
std::vector<Spatial> spatial_choices(const Layer& layer, const Machine& machine) {
  std::vector<Spatial> all;
  Spatial chosen(machine.axes.size());
  for (Extents& factors : chosen) factors.fill(1);
  Extents left = layer.bounds;
  const auto choose = [&](const auto& self, std::size_t axis, std::size_t dim, Int lanes) -> void {
    if (axis == machine.axes.size()) {
      all.push_back(chosen);
      if (all.size() > most_choices) throw Unreadable("a layer has too many spatial choices");
      return;
    }
    if (dim == dim_count) {
      self(self, axis + 1, 0, 1);
      return;
    }
    for (const Int factor : divisors_of(left[dim])) {
      if (factor > machine.axes[axis].size / lanes) break;
      chosen[axis][dim] = factor;
      left[dim] /= factor;
      self(self, axis, dim + 1, lanes * factor);
      left[dim] *= factor;
      if (!machine.axes[axis].dims[dim]) break;
    }
    chosen[axis][dim] = 1;
  };
  choose(choose, 0, 0, 1);
  return all;
}

// Exchanging P with Q and R with S maps the layer and the axes onto themselves.
bool is_symmetric(const Layer& layer, const Machine& machine) {
  return layer.bounds[P] == layer.bounds[Q] && layer.bounds[R] == layer.bounds[S] &&
         layer.stride[0] == layer.stride[1] && layer.dilation[0] == layer.dilation[1] &&
         std::all_of(machine.axes.begin(), machine.axes.end(), [](const Axis& axis) {
           return axis.dims[P] == axis.dims[Q] && axis.dims[R] == axis.dims[S];
         });
}
Spatial mirror(Spatial spatial) {
  for (Extents& factors : spatial) {
    std::swap(factors[P], factors[Q]);
    std::swap(factors[R], factors[S]);
  }
  return spatial;
}

// The nests below one spatial choice.
class Below {
 public:
  Below(const Layer& layer, const Machine& machine, const Claim& claim, const Lanes& lanes,
        BoundsCache& cache, Report& report)
      : claim_(claim),
        machine_(machine),
        lanes_(lanes),
        nest_(layer, machine, claim, lanes),
        report_(report) {
    const Node root = nest_.root();
    if (!nest_.fits(root)) return;
    for (const Operand x : operands) bounds_[x] = cache.get(nest_, x, machine, claim);
    if (closed(root)) return;
    std::size_t depths = 1;
    for (std::size_t d = 0; d < dim_count; ++d) {
      auto& depth_of = depth_[d];
      depth_of.resize(lanes.divisors[d].size());
      up_[d].resize(lanes.divisors[d].size());
      for (std::size_t i = 0; i < lanes.divisors[d].size(); ++i) {
        up_[d][i] = one_prime_up(lanes.divisors[d], i);
        for (const std::size_t j : up_[d][i]) depth_of[j] = depth_of[i] + 1;
      }
      depths += depth_of.back();
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
      follow(level->nodes[level->followed++]);
      if (is_open(*level) || claim_.is_of_impossibility()) continue;
      stored_ -= level->nodes.size();
      *level = {};
    }
  }

 private:
  struct Level {
    std::vector<Node> nodes;
    std::size_t followed = 0;  ///< the first of them
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> of_key;
  };

  void follow(const Node& node) {
    ++report_.followed;
    std::array<std::vector<Step>, 3> all;
    for (const Operand x : operands) all[x] = nest_.steps(node, x);
    std::array<std::vector<Step>, 3> offered;
    for (std::size_t d = 0; d < dim_count; ++d) {
      if (nest_.remaining(node, d) == 1) continue;
      for (const Operand x : operands)
        offered[x].assign(all[x].begin(), is_relevant(d, x) ? all[x].end() : all[x].begin() + 1);
      for (const Step& i : offered[I])
        for (const Step& w : offered[W])
          for (const Step& o : offered[O]) place(node, d, {i, w, o});
    }
  }

  // Splitting a loop without a transfer changes nothing: primes suffice there. Others may be of any length.
  void place(const Node& node, std::size_t d, const Steps& steps) {
    const auto& divisors = lanes_.divisors[d];
    const std::size_t from = node.placed[d];
    if (!steps[I].moves && !steps[W].moves && !steps[O].moves) {
      for (const std::size_t j : up_[d][from]) consider(nest_.after(node, d, j, steps));
      return;
    }
    for (std::size_t j = from + 1; j < divisors.size(); ++j)
      if (divisors[j] % divisors[from] == 0) consider(nest_.after(node, d, j, steps));
  }

  void consider(Node node) {
    if (closed(node)) return;
    if (!nest_.fits(node)) {
      ++report_.by_room;
      return;
    }
    if (node.rest == 1) {
      complete(node);
      return;
    }
    nest_.forget_closed_memories(node);
    keep(node);
  }

  void complete(const Node& node) {
    const Int latency = claim_.follows_latency() ? nest_.latency_of(node) : 0;
    const Wide energy = nest_.energy_of(node);
    if (claim_.closes(latency, energy)) {
      ++report_.by_bound;
      return;
    }
    report_.refuted = true;
    report_.latency = latency;
    report_.energy = energy;
  }

  bool closed(const Node& node) {
    std::array<const OperandBounds::Rest*, 3> rests;
    Wide energy = node.energy;
    for (const Operand x : operands) {
      rests[x] = &bounds_[x]->rest(node);
      if (!rests[x]->possible) {
        ++report_.by_room;
        return true;
      }
      if (claim_.follows_energy()) energy = plus(energy, rests[x]->energy);
    }
    const Int latency = claim_.follows_latency() ? least_latency(node, rests) : 0;
    if (!claim_.closes(latency, energy)) return false;
    ++report_.by_bound;
    return true;
  }

  // The loops to come multiply M, which never falls: their steady part is at least M (rest - 1).
  Int least_latency(const Node& node, const std::array<const OperandBounds::Rest*, 3>& rests) const {
    const Int steady = times(node.m, node.rest - 1);
    const Int last = rests[O]->transfers;
    if (claim_.objective().miredo) {
      // P_O grows by L (N-1) and, at a transfer, T or more; that of an operand without transfers by L (N-1).
      Int least = plus(node.p[O], plus(steady, last));
      for (const Operand x : operands) {
        least = std::max(least, rests[x]->stream);
        if (!nest_.may_transfer(node, x)) least = std::max(least, plus(node.p[x], steady));
      }
      return least;
    }
    const Int first =
        std::max(plus(node.first[I], rests[I]->transfers), plus(node.first[W], rests[W]->transfers));
    Int least = plus(plus(steady, first), last);
    for (const Operand x : {I, W}) least = std::max(least, plus(plus(node.first[x], rests[x]->stream), last));
    least = std::max(least, plus(first, rests[O]->stream));
    return plus(plus(node.steady, least), machine_.mvm_cycles);
  }

  // Of equal keys. If M and P of a exceed those of b by at most D >= 0, then so does L in the next loop, M
  // and P by D N after it (row by row of Table III; a double-buffered input with N = 2 has P = 2 T), and the
  // steady part grows by at most D (rest - 1) more in all.
  bool dominates(const Node& a, const Node& b) const {
    for (std::size_t m = 0; m < machine_.memories.size(); ++m)
      if (a.departed[m] > b.departed[m]) return false;
    if (claim_.follows_energy() && a.energy > b.energy) return false;
    if (!claim_.follows_latency()) return true;
    Int ahead = std::max(Int{0}, a.m - b.m);
    for (const Operand x : operands) ahead = std::max(ahead, a.p[x] - b.p[x]);
    if (claim_.objective().miredo) return ahead == 0;
    const Int first = std::max(a.first[I] - b.first[I], a.first[W] - b.first[W]);
    return plus(plus(a.steady, first), times(ahead, a.rest - 1)) <= b.steady;
  }

  void keep(const Node& node) {
    std::uint64_t key = node.entered_complete ? 1 : 0;
    std::size_t depth = 0;
    for (std::size_t d = 0; d < dim_count; ++d) {
      key = key * lanes_.divisors[d].size() + node.placed[d];
      depth += depth_[d][node.placed[d]];
    }
    for (const Operand x : operands) key = key * most_memories + node.at[x];
    Level& level = levels_[depth];
    auto& equals = level.of_key[key];
    for (std::size_t e = 0; e < equals.size();) {
      Node& other = level.nodes[equals[e]];
      if (dominates(other, node)) {
        ++report_.dominated;
        return;
      }
      if (equals[e] < level.followed || !dominates(node, other)) {
        ++e;
        continue;
      }
      ++report_.dominated;
      other = node;  // takes its place; further ones that it dominates stay, which costs time only
      return;
    }
    equals.push_back(static_cast<std::uint32_t>(level.nodes.size()));
    level.nodes.push_back(node);
    ++stored_;
  }

  const Claim& claim_;
  const Machine& machine_;
  const Lanes& lanes_;
  Nest nest_;
  Report& report_;
  std::array<std::shared_ptr<const OperandBounds>, 3> bounds_;
  std::array<std::vector<std::size_t>, dim_count> depth_;  ///< primes in a divisor
  std::array<std::vector<std::vector<std::size_t>>, dim_count> up_;
  std::vector<Level> levels_;  ///< by primes placed
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
  auto choices = spatial_choices(layer, machine);
  Report sum;
  sum.choices = choices.size();
  if (is_symmetric(layer, machine))
    std::erase_if(choices, [](const Spatial& spatial) { return mirror(spatial) < spatial; });
  BoundsCache cache;
  std::mutex mutex;
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> refuted_at = choices.size();
  std::exception_ptr failure;
  const auto work = [&] {
    try {
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
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
      next = choices.size();
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t t = 1; t < limits.threads; ++t) threads.emplace_back(work);
  work();
  for (auto& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
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
      const auto step = std::find_if(steps.begin(), steps.end(), [&](const Step& candidate) {
        return candidate.to == loop.at[x] && candidate.moves == moves && candidate.doubled == doubled;
      });
      if (step == steps.end() || (moves && !is_relevant(loop.dim, x)))
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
