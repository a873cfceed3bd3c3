#include "model/cnm/hbm_machine.h"

#include <numeric>
#include <unordered_map>

#include "model/cnm/hbm_phase.h"
#include "model/cnm/program.h"
#include "model/cnm/stream_reach.h"

namespace nestor::cnm {
namespace {

// What a remembered thing depends on, as numbers.
using Key = std::vector<Int>;
struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const Int word : key) hash = (hash ^ static_cast<std::uint64_t>(word)) * 0x100000001b3ULL;
    return static_cast<std::size_t>(hash ^ (hash >> 32));
  }
};

HbmCauses difference(const HbmCauses& a, const HbmCauses& b) {
  return {a.column - b.column, a.refresh - b.refresh, a.mode - b.mode, a.row - b.row, a.timing - b.timing};
}
void add(HbmCauses& sum, const HbmCauses& more, Int times) {
  sum.column += times * more.column;
  sum.refresh += times * more.refresh;
  sum.mode += times * more.mode;
  sum.row += times * more.row;
  sum.timing += times * more.timing;
}

class Machine {
 public:
  Machine(const System& system, const Stream& stream)
      : pim_(system.pim),
        rules_(system.dram),
        phase_(rules_, pim_.row_bursts, pim_.reserved_row),
        cursor_(stream) {
    const Dram& dram = system.dram;
    for (Int r = 0; r < dram.ranks; ++r) clock_.next.push_back(dram.tREFI / dram.ranks * (r + 1));
  }

  std::optional<HbmRun> run(Int budget) {
    while (!cursor_.at_end()) {
      if (--budget < 0 || state_.now > max_count) return std::nullopt;
      for (std::size_t depth = 1; depth < cursor_.depth(); ++depth)
        if (cursor_.begins_trip(depth)) look_for_repeat(depth);
      if (!take_group()) return std::nullopt;
      cursor_.advance();
    }
    HbmRun run;
    const Dram& dram = rules_.dram();
    run.cycles = state_.now - 1 + dram.RL + dram.BL / 2 + 2;
    run.causes = causes_;
    run.causes.timing += run.cycles - causes_.total();
    run.cycles_simulated = simulated_;
    return run;
  }

 private:
  // The state after a group, relative to its end; rows as the accesses of the group or the next that opened
  // them.
  struct Outcome {
    ChannelState state;
    std::array<Int, most_banks> opened{};  // which burst's row is open now; -1: as before
    Int lasted = 0;
    HbmCauses causes;
  };
  struct Seen {
    Int trip = 0;
    Int now = 0;
    HbmCauses causes;
  };
  struct LoopMemory {
    std::unordered_map<Key, Seen, KeyHash> seen;
    Int step = 1;  // trips after which all rows have moved by whole rows
    Stretch stretch;
    bool usable = false;
  };

  static Int ahead(Int time, Int now) { return time > now ? time - now : 0; }

  // Times and modes, relative to now.
  void append_state(Key& key) const {
    key.push_back(state_.turn | Int{state_.enters} << 8 | Int{state_.leaves} << 16 |
                  Int{state_.toggles} << 24 | Int{state_.all_bank} << 25 | Int{state_.pim} << 26);
    for (std::size_t b = 0; b < rules_.bank_count(); ++b) {
      const HbmBank& bank = state_.banks[b];
      const Int until = bank.state > BankState::open ? ahead(bank.until, state_.now) : 0;
      const Int act = ahead(bank.act, state_.now), rd = ahead(bank.rd, state_.now);
      const Int wr = ahead(bank.wr, state_.now), pre = ahead(bank.pre, state_.now);
      if (bank.state == BankState::idle && (act | rd | wr | pre) == 0) continue;
      key.push_back(static_cast<Int>(b) | static_cast<Int>(bank.state) << 8 | until << 16);
      key.push_back(act | rd << 32);
      key.push_back(wr | pre << 32);
    }
    key.push_back(-1);
    const std::size_t kept = std::min(state_.activation_count, state_.activations.size());
    for (std::size_t i = 0; i < kept; ++i) {
      const Int at = state_.activations[(state_.activation_count - 1 - i) % state_.activations.size()];
      if (state_.now - at >= rules_.activation_window()) break;
      key.push_back(state_.now - at);
    }
    key.push_back(-2);
  }

