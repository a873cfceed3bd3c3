#include "mapper/cnm/ranking.h"

#include <algorithm>
#include <atomic>

#include "base/tables/hash_table.h"
#include "mapper/cnm/channel_maps.h"

namespace nestor::cnm {
namespace {

constexpr double picoseconds_per_ms = 1e9;

}  // namespace

Ranking::Ranking(const Kernel& kernel, const System& system, const Library& library, Executor& executor,
                 std::size_t most, const StopSignal* stop)
    : stop_(stop) {
  if (system.target == Target::hbm_pim) {
    take_channels(kernel, system);
    return;
  }
  MapSpace space(kernel, system, library, SplitsKept::all);
  complete_ = space.complete();
  if (!complete_) return;
  list_cuts(space);
  complete_ = most_members(space, executor, most) <= most;
  if (!complete_) return;
  std::atomic<std::size_t> members = 0;
  executor.run(works_.size(), [&](std::size_t i) {
    if (members > most || stopped()) return;
    list_forms(space, works_[i]);
    members += works_[i].cuts * works_[i].forms.size();
  });
  complete_ = members <= most && !stopped();
  if (!complete_) return;
  for (Work& work : works_) {
    work.first_form = form_count_;
    form_count_ += work.forms.size();
  }
  list_members(space, members);
}

// Cuts in the order of ties, and what each leaves a tasklet to do.
void Ranking::list_cuts(MapSpace& space) {
  HashMap<std::string, std::uint32_t> known;
  for (const std::size_t branch : space.branches_by_preference()) {
    CnmMap map = space.map_of(branch);
    const auto [work, fresh] =
        known.emplace(space.work_of_tasklet(map), static_cast<std::uint32_t>(works_.size()));
    if (fresh) {
      works_.emplace_back();
      works_.back().cut = cuts_.size();
    }
    ++works_[work->second].cuts;
    const double host = space.host_ms(map);
    cuts_.push_back({std::move(map), work->second, host});
  }
}

// At least as many members as there are; beyond `most`, legal ones alone. Counting is far from as much work
// as estimating them.
std::size_t Ranking::most_members(MapSpace& space, Executor& executor, std::size_t most) const {
  std::atomic<std::size_t> members = 0;
  const auto add = [&](const Work& work, bool legal) {
    CnmMap map = cuts_[work.cut].map;
    std::vector<std::vector<Int>> blocks;
    space.list_blocks(map, blocks);
    const auto orders = space.orders_of(map);
    std::size_t forms = legal ? 0 : blocks.size() * orders.size();
    FormWriter writer = space.form_writer();
    for (std::size_t i = 0; legal && i < blocks.size() && !stopped(); ++i) {
      map.block = std::move(blocks[i]);
      for (const auto& order : orders) {
        map.order = order;
        forms += space.is_legal(writer, map) ? 1U : 0U;
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

void Ranking::list_forms(MapSpace& space, Work& work) const {
  CnmMap map = cuts_[work.cut].map;
  space.list_blocks(map, work.blocks);
  work.orders = space.orders_of(map);
  FormWriter writer = space.form_writer();
  for (std::uint32_t block = 0; block < work.blocks.size() && !stopped(); ++block) {
    map.block = work.blocks[block];
    for (std::uint32_t order = 0; order < work.orders.size(); ++order) {
      map.order = work.orders[order];
      if (const auto cycles = space.cycles_of(writer, map)) work.forms.push_back({block, order, *cycles});
    }
  }
}

void Ranking::list_members(const MapSpace& space, std::size_t count) {
  members_.reserve(count);
  for (std::uint32_t c = 0; c < cuts_.size(); ++c) {
    const auto& forms = works_[cuts_[c].work].forms;
    for (std::uint32_t f = 0; f < forms.size(); ++f)
      members_.push_back({space.cost(forms[f].cycles, cuts_[c].host_ms), c, f});
  }
  std::sort(members_.begin(), members_.end(), [](const Member& a, const Member& b) {
    return std::tie(a.cost, a.cut, a.form) < std::tie(b.cost, b.cut, b.form);
  });
}

void Ranking::take_channels(const Kernel& kernel, const System& system) {
  for (MemberCost& member : channel_maps(kernel, system)) {
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
  return {map_of(place), members_[place].cost / picoseconds_per_ms};
}

}  // namespace nestor::cnm
