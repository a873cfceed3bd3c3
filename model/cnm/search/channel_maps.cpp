#include "model/cnm/search/channel_maps.h"

#include <algorithm>
#include <array>

#include "model/cnm/estimate/pim_kernel.h"
#include "model/cnm/estimate/pim_stream.h"
#include "model/cnm/search/channel_bound.h"
#include "model/cnm/search/channel_cuts.h"
#include "model/cnm/search/stream_bound.h"

namespace nestor::cnm {
namespace {

constexpr std::size_t most_cuts = 20'000'000;
constexpr std::array<Int, 4> blocks_of_a_dim = {1, 2, 4, 8};
constexpr std::array<Int, 2> vectors_at_once = {8, 16};
constexpr double well_below = 0.97;
constexpr std::size_t most_remembered = 200'000;

struct Cut {
  double bound = 0;
  std::uint32_t channels = 0, blocks = 0, lanes = 0;
};

class Search {
 public:
  Search(const Kernel& kernel, const System& system, std::optional<std::size_t> count, const StopSignal* stop,
         double limit)
      : kernel_(kernel),
        system_(system),
        form_(pim_form_of(kernel)),
        bound_(kernel, form_, system),
        stream_bound_(system),
        count_(count),
        stop_(stop),
        library_(pim_kernel_of(kernel)),
        limit_(limit) {}

  ChannelSearch run(ChannelSpace space) {
    if (!form_.refusal.empty()) {
      found_.refusal = form_.refusal;
      return std::move(found_);
    }
    if (space == ChannelSpace::library && !library_) {
      found_.refusal = "no kernel of HBM-PIM's library (add, mul, relu, gemv) computes this";
      return std::move(found_);
    }
    exact_ = space == ChannelSpace::exact;
    list_cuts(space);
    for (const Cut& cut : cuts_) {
      take_up_to(std::min(cut.bound, limit_));
      if (cut.bound > limit_) break;
      ++found_.cuts;
      CnmMap map = map_of(cut);
      if (space != ChannelSpace::library && form_.contraction) expand_blocks(map, cut);
      if (space != ChannelSpace::library && !form_.contraction) expand_points(map);
      const bool takes_library = library_ && is_library_form(map, system_) && !exact_ &&
                                 (form_.contraction || space == ChannelSpace::library);
      if (takes_library) add_library(map);
      // Bounds are tight: evaluating a member with a bound well below the limit lowers the limit, which
      // prunes most members of later cuts. If several members are wanted, all members up to the limit are
      // needed anyway.
      take_up_to(count_ == std::size_t{1} ? well_below * limit_ : limit_);
      if (!stopped()) continue;
      stop_at(cut.bound);
      break;
    }
    take_up_to(limit_);
    if (stopped() && !open_.empty()) stop_at(open_.front().bound);
    trim();
    return std::move(found_);
  }

 private:
  bool stopped() const { return stop_ != nullptr && stop_->requested(); }
  double cost_of_cycles(Int cycles, Int partial) const {
    return cost_of(cycles_to_ms(system_, static_cast<double>(cycles)) +
                   host_time(system_, 0, {partial, 0, 0}).sum());
  }
  // Bounds are rounded like costs, but their sums are computed in another order, so 1 picosecond is
  // subtracted.
  double bound_of_cycles(Int cycles, Int partial) const { return cost_of_cycles(cycles, partial) - 1; }
  void list_cuts(ChannelSpace space) {
    const std::size_t dims = kernel_.dim_count();
    channels_ = tuples_within(system_.levels[0].size, kernel_.extents);
    if (space == ChannelSpace::library) {
      blocks_.assign(1, std::vector<Int>(dims, 1));
      blocks_[0][0] = system_.levels[1].size;
      lanes_.assign(1, std::vector<Int>(dims, 1));
      lanes_[0][dims - 1] = system_.levels[2].size;
    } else {
      blocks_ = factorisations(system_.levels[1].size, dims);
      lanes_ = factorisations(system_.levels[2].size, dims);
    }
    if (channels_.size() * blocks_.size() * lanes_.size() > most_cuts) {
      found_.stopped = true;
      found_.bound = 0;
      found_.refusal = "not enough memory for all ways to cut the dims";
      return;
    }
    // The share of a bank depends only on these products and the channels.
    const auto [units, unit_of] = distinct_products(blocks_, lanes_);
    std::vector<double> bounds(units.size());
    for (std::uint32_t c = 0; c < channels_.size(); ++c) {
      if (stopped()) {
        stop_at(0);
        cuts_.clear();
        return;
      }
      for (std::size_t u = 0; u < units.size(); ++u) {
        const auto parts = products(channels_[c], units[u]);
        bounds[u] = exact_ && !divide(parts, kernel_.extents) ? no_cost : bound_of_parts(parts);
      }
      for (std::uint32_t b = 0; b < blocks_.size(); ++b)
        for (std::uint32_t l = 0; l < lanes_.size(); ++l)
          if (const double bound = bounds[unit_of[b * lanes_.size() + l]]; bound != no_cost)
            cuts_.push_back({bound, c, b, l});
    }
    std::stable_sort(cuts_.begin(), cuts_.end(),
                     [](const Cut& x, const Cut& y) { return x.bound < y.bound; });
  }