  // Rows matter by which of them are equal: each row close to one met before in its bank is written as a
  // distance from it, any other as a new one; registers and modes as themselves besides.
  void append_rows(Key& key, const StreamCursor& behind) {
    clusters_.clear();
    const auto token = [this](Int bank, Int row, bool may_open) {
      for (std::size_t i = 0; i < clusters_.size(); ++i)
        if (clusters_[i].first == bank && std::abs(clusters_[i].second - row) <= 8)
          return static_cast<Int>(i) << 8 | (clusters_[i].second - row + 8);
      if (!may_open) return Int{-1};
      clusters_.emplace_back(bank, row);
      return static_cast<Int>(clusters_.size() - 1) << 8 | 8;
    };
    const auto append_row = [&](Int bank, Int row, bool may_open) {
      key.push_back(token(bank, row, may_open) << 1 | Int{row >= pim_.reserved_row});
      if (is_special_row(row)) key.push_back(-10 - row);
    };
    const auto append = [&](const StreamCursor& at) {
      for (const Access& access : at.group().accesses) {
        const Int address = at.address(access);
        key.push_back(Int{access.write} | access.bank << 1 | access.count << 8 |
                      (address % pim_.row_bursts) << 24);
        const Int last = (address + access.count - 1) / pim_.row_bursts;
        for (Int row = address / pim_.row_bursts; row <= last; ++row) append_row(access.bank, row, true);
      }
      key.push_back(-3);
    };
    append(cursor_);
    if (!behind.at_end()) append(behind);
    for (std::size_t b = 0; b < rules_.bank_count(); ++b)
      if (state_.banks[b].state == BankState::open)
        append_row(static_cast<Int>(b), state_.banks[b].row, false);
  }

  bool take_group() {
    StreamCursor behind = cursor_;
    behind.advance();
    Int visible = 0;
    for (const Access& access : cursor_.group().accesses) visible += access.count;
    const Int own = visible;
    if (!behind.at_end())
      for (const Access& access : behind.group().accesses) visible += access.count;

    key_.clear();
    append_rows(key_, behind);
    append_state(key_);
    key_.push_back(std::min(lead_, visible));
    const bool quiet = clock_.due.empty();
    if (quiet) {
      const auto known = outcomes_.find(key_);
      if (known != outcomes_.end() && clock_.earliest() >= state_.now + known->second.lasted) {
        recall(known->second, behind, own);
        return true;
      }
    }
    return simulate(quiet, behind);
  }

  // False if the group never gets through.
  bool simulate(bool quiet, const StreamCursor& behind) {
    const ChannelState before = state_;
    const HbmCauses causes_before = causes_;
    const Int earliest = clock_.earliest();
    if (!phase_.run(cursor_, state_, clock_, lead_, causes_)) return false;
    simulated_ += state_.now - before.now;
    if (!quiet || earliest < state_.now || outcomes_.size() >= most_outcomes) return true;
    Outcome outcome;
    outcome.state = state_;
    outcome.lasted = state_.now - before.now;
    outcome.causes = difference(causes_, causes_before);
    for (std::size_t b = 0; b < rules_.bank_count(); ++b) {
      outcome.opened[b] = -1;
      const HbmBank& bank = state_.banks[b];
      if (bank.opener == nullptr) continue;
      if (bank.opener == before.banks[b].opener && bank.row == before.banks[b].row) continue;
      outcome.opened[b] = place_of(*bank.opener, bank.row, behind);
      if (outcome.opened[b] < 0) return true;  // not to be remembered
    }
    outcomes_.emplace(key_, outcome);
    return true;
  }

  // Which access of the group (or, counted on, the next) has this row, and how far from its first.
  Int place_of(const Access& opener, Int row, const StreamCursor& behind) const {
    Int place = 0;
    for (const StreamCursor* at : std::array<const StreamCursor*, 2>{&cursor_, &behind}) {
      if (at->at_end()) break;
      for (const Access& access : at->group().accesses) {
        const Int first = at->address(access) / pim_.row_bursts;
        const Int last = (at->address(access) + access.count - 1) / pim_.row_bursts;
        if (&access == &opener && row >= first && row <= last) return place << 32 | (row - first);
        ++place;
      }
    }
    return -1;
  }

