#include "model/cnm/search/stream_bound.h"

#include <algorithm>
#include <numeric>

#include "base/checked.h"
#include "model/cnm/program.h"

namespace nestor::cnm {
namespace {

Int scaled(Int a, Int b) { return std::min(checked_multiply(a, b).value_or(max_count), max_count); }
Int added(Int a, Int b) { return std::min(a + b, max_count); }  // requires a and b to be at most max_count

Int floor_divide(Int a, Int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

}  // namespace

StreamBound::StreamBound(const System& system) : dram_(system.dram), row_bursts_(system.pim.row_bursts) {
  const Dram& d = dram_;
  const Int half = d.BL / 2;
  turn_ = {std::max<Int>(1, d.RL + half + d.tRTRS - d.WL), std::max<Int>(1, d.WL + half + d.tWTRL)};
  least_gap_ = std::max({Int{1}, std::min(d.tCCDL, d.tCCDS), half});
  least_gap_ = std::min({least_gap_, turn_[0], turn_[1]});
  to_close_ = {half + std::max(d.tRTPL, d.tCCDL) - d.tCCDL, d.WL + half + d.tWR};
  opened_ = {d.tRCDRD, d.tRCDWR};
  end_ = d.RL + half + 2;
  const Int again = std::max({Int{1}, d.tCCDL, half});
  if (to_close_[0] > again) return;  // consecutive reads may keep their bank open, so there are no windows
  const Int closed = std::max({d.tRAS, to_close_[0], to_close_[1]}) + d.banks + d.ranks + d.tRAS + again + 2;
  window_ = 2 + ceil_divide(closed, again);
}

// Pass over the stream from start to end that processes each loop once.
class StreamBound::Walk {
 public:
  explicit Walk(const StreamBound& bound) : b_(bound), lost_(bound.dram_.tRFC) {}

  // Properties of a part of the stream in one trip of each surrounding loop. Only `total_` sums the gaps over
  // all trips.
  struct Part {
    bool empty = true;
    Access first, last;  ///< bursts; a group with several accesses is treated as one unknown burst
    Int most = 0;        ///< upper bound on the gaps, with different rows wherever possible
    Int lead = -1;       ///< gaps before the start of the first window; -1 if there is no window
    Int trail = 0;       ///< gaps after the start of the last window
    Int between = 0;     ///< upper bound on the gaps from one start of a window to the next
    bool pure = false;   ///< true if the part has only reads of one bank
    Int bursts = 0;
    Int shortest = 0;  ///< number of bursts of the shortest group
  };

  Part list(const Stream& items, std::size_t depth) {
    Part whole;
    Part run;  // reads of one bank after the end of `whole`
    const auto end_run = [&] {
      if (run.empty) return;
      mark_windows(run);
      whole = joined(whole, run, depth);
      run = Part();
    };
    for (const StreamItem& item : items) {
      Part part = item.is_loop() ? loop(item, depth) : group(item, depth);
      if (part.empty) continue;
      const bool goes_on = part.pure && !run.empty && run.first.bank == part.first.bank;
      if (goes_on) {
        run = joined(run, part, depth);
        continue;
      }
      end_run();
      if (part.pure)
        run = part;
      else
        whole = joined(whole, part, depth);
    }
    if (whole.empty && depth > 0) return run;  // only reads of one bank so far
    end_run();
    return whole;
  }

  Int cycles(const Part& whole) const {
    const Int base = total_;
    const Int interval = b_.dram_.tREFI, first = b_.dram_.tREFI / b_.dram_.ranks;
    if (whole.lead < 0 || lost_ <= 0 || lost_ >= interval) return base;
    // (G - c)/(1 - r) = (G*(I - lost) - lost*(D + f*(I - lost)/I)) * I/(I - lost)^2, rounded down to whole
    // cycles.
    const Int rest = interval - lost_;
    const Int apart = std::max(whole.lead, whole.between);
    if (base >= max_count / interval || apart >= max_count / interval) return base;
    // A refresh that waits for almost an interval could run together with the next refresh. If this is
    // possible, the bound does not include refreshes.
    const Int close = std::max(b_.to_close_[0], b_.to_close_[1]);
    const Int open = std::max(b_.opened_[0], b_.opened_[1]);
    const Int most_gap = std::max({b_.turn_[0], b_.turn_[1], close + b_.dram_.tRP + open, again(0, 0)});
    if (interval < close + 1 + b_.dram_.tRFC + open + lost_ + 2 * (apart + most_gap)) return base;
    const Int c = ceil_divide(lost_ * apart, rest) + ceil_divide(lost_ * first, interval);
    const Int before = base - whole.trail - c;
    return before <= 0 ? base : std::max(base, before * interval / rest + whole.trail);
  }