  CnmMap map_of(const Cut& cut) const {
    CnmMap map;
    map.tuples = {channels_[cut.channels], blocks_[cut.blocks], lanes_[cut.lanes], {}};
    for (std::size_t d = 0; d < kernel_.dim_count(); ++d)
      map.tuples[3].push_back(
          ceil_divide(kernel_.extents[d], map.tuples[0][d] * map.tuples[1][d] * map.tuples[2][d]));
    return map;
  }

  double bound_of_parts(const std::vector<Int>& parts) const {
    std::vector<Int> local(parts.size());
    for (std::size_t d = 0; d < parts.size(); ++d) local[d] = ceil_divide(kernel_.extents[d], parts[d]);
    return bound_of_cycles(bound_.of_local(local), pim_partial_results(form_, parts, local));
  }

  void add(const CnmMap& map, Int cycles, Int partial) {
    const double cost = cost_of_cycles(cycles, partial);
    if (cost > limit_) return;
    found_.members.push_back({map, cost});
    if (count_ && found_.members.size() >= 2 * *count_ + 64) trim();
    if (count_ == std::size_t{1}) limit_ = std::min(limit_, cost);
  }
  void trim() {
    std::sort(found_.members.begin(), found_.members.end(), [](const MemberCost& a, const MemberCost& b) {
      return a.cost != b.cost ? a.cost < b.cost : channels_precede(a.map, b.map);
    });
    if (!count_ || found_.members.size() < *count_) return;
    found_.members.resize(*count_);
    limit_ = std::min(limit_, found_.members.back().cost);
  }

  // Returns the cycles of a stream, or nothing if it cannot be estimated.
  std::optional<Int> cycles_of(const std::vector<Int>& key, const auto& make) {
    const auto [entry, fresh] = known_.try_emplace(key, -1);
    if (fresh) {
      ++found_.estimates;
      const std::optional<Stream> stream = make();
      if (stream)
        if (const auto outcome = estimate_stream(system_, *stream); outcome.estimate)
          entry->second = static_cast<Int>(outcome.estimate->cycles);
    }
    return entry->second < 0 ? std::nullopt : std::optional(entry->second);
  }

  void add_library(CnmMap map) {
    const auto plan = plan_channels(kernel_, map.tuples[0], system_).plan;
    if (!plan) return;
    ++found_.expanded;
    const std::vector<Int> key = {plan->kernel.out_tiles, plan->kernel.in_tiles};
    if (const auto cycles = cycles_of(key, [&] { return stream_of(plan->kernel, system_); }))
      add(map, *cycles, plan->partial_results);
  }

  void expand_points(CnmMap map) {
    for (const PimHalf half : pim_halves.values)
      for (const PimLayout layout : pim_layouts.values)
        for (const Int grf : vectors_at_once) {
          map.pim.half = half;
          map.pim.layout = layout;
          map.pim.grf = grf;
          const PimMap complete = complete_pim_map(kernel_, form_, map, system_);
          if (!complete.fault.empty()) continue;
          const auto key = pim_stream_key(form_, complete);
          const auto [bound, fresh] = bounds_.try_emplace(key, 0);
          if (fresh) bound->second = stream_bound_.of(stream_of_map(complete));
          if (bound_of_cycles(bound->second, 0) <= limit_) add_stream(map, complete, key);
        }
  }