  void recall(const Outcome& outcome, const StreamCursor& behind, Int own) {
    const Int now = state_.now, end = now + outcome.lasted;
    const Int shift = end - outcome.state.now;
    const auto banks_before = state_.banks;
    state_ = outcome.state;
    state_.now = end;
    for (std::size_t b = 0; b < rules_.bank_count(); ++b) {
      HbmBank& bank = state_.banks[b];
      bank.act += shift;
      bank.rd += shift;
      bank.wr += shift;
      bank.pre += shift;
      bank.until += shift;
      if (bank.opener != nullptr) bank.opener = banks_before[b].opener;
      bank.row = banks_before[b].row;
      if (outcome.opened[b] < 0) continue;
      Int place = outcome.opened[b] >> 32;
      for (const StreamCursor* at : std::array<const StreamCursor*, 2>{&cursor_, &behind}) {
        if (at->at_end()) break;
        const auto& accesses = at->group().accesses;
        if (place < static_cast<Int>(accesses.size())) {
          const Access& access = accesses[static_cast<std::size_t>(place)];
          bank.opener = &access;
          bank.row = at->address(access) / pim_.row_bursts + (outcome.opened[b] & 0xffffffff);
          break;
        }
        place -= static_cast<Int>(accesses.size());
      }
    }
    for (Int& at : state_.activations) at += shift;
    add(causes_, outcome.causes, 1);
    lead_ = std::min(rules_.dram().queue, lead_ + outcome.lasted - own);
  }

  // Loops. At the start of a trip the state is looked up among those of earlier trips of the stretch. If it
  // is the same but for rows that have moved on with the loop, everything between repeats, as often as there
  // are trips left.
  void look_for_repeat(std::size_t depth) {
    const auto& frame = cursor_.frame(depth);
    if (frame.trips < few_trips) return;
    loops_.resize(std::max(loops_.size(), depth + 1));
    LoopMemory& memory = loops_[depth];
    if (frame.trip == 0 || frame.trip >= memory.stretch.until) {
      memory.seen.clear();
      memory.step = 1;
      memory.stretch = stretch(depth);
      memory.usable = memory.stretch.alike && prepare(*frame.list, depth, memory.step);
    }
    if (!memory.usable || frame.trip % memory.step != 0 || memory.seen.size() >= most_seen) return;
    Key key;
    append_loop_state(key, depth);
    const auto [known, fresh] = memory.seen.emplace(std::move(key), Seen{frame.trip, state_.now, causes_});
    if (fresh) return;
    const Seen& earlier = known->second;
    const Int period = frame.trip - earlier.trip;
    const Int repeats = (memory.stretch.until - frame.trip - memory.step) / period;
    memory.usable = false;  // up to the next stretch
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
    for (Int& next : clock_.next) next += by;
  }

  void append_loop_state(Key& key, std::size_t depth) const {
    const auto& frame = cursor_.frame(depth);
    append_state(key);
    for (std::size_t b = 0; b < rules_.bank_count(); ++b) {
      const HbmBank& bank = state_.banks[b];
      if (bank.state != BankState::open) continue;
      const bool inside = bank.opener != nullptr && belongs_to(*frame.list, *bank.opener);
      key.push_back(inside ? static_cast<Int>(reinterpret_cast<std::uintptr_t>(bank.opener)) : -4);
      key.push_back(inside ? bank.row - bank.opener->stride[depth - 1] * frame.trip / pim_.row_bursts
                           : bank.row);
    }
    key.push_back(lead_);
    for (const Int next : clock_.next) key.push_back(next - state_.now);
    for (const Int rank : clock_.due) key.push_back(-10 - rank);
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

  // How many trips move every address by whole rows.
  bool prepare(const Stream& body, std::size_t depth, Int& step) const {
    for (const StreamItem& item : body) {
      if (item.is_loop() && !prepare(item.body, depth, step)) return false;
      for (const Access& access : item.accesses) {
        const Int stride = access.stride[depth - 1] % pim_.row_bursts;
        step = std::lcm(step, pim_.row_bursts / std::gcd(stride, pim_.row_bursts));
      }
    }
    return true;
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
  static constexpr std::size_t most_outcomes = 50'000;

  const PimUnits& pim_;
  ChannelRules rules_;
  HbmPhase phase_;
  StreamCursor cursor_;
  ChannelState state_;
  RefreshClock clock_;
  Int lead_ = 0;
  HbmCauses causes_;
  Int simulated_ = 0;
  Key key_;
  std::vector<std::pair<Int, Int>> clusters_;
  std::unordered_map<Key, Outcome, KeyHash> outcomes_;
  std::vector<LoopMemory> loops_;
};

}  // namespace

std::optional<HbmRun> run_channel(const System& system, const Stream& stream, Int budget) {
  return Machine(system, stream).run(budget);
}

}  // namespace nestor::cnm