 private:
  static constexpr Int unknown_bank = -1;

  Int again(Int a, Int b) const {
    if (a == unknown_bank || b == unknown_bank) return b_.least_gap_;
    const Int per_group = b_.dram_.banks / b_.dram_.groups;
    const bool same = a / per_group == b / per_group;
    return std::max({Int{1}, same ? b_.dram_.tCCDL : b_.dram_.tCCDS, b_.dram_.BL / 2});
  }
  Int gap(const Access& a, const Access& b) const {
    if (a.bank == unknown_bank || b.bank == unknown_bank) return b_.least_gap_;
    return a.write == b.write ? again(a.bank, b.bank) : b_.turn_[a.write ? 1 : 0];
  }
  Int row_gap(const Access& a, const Access& b) const {
    if (a.bank == unknown_bank || a.bank != b.bank) return 0;
    return b_.to_close_[a.write ? 1 : 0] + b_.dram_.tRP + b_.opened_[b.write ? 1 : 0];
  }
  void note_lost(const Access& a, const Access& b, Int gap) {
    const bool known = a.bank != unknown_bank && b.bank != unknown_bank;
    const Int close = known ? b_.to_close_[a.write ? 1 : 0] : std::min(b_.to_close_[0], b_.to_close_[1]);
    const Int open = known ? b_.opened_[b.write ? 1 : 0] : std::min(b_.opened_[0], b_.opened_[1]);
    lost_ = std::min(lost_, close + 1 + b_.dram_.tRFC + open - gap);
  }

  Int passages(std::size_t depth) const {
    Int product = 1;
    for (std::size_t d = 0; d < depth; ++d) product = scaled(product, trips_[d]);
    return product;
  }

  Part group(const StreamItem& item, std::size_t depth) {
    Part part;
    Int bursts = 0;
    for (const Access& access : item.accesses) bursts += access.count;
    if (bursts == 0) return part;
    part.empty = false;
    part.bursts = part.shortest = bursts;
    part.first = part.last = item.accesses.front();
    if (item.accesses.size() > 1) {
      part.first.bank = part.last.bank = unknown_bank;
    } else {
      part.pure = !part.first.write;
      part.last.address += bursts - 1;
      part.last.count = 1;
    }
    const Int inner = gap(part.first, part.first);
    note_lost(part.first, part.first, inner);
    part.most = (bursts - 1) * inner;
    total_ = added(total_, scaled(part.most, passages(depth)));
    return part;
  }

  Part loop(const StreamItem& item, std::size_t depth) {
    if (item.trips == 0) return {};
    trips_[depth] = item.trips;
    Part part = list(item.body, depth + 1);
    if (part.empty) return part;
    Access next = part.first;
    next.address += next.stride[depth];
    const Int more = item.trips - 1;
    if (more > 0) {
      trips_[depth] = more;
      const Int wrap = pair(part.last, next, depth + 1);
      if (part.lead >= 0) part.between = std::max(part.between, added(added(part.trail, wrap), part.lead));
      part.most = added(scaled(part.most, item.trips), scaled(wrap, more));
      part.bursts = scaled(part.bursts, item.trips);
    }
    part.last.address += part.last.stride[depth] * more;
    part.first.stride[depth] = part.last.stride[depth] = 0;
    return part;
  }

  // Marks the windows of a run: the first window starts with the run, and each further window when the
  // previous one ends.
  void mark_windows(Part& run) const {
    run.pure = false;
    if (b_.window_ == 0 || run.bursts < b_.window_) return;
    const Int least = again(run.first.bank, run.first.bank);
    // Additional gap between groups.
    const Int more = std::max<Int>(0, row_gap(run.first, run.first) - least);
    const Int most = 2 * b_.window_ * least + (2 * b_.window_ / run.shortest + 2) * more;
    run.lead = 0;
    run.trail = run.between = std::min(run.most, most);
  }