  // Possible stream of a contraction for a given share of a bank, common to all cuts with this share.
  struct Member {
    PimMap complete;
    Int bound = 0;  ///< in cycles; at first from numbers of bursts, later from the stream
    bool is_written = false;
    std::vector<Int> key = {};
  };
  struct Block {
    std::vector<Int> local, block;
    Int bound = 0;           ///< lower bound in cycles
    bool is_listed = false;  ///< true if `members` is complete
    std::vector<Member> members = {};
  };

  void expand_blocks(CnmMap map, const Cut& cut) {
    const auto parts = products(products(map.tuples[0], map.tuples[1]), map.tuples[2]);
    for (Block& block : blocks_of(map)) {
      const Int partial = pim_partial_results(form_, parts, block.local);
      if (bound_of_cycles(block.bound, partial) > limit_) continue;
      if (!block.is_listed) {
        map.tuples[3] = block.local;
        map.block = block.block;
        raise_bound(map, block);
        if (bound_of_cycles(block.bound, partial) > limit_) continue;
        list_halves(map, block.members);
        block.is_listed = true;
      }
      for (Member& member : block.members) list(member, partial, cut);
    }
  }

  void list(Member& member, Int partial, const Cut& cut) {
    const double bound = bound_of_cycles(member.bound, partial);
    if (bound > limit_) return;
    open_.push_back({bound, partial, listed_++, cut, &member});
    std::push_heap(open_.begin(), open_.end(), later);
  }

  struct Open {  // a member of a contraction that is not pruned yet
    double bound = 0;
    Int partial = 0;           ///< partial results that the host adds
    std::uint64_t number = 0;  ///< position in the order of listing, for ties
    Cut cut;
    Member* member = nullptr;
  };
  static bool later(const Open& a, const Open& b) {
    return a.bound != b.bound ? a.bound > b.bound : a.number > b.number;
  }

  void take_up_to(double most) {
    while (!open_.empty() && open_.front().bound <= std::min(most, limit_) && !stopped()) take();
  }
  void take() {
    std::pop_heap(open_.begin(), open_.end(), later);
    Open next = open_.back();
    open_.pop_back();
    // The bound of the stream is computed for the few members that counts of bursts do not prune.
    if (!next.member->is_written) {
      next.member->bound =
          std::max(next.member->bound, stream_bound_.of(stream_of_map(next.member->complete)));
      next.member->is_written = true;
    }
    if (const double bound = bound_of_cycles(next.member->bound, next.partial); bound > next.bound) {
      next.bound = bound;
      open_.push_back(next);
      return std::push_heap(open_.begin(), open_.end(), later);
    }
    CnmMap map = map_of(next.cut);
    PimMap& complete = next.member->complete;
    complete.channels = map.tuples[0];
    complete.blocks = map.tuples[1];
    complete.lanes = map.tuples[2];
    map.tuples[3] = complete.local;
    map.block = complete.block;
    map.order = complete.order;
    map.pim.half = complete.half;
    add_stream(map, complete, next.member->key);
  }
  void stop_at(double bound) {
    found_.stopped = true;
    found_.bound = std::min({found_.bound, bound, open_.empty() ? no_cost : open_.front().bound});
  }

  // Returns the blocks that are possible for the share of a bank. The key of the cache consists of this share
  // and of the dims that are split over blocks and lanes, which determine held_in_banks and held_is_scalar.
  std::vector<Block>& blocks_of(const CnmMap& map) {
    if (remembered_ > most_remembered) {
      take_up_to(limit_);
      if (!stopped()) {
        open_.clear();
        expansions_.clear();
        remembered_ = 0;
      }
    }
    std::vector<Int> key = map.tuples[3];
    for (std::size_t d = 0; d < kernel_.dim_count(); ++d)
      key.push_back(Int{map.tuples[1][d] > 1} << 1 | Int{map.tuples[2][d] > 1});
    const auto [entry, fresh] = expansions_.try_emplace(key);
    if (fresh) {
      CnmMap cut = map;
      cut.block.assign(kernel_.dim_count(), 1);
      list_blocks(cut, map.tuples[3], 0, entry->second);
    }
    return entry->second;
  }

