#include "model/cnm/hbm_machine.h"

#include <numeric>

#include "model/cnm/hbm_memory.h"
#include "model/cnm/program.h"
#include "model/cnm/stream_reach.h"

namespace nestor::cnm {
namespace {

class Machine {
 public:
  Machine(const System& system, const Stream& stream)
      : pim_(system.pim),
        rules_(system.dram),
        phase_(rules_, pim_.row_bursts, pim_.reserved_row),
        memory_(rules_, pim_),
        cursor_(stream),
        trip_cursor_(stream) {
    const Dram& dram = system.dram;
    for (Int r = 0; r < dram.ranks; ++r) place_.clock.next.push_back(dram.tREFI / dram.ranks * (r + 1));
  }

  std::optional<HbmRun> run(Int budget) {
    while (!cursor_.at_end()) {
      if (--budget < 0 || state_.now > max_count) return std::nullopt;
      for (std::size_t depth = 1; depth < cursor_.depth(); ++depth)
        if (cursor_.begins_trip(depth)) look_for_repeat(depth);
      if (take_known_trip()) continue;
      if (!take_group()) return std::nullopt;
      cursor_.advance();
      if (trip_left_ == 0) continue;
      --trip_left_;
      if (trip_left_ == 0) memory_.keep(trip_, trip_cursor_, place_);
    }
    HbmRun run;
    const Dram& dram = rules_.dram();
    const Int last_burst = std::max<Int>(0, state_.now - 1);  // 0 if there is none
    run.cycles = last_burst + dram.RL + dram.BL / 2 + 2;
    run.causes = causes_;
    run.causes.timing += run.cycles - causes_.total();
    run.cycles_simulated = simulated_;
    return run;
  }

 private:
  struct Seen {
    Int trip = 0;
    Int now = 0;
    HbmCauses causes;
  };
  struct LoopMemory {
    HashMap<Key, Seen> seen;
    Int step = 1;  // number of trips after which all addresses have moved by whole rows
    Stretch stretch;
    bool usable = false;
  };

  // Skips a trip of an innermost loop, except the last one, if a trip from an equal state is cached.
  // Otherwise the trip is cached at its end.
  bool take_known_trip() {
    const std::size_t depth = cursor_.depth() - 1;
    if (depth == 0 || !cursor_.begins_trip(depth)) return false;
    const auto& frame = cursor_.frame(depth);
    trip_left_ = 0;
    if (frame.trip + 1 >= frame.trips || frame.list->size() < 2 || frame.list->size() > most_groups ||
        std::any_of(frame.list->begin(), frame.list->end(), [](const StreamItem& i) { return i.is_loop(); }))
      return false;
    memory_.begin(trip_, cursor_, frame.list->size(), place_);
    if (memory_.recall(trip_, cursor_, place_)) {
      cursor_.skip_trips(depth, 1);
      return true;
    }
    trip_.place = place_;
    trip_cursor_ = cursor_;
    trip_left_ = frame.list->size();
    return false;
  }

  // Runs the next group. Returns false if the group never finishes.
  bool take_group() {
    memory_.begin(group_, cursor_, 1, place_);
    if (memory_.recall(group_, cursor_, place_)) return true;
    group_.place = place_;
    if (!phase_.run(cursor_, state_, place_.clock, place_.lead, causes_)) return false;
    simulated_ += state_.now - group_.place.state.now;
    memory_.keep(group_, cursor_, place_);
    return true;
  }

  // At the start of a trip, searches the states of earlier trips of the stretch. If one of these states
  // differs only in rows that moved with the loop, the rest of the stretch repeats the trips since then.
  void look_for_repeat(std::size_t depth) {
    const auto& frame = cursor_.frame(depth);
    if (frame.trips < few_trips) return;
    loops_.resize(std::max(loops_.size(), depth + 1));
    LoopMemory& memory = loops_[depth];
    if (frame.trip == 0 || frame.trip >= memory.stretch.until) {
      memory.seen.clear();
      memory.step = 1;
      memory.stretch = stretch(depth);
      memory.usable = memory.stretch.alike;
      if (memory.usable) lengthen(*frame.list, depth, memory.step);
    }
    if (!memory.usable || frame.trip % memory.step != 0 || memory.seen.size() >= most_seen) return;
    Key key;
    append_loop_state(key, depth);
    const auto [known, fresh] = memory.seen.emplace(std::move(key), Seen{frame.trip, state_.now, causes_});
    if (fresh) return;
    const Seen& earlier = known->second;
    const Int period = frame.trip - earlier.trip;
    const Int repeats = (memory.stretch.until - frame.trip - memory.step) / period;
    memory.usable = false;  // until the next stretch
    if (repeats <= 0) return;
    const auto limit = checked_multiply(state_.now - earlier.now, repeats);
    if (!limit || *limit > max_count) {
      state_.now = max_count + 1;
      return;
    }
    add(causes_, difference(causes_, earlier.causes), repeats);
    shift_time(*limit);
    for (std::size_t b = 0; b < rules_.bank_count(); ++b) {
      HbmBank& bank = state_.banks[b];
      if (bank.opener != nullptr && belongs_to(*frame.list, *bank.opener))
        bank.row += bank.opener->stride[depth - 1] * period * repeats / pim_.row_bursts;
    }
    cursor_.skip_trips(depth, period * repeats);
  }