  Part joined(const Part& a, const Part& b, std::size_t depth) {
    if (a.empty) return b;
    const Int most = pair(a.last, b.first, depth);
    Part both = a;
    both.last = b.last;
    both.most = added(added(a.most, most), b.most);
    both.bursts = added(a.bursts, b.bursts);
    both.shortest = std::min(a.shortest, b.shortest);
    both.pure = a.pure && b.pure;
    both.between = std::max(a.between, b.between);
    if (b.lead < 0) {
      both.trail = added(added(a.trail, most), b.most);
    } else if (a.lead < 0) {
      both.lead = added(added(a.most, most), b.lead);
      both.trail = b.trail;
    } else {
      both.between = std::max(both.between, added(added(a.trail, most), b.lead));
      both.trail = b.trail;
    }
    return both;
  }

  // Adds the gaps of two neighbours over the surrounding loops. Returns the largest gap that was added.
  Int pair(const Access& a, const Access& b, std::size_t depth) {
    const Int least = gap(a, b), other_row = row_gap(a, b);
    const Int count = passages(depth);
    total_ = added(total_, scaled(count, least));
    note_lost(a, b, least);
    if (other_row <= least) return least;
    const Int changes = row_changes(a, b, depth);
    if (changes == 0) return least;
    note_lost(a, b, other_row);
    total_ = added(total_, scaled(changes, other_row - least));
    return other_row;
  }

  // Returns how many times the rows of two neighbours in one bank certainly differ.
  Int row_changes(const Access& a, const Access& b, std::size_t depth) const {
    const Int row = b_.row_bursts_;
    Int low = b.address - a.address, high = low;
    bool steady = true;
    for (std::size_t d = 0; d < depth; ++d) {
      const Int move = (b.stride[d] - a.stride[d]) * (trips_[d] - 1);
      (move < 0 ? low : high) += move;
      steady = steady && move == 0;
    }
    if (low >= row || high + b.count - 1 <= -row) return passages(depth);
    if (!steady) return 0;
    const auto differ = [&](Int column) {
      return floor_divide(column + low, row) > 0 || floor_divide(column + low + b.count - 1, row) < 0;
    };
    // Columns cycle along one loop. Their offset is unknown because it depends on the other loops.
    std::size_t walked = depth;
    Int open = row, best = 0;
    for (std::size_t d = 0; d < depth; ++d)
      if (a.stride[d] % row != 0 && trips_[d] > best) {
        best = trips_[d];
        walked = d;
      }
    for (std::size_t d = 0; d < depth; ++d)
      if (d != walked && trips_[d] > 1) open = std::gcd(open, a.stride[d] % row);
    const Int stride = walked < depth ? a.stride[walked] % row : 0;
    const Int period = stride == 0 ? 1 : row / std::gcd(row, stride);
    const Int trips = walked < depth ? trips_[walked] : 1;
    Int least = max_count;
    const Int start = ((a.address % row) + row) % row;
    for (Int offset = start % open; offset < row; offset += open) {
      Int changes = 0, rest = 0;
      for (Int t = 0; t < std::min(period, trips); ++t) {
        const bool now = differ((((offset + t * stride) % row) + row) % row);
        changes += now;
        if (t < trips % period) rest += now;
      }
      const Int all = trips >= period ? scaled(changes, trips / period) + rest : changes;
      least = std::min(least, all);
      if (open == row) break;
    }
    Int others = 1;
    for (std::size_t d = 0; d < depth; ++d)
      if (d != walked) others = scaled(others, trips_[d]);
    return scaled(least, others);
  }

  const StreamBound& b_;
  std::array<Int, max_stream_depth + 1> trips_{};
  Int total_ = 0;
  Int lost_ = 0;
};

Int StreamBound::of(const Stream& stream) const {
  Walk walk(*this);
  const auto whole = walk.list(stream, 0);
  return added(walk.cycles(whole), end_);
}

}  // namespace nestor::cnm