  void list_blocks(CnmMap& map, const std::vector<Int>& local, std::size_t d, std::vector<Block>& blocks) {
    if (d == kernel_.dim_count()) {
      if (!fits_registers(map)) return;
      blocks.push_back({map.tuples[3], map.block, bound_.of_local(map.tuples[3])});
      ++remembered_;
      return;
    }
    for (const Int block : blocks_of_a_dim) {
      if (exact_ && local[d] % block != 0) continue;
      map.block[d] = block;
      map.tuples[3][d] = ceil_divide(local[d], block) * block;
      list_blocks(map, local, d + 1, blocks);
    }
  }

  bool fits_registers(const CnmMap& map) const {
    Int vectors = 1;
    for (std::size_t d = 0; d < kernel_.dim_count(); ++d)
      if (form_.output_uses[d]) vectors *= map.block[d];
    return vectors <= system_.pim.grf;
  }

  bool has_steps(const CnmMap& map, std::size_t d) const { return map.tuples[3][d] > map.block[d]; }

  // Sets the first order: dims with several steps, then the other dims.
  void begin_order(CnmMap& map) const {
    map.order.clear();
    for (const bool several : {true, false})
      for (std::size_t d = 0; d < kernel_.dim_count(); ++d)
        if (has_steps(map, d) == several) map.order.push_back(d);
  }

  // Raises the bound of a block to one that is valid for all orders, which prunes most blocks. Leaves the
  // first order in the map.
  void raise_bound(CnmMap& map, Block& block) const {
    begin_order(map);
    map.pim.half = PimHalf::even;
    const PimMap complete = complete_pim_map(kernel_, form_, map, system_);
    if (complete.fault.empty()) block.bound = std::max(block.bound, bound_.of_any_order(complete));
  }

  void list_halves(CnmMap& map, std::vector<Member>& members) {
    const auto end =
        std::find_if(map.order.begin(), map.order.end(), [&](std::size_t d) { return !has_steps(map, d); });
    do
      for (const PimHalf half : pim_halves.values) {
        map.pim.half = half;
        PimMap complete = complete_pim_map(kernel_, form_, map, system_);
        if (!complete.fault.empty()) continue;
        const Int bound = bound_.of_steps(complete);
        if (bound_of_cycles(bound, 0) > limit_) continue;
        auto key = pim_stream_key(form_, complete);
        members.push_back({std::move(complete), bound, false, std::move(key)});
        ++remembered_;
      }
    while (std::next_permutation(map.order.begin(), end));
  }

  Stream stream_of_map(const PimMap& complete) const { return pim_stream(kernel_, form_, complete, system_); }
  void add_stream(const CnmMap& map, const PimMap& complete, const std::vector<Int>& key) {
    ++found_.expanded;
    if (const auto cycles = cycles_of(key, [&] { return std::optional(stream_of_map(complete)); }))
      add(map, *cycles, pim_partial_results(form_, complete));
  }

  const Kernel& kernel_;
  const System& system_;
  const PimForm form_;
  const ChannelBound bound_;
  const StreamBound stream_bound_;
  const std::optional<std::size_t> count_;
  const StopSignal* stop_;
  const std::optional<std::size_t> library_;
  Tuples channels_, blocks_, lanes_;
  std::vector<Cut> cuts_;
  double limit_;
  bool exact_ = false;                     ///< true if maps must tile the extents exactly
  HashMap<std::vector<Int>, Int> known_;   ///< cycles of streams; negative if a stream cannot be estimated
  HashMap<std::vector<Int>, Int> bounds_;  ///< bounds of pointwise streams
  HashMap<std::vector<Int>, std::vector<Block>> expansions_;
  std::vector<Open> open_;  ///< a heap with the least bound first
  /// Number of blocks and members in expansions_, and number of entries that were ever added to open_.
  std::uint64_t remembered_ = 0, listed_ = 0;
  ChannelSearch found_;
};

}  // namespace

ChannelSearch channel_maps(const Kernel& kernel, const System& system, ChannelSpace space,
                           std::optional<std::size_t> count, const StopSignal* stop, double limit) {
  return Search(kernel, system, count, stop, limit).run(space);
}

}  // namespace nestor::cnm