  void shift_time(Int by) {
    state_.now += by;
    for (HbmBank& bank : state_.banks) {
      bank.act += by;
      bank.rd += by;
      bank.wr += by;
      bank.pre += by;
      bank.until += by;
    }
    for (Int& at : state_.activations) at += by;
    for (Int& next : place_.clock.next) next += by;
  }

  void append_loop_state(Key& key, std::size_t depth) const {
    const auto& frame = cursor_.frame(depth);
    memory_.append_state(key, state_);
    for (std::size_t b = 0; b < rules_.bank_count(); ++b) {
      const HbmBank& bank = state_.banks[b];
      if (bank.state != BankState::open) continue;
      const bool inside = bank.opener != nullptr && belongs_to(*frame.list, *bank.opener);
      key.push_back(inside ? static_cast<Int>(reinterpret_cast<std::uintptr_t>(bank.opener)) : -4);
      key.push_back(inside ? bank.row - bank.opener->stride[depth - 1] * frame.trip / pim_.row_bursts
                           : bank.row);
    }
    key.push_back(place_.lead);
    for (const Int next : place_.clock.next) key.push_back(next - state_.now);
    for (const Int rank : place_.clock.due) key.push_back(-10 - rank);
  }

  static bool belongs_to(const Stream& body, const Access& access) {
    for (const StreamItem& item : body) {
      if (item.is_loop() && belongs_to(item.body, access)) return true;
      const auto& list = item.accesses;
      if (!list.empty() && std::less_equal<>()(list.data(), &access) &&
          std::less<>()(&access, list.data() + list.size()))
        return true;
    }
    return false;
  }

  // Raises `step` to a number of trips after which every address has moved by whole rows.
  void lengthen(const Stream& body, std::size_t depth, Int& step) const {
    for (const StreamItem& item : body) {
      if (item.is_loop()) lengthen(item.body, depth, step);
      for (const Access& access : item.accesses) {
        const Int stride = access.stride[depth - 1] % pim_.row_bursts;
        step = std::lcm(step, pim_.row_bursts / std::gcd(stride, pim_.row_bursts));
      }
    }
  }

  Stretch stretch(std::size_t depth) const {
    const Stream& body = *cursor_.frame(depth).list;
    std::vector<OpenRow> open;
    for (std::size_t b = 0; b < rules_.bank_count(); ++b) {
      const HbmBank& bank = state_.banks[b];
      const bool own = bank.opener != nullptr && belongs_to(body, *bank.opener);
      if (bank.state == BankState::open && !own) open.push_back({static_cast<Int>(b), bank.row});
    }
    return stretch_of(cursor_, depth, pim_, open);
  }

  static constexpr Int few_trips = 8;
  static constexpr std::size_t most_seen = 20'000;
  static constexpr std::size_t most_groups = 64;  // maximum number of groups in a cached trip

  const PimUnits& pim_;
  ChannelRules rules_;
  HbmPhase phase_;
  HbmMemory memory_;
  StreamCursor cursor_;
  ChannelPlace place_;
  ChannelState& state_ = place_.state;
  HbmCauses& causes_ = place_.causes;
  Int simulated_ = 0;
  HbmMemory::Start group_, trip_;
  StreamCursor trip_cursor_;
  std::size_t trip_left_ = 0;  // number of groups left in the trip that is to be cached
  std::vector<LoopMemory> loops_;
};

}  // namespace

std::optional<HbmRun> run_channel(const System& system, const Stream& stream, Int budget) {
  return Machine(system, stream).run(budget);
}

}  // namespace nestor::cnm
