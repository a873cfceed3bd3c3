#include "model/cnm/search/ranking.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <map>
#include <numeric>

#include "base/tables/hash_table.h"

namespace nestor::cnm {
namespace {

constexpr int heap_bits = 14;  // limits the number of buckets (heaps) during the sort

}  // namespace

Ranking::Ranking(const Kernel& kernel, const System& system, const Library& library, Executor& executor,
                 std::size_t most, const StopSignal* stop, std::vector<Int> extents, ChannelSpace channels)
    : stop_(stop) {
  if (system.target == Target::hbm_pim) {
    take_channels(kernel, system, channels);
    complete_ = complete_ && members_.size() <= most;
    return;
  }
  MapSpace space(kernel, system, library, {SplitsKept::all, std::move(extents)}, nullptr, stop);
  complete_ = space.complete();
  if (!complete_) return;
  list_cuts(space);
  complete_ = most_members(space, executor, most) <= most;
  if (!complete_) return;
  const std::vector<Place> places = list_places(space, executor);
  const std::vector<double> cycles = estimate(space, executor, places, most);
  if (!complete_) return;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (cycles[i] >= 0) works_[places[i].work].forms.push_back({places[i].block, places[i].order, cycles[i]});
  std::size_t members = 0;
  for (Work& work : works_) {
    std::sort(work.forms.begin(), work.forms.end(), [](const Form& a, const Form& b) {
      return std::tie(a.block, a.order) < std::tie(b.block, b.order);
    });
    work.first_form = form_count_;
    form_count_ += work.forms.size();
    members += work.cuts * work.forms.size();
  }
  list_members(space, members, executor);
  stop_ = nullptr;  // the caller may destroy the signal before this object
}

// Lists the cuts in the order of ties, and the work of a tasklet under each cut.
void Ranking::list_cuts(MapSpace& space) {
  HashMap<std::string, std::uint32_t> known;
  for (const std::size_t branch : space.branches_by_preference()) {
    CnmMap map = space.map_of(branch);
    const auto [work, fresh] =
        known.emplace(space.work_of_tasklet(map), static_cast<std::uint32_t>(works_.size()));
    if (fresh) {
      works_.emplace_back();
      works_.back().cut = cuts_.size();
      works_.back().tasklets = tasklets_of(map);
      works_.back().local = map.local();
    }
    ++works_[work->second].cuts;
    const double host = space.host_ms(map);
    cuts_.push_back({std::move(map), work->second, host});
  }
}

// Returns an upper bound on the number of members. If it exceeds `most`, counts only the legal members, which
// is much cheaper than estimating them.
std::size_t Ranking::most_members(MapSpace& space, Executor& executor, std::size_t most) const {
  std::atomic<std::size_t> members = 0;
  const auto add = [&](const Work& work, bool legal) {
    CnmMap map = cuts_[work.cut].map;
    std::vector<std::vector<Int>> blocks;
    space.list_blocks(map, blocks);
    const auto orders = space.orders_of(map);
    std::size_t forms = legal ? 0 : blocks.size() * orders.size();
    FormTools tools = space.form_tools();
    for (std::size_t i = 0; legal && i < blocks.size() && !stopped(); ++i) {
      map.block = std::move(blocks[i]);
      for (const auto& order : orders) {
        map.order = order;
        forms += space.is_legal(tools, map) ? 1U : 0U;
      }
    }
    members += work.cuts * forms;
  };
  for (const bool legal : {false, true}) {
    members = 0;
    executor.run(works_.size(), [&](std::size_t i) {
      if (members <= most && !stopped()) add(works_[i], legal);
    });
    if (members <= most) break;
  }
  return members;
}

// Lists the blocks and orders of every work. Programs that differ only in the trips of their loops are close
// together. Programs with different numbers of tasklets are never combined.
std::vector<Ranking::Place> Ranking::list_places(const MapSpace& space, Executor& executor) {
  std::map<Int, std::vector<std::uint32_t>> by_tasklets;  // sorted, to determine the order of the places
  for (std::uint32_t w = 0; w < works_.size(); ++w) by_tasklets[works_[w].tasklets].push_back(w);
  std::vector<std::vector<std::uint32_t>> groups;
  for (auto& [tasklets, works] : by_tasklets) groups.push_back(std::move(works));
  std::vector<std::vector<Place>> places(groups.size());
  executor.run(groups.size(), [&](std::size_t group) {
    std::vector<Place>& listed = places[group];
    for (const std::uint32_t w : groups[group]) {
      if (stopped()) return;
      Work& work = works_[w];
      const CnmMap& map = cuts_[work.cut].map;
      space.list_blocks(map, work.blocks);
      work.orders = space.orders_of(map);
      for (std::uint32_t block = 0; block < work.blocks.size(); ++block)
        for (std::uint32_t order = 0; order < work.orders.size(); ++order)
          listed.push_back({w, block, order});
    }
    std::sort(listed.begin(), listed.end(),
              [this](const Place& a, const Place& b) { return precedes_in_batch(a, b); });
  });
  std::vector<Place> all;
  for (std::vector<Place>& listed : places) {
    all.insert(all.end(), listed.begin(), listed.end());
    listed = {};
  }
  return all;
}

// True if `a` comes before `b`: by block and order, then by the local extents of the loops, innermost loop
// first.
bool Ranking::precedes_in_batch(const Place& a, const Place& b) const {
  const Work &one = works_[a.work], &other = works_[b.work];
  const auto key = [](const Work& work, const Place& place) {
    return std::tie(work.blocks[place.block], work.orders[place.order]);
  };
  if (key(one, a) != key(other, b)) return key(one, a) < key(other, b);
  const auto& order = one.orders[a.order];
  for (std::size_t i = order.size(); i-- > 0;)
    if (one.local[order[i]] != other.local[order[i]]) return one.local[order[i]] < other.local[order[i]];
  return a.work < b.work;
}

// Returns the cycles of each place, or a negative number if it is illegal. Returns nothing if there are too
// many members or if the ranking was stopped.
std::vector<double> Ranking::estimate(MapSpace& space, Executor& executor, const std::vector<Place>& places,
                                      std::size_t most) {
  constexpr std::size_t together = 4096;
  std::vector<double> cycles(places.size(), -1);
  std::atomic<std::size_t> members = 0;
  const std::size_t chunks = (places.size() + together - 1) / together;
  // Chunks with many tasklets take longest, so they run first.
  executor.run(chunks, [&](std::size_t task) {
    const std::size_t chunk = chunks - 1 - task;
    FormTools tools = space.form_tools();
    std::vector<std::size_t> added;
    CnmMap map;
    const std::size_t end = std::min((chunk + 1) * together, places.size());
    for (std::size_t i = chunk * together; i < end && !stopped(); ++i) {
      const Work& work = works_[places[i].work];
      map = cuts_[work.cut].map;
      map.block = work.blocks[places[i].block];
      map.order = work.orders[places[i].order];
      if (space.add_program(tools, map)) added.push_back(i);
    }
    const auto stop = [&] { return members > most || stopped(); };
    if (stop()) return;
    const auto estimates = tools.batch.estimate(stop);
    for (std::size_t i = 0; i < added.size(); ++i) {
      cycles[added[i]] = estimates[i].value_or(-1);
      if (estimates[i]) members += works_[places[added[i]].work].cuts;
    }
  });
  complete_ = members <= most && !stopped();
  if (!complete_) cycles.clear();
  return cycles;
}

void Ranking::list_members(const MapSpace& space, std::size_t count, Executor& executor) {
  members_.reserve(count);
  for (std::uint32_t c = 0; c < cuts_.size(); ++c) {
    const auto& forms = works_[cuts_[c].work].forms;
    const Work& work = works_[cuts_[c].work];
    CnmMap map = cuts_[c].map;
    for (std::uint32_t f = 0; f < forms.size(); ++f) {
      double host = cuts_[c].host_ms;
      if (space.host_varies()) {
        map.block = work.blocks[forms[f].block];
        map.order = work.orders[forms[f].order];
        host = space.host_ms(map);
      }
      members_.push_back({space.cost(forms[f].cycles, host), c, f});
    }
  }
  sort_members(executor);
}

// Sorts the members in place: distributes them over buckets (heaps) by the highest bits of their costs, and
// then sorts each bucket. Costs are not negative, so they have the same order as their bits.
void Ranking::sort_members(Executor& executor) {
  if (members_.empty()) return;
  const auto bits = [](const Member& member) { return std::bit_cast<std::uint64_t>(member.cost); };
  std::uint64_t least = bits(members_[0]), most = least;
  for (const Member& member : members_) {
    least = std::min(least, bits(member));
    most = std::max(most, bits(member));
  }
  const int shift = std::max(0, static_cast<int>(std::bit_width(most - least)) - heap_bits);
  const auto heap_of = [&](const Member& member) { return (bits(member) - least) >> shift; };
  std::vector<std::size_t> ends(heap_of({std::bit_cast<double>(most)}) + 1, 0);
  for (const Member& member : members_) ++ends[heap_of(member)];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<std::size_t> next(ends.size(), 0);
  std::copy(ends.begin(), ends.end() - 1, next.begin() + 1);
  const std::vector<std::size_t> begins = next;
  for (std::size_t heap = 0; heap < ends.size(); ++heap)
    while (next[heap] < ends[heap]) {
      Member& member = members_[next[heap]];
      const std::size_t to = heap_of(member);
      std::swap(member, members_[next[to]++]);
    }
  constexpr std::size_t together = 64;
  executor.run((ends.size() + together - 1) / together, [&](std::size_t part) {
    const std::size_t end = std::min((part + 1) * together, ends.size());
    for (std::size_t heap = part * together; heap < end; ++heap)
      std::sort(members_.data() + begins[heap], members_.data() + ends[heap],
                [](const Member& a, const Member& b) {
                  return std::tie(a.cost, a.cut, a.form) < std::tie(b.cost, b.cut, b.form);
                });
  });
}

void Ranking::take_channels(const Kernel& kernel, const System& system, ChannelSpace space) {
  auto found = channel_maps(kernel, system, space, std::nullopt, stop_);
  complete_ = !found.stopped;
  for (MemberCost& member : found.members) {
    members_.push_back({member.cost, static_cast<std::uint32_t>(cuts_.size()), 0});
    cuts_.push_back({std::move(member.map), 0, 0});
  }
}

std::size_t Ranking::form_of(std::size_t place) const {
  const Member& member = members_[place];
  return works_.empty() ? 0 : works_[cuts_[member.cut].work].first_form + member.form;
}

CnmMap Ranking::map_of(std::size_t place) const {
  const Member& member = members_[place];
  CnmMap map = cuts_[member.cut].map;
  if (works_.empty()) return map;
  const Work& work = works_[cuts_[member.cut].work];
  const Form& form = work.forms[member.form];
  map.block = work.blocks[form.block];
  map.order = work.orders[form.order];
  return map;
}

RankedMap Ranking::operator[](std::size_t place) const {
  return {map_of(place), ms_of(members_[place].cost)};
}

}  // namespace nestor::cnm
