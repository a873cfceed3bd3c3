#include "model/cnm/stream_reach.h"

#include <algorithm>
#include <vector>

namespace nestor::cnm {
namespace {

constexpr std::size_t most_reaches = 1'000;

// Address range of an access in trip 0, over all trips of inner loops. In trip t, the range is shifted by t
// strides.
struct Reach {
  Int bank, low, high, stride;
  Int low_at(Int trip) const { return low + stride * trip; }
  Int high_at(Int trip) const { return high + stride * trip; }
};

struct Collector {
  const StreamCursor& cursor;
  const std::size_t depth;
  std::vector<std::pair<std::size_t, Int>> inner{};  // depth and number of trips of the inner loops
  std::vector<Reach> reaches{};

  void add(const Stream& body) {
    for (const StreamItem& item : body) {
      if (item.is_loop()) {
        if (item.trips == 0) continue;
        inner.emplace_back(depth + inner.size(), item.trips);
        add(item.body);
        inner.pop_back();
        continue;
      }
      for (const Access& access : item.accesses) add(access);
    }
  }
  void add(const Access& access) {
    Int first = access.address, last = access.address + access.count - 1;
    for (std::size_t outer = 1; outer < depth; ++outer) {
      first += access.stride[outer - 1] * cursor.frame(outer).trip;
      last += access.stride[outer - 1] * cursor.frame(outer).trip;
    }
    for (const auto& [at, trips] : inner)
      (access.stride[at] < 0 ? first : last) += access.stride[at] * (trips - 1);
    reaches.push_back({access.bank, first, last, access.stride[depth - 1]});
  }
};

// Ends the stretch before the first trip in which the access reaches the addresses [from, to). If the current
// trip already reaches them, the stretch ends with the last trip that does. If only the previous trip reached
// them, its rows may still be open, and the stretch ends after the current trip. In these two cases, trips
// must not be skipped.
void keep_clear(const Reach& reach, Int trip, Int from, Int to, Stretch& stretch) {
  const Int last = stretch.until - 1, before = std::max<Int>(0, trip - 1);
  if (std::min(reach.low_at(before), reach.low_at(last)) >= to ||
      std::max(reach.high_at(before), reach.high_at(last)) < from)
    return;
  if (reach.stride < 0) {  // rare, and therefore not analysed
    stretch.alike = false;
    return;
  }
  const Int arrives = trip + std::max<Int>(0, ceil_divide(from - reach.high_at(trip), reach.stride));
  const bool was_there = reach.low_at(before) < to && reach.high_at(before) >= from;
  if (arrives > trip) {
    stretch.until = std::min(stretch.until, arrives);
    return;
  }
  const Int left = trip + std::max<Int>(1, ceil_divide(to - reach.low_at(trip), reach.stride));
  if (reach.low_at(trip) >= to && !was_there) return;
  stretch.until = std::min(stretch.until, left);
  stretch.alike = false;
}

// True if rows with different nonzero strides never meet. Equal rows then stay equal and different rows stay
// different.
bool rows_stay_apart(const std::vector<Reach>& reaches, Int from, Int until, Int row_bursts) {
  const auto row = [row_bursts](Int address) { return address / row_bursts; };
  const auto low = [&](const Reach& r) { return row(std::min(r.low_at(from), r.low_at(until - 1))); };
  const auto high = [&](const Reach& r) { return row(std::max(r.high_at(from), r.high_at(until - 1))); };
  for (const Reach& a : reaches)
    for (const Reach& b : reaches)
      if (a.stride != 0 && b.stride != 0 && b.bank == a.bank && b.stride != a.stride && low(b) <= high(a) &&
          low(a) <= high(b))
        return false;
  return true;
}

}  // namespace

bool is_special_row(Int row) { return row == row_all_bank || row == row_single_bank || row == row_registers; }

Stretch stretch_of(const StreamCursor& cursor, std::size_t depth, const PimUnits& pim,
                   std::span<const OpenRow> open) {
  const auto& frame = cursor.frame(depth);
  Collector collector{cursor, depth};
  collector.add(*frame.list);
  Stretch stretch{frame.trips, true};
  if (collector.reaches.size() > most_reaches) return {frame.trips, false};
  for (const Reach& reach : collector.reaches) {
    if (reach.stride == 0) continue;
    for (const Int row : {row_all_bank, row_single_bank, row_registers})
      keep_clear(reach, frame.trip, row * pim.row_bursts, (row + 1) * pim.row_bursts, stretch);
    // A range that crosses the start of the reserved rows is considered inside; a range completely behind it
    // is not.
    const Int reserved = pim.reserved_row * pim.row_bursts;
    if (reach.low_at(frame.trip) < reserved) keep_clear(reach, frame.trip, reserved, reserved + 1, stretch);
    // Ends the stretch before the access reaches rows that do not move with the loop.
    const auto keep_clear_of = [&](Int bank, Int first, Int last) {
      if (bank == reach.bank)
        keep_clear(reach, frame.trip, first * pim.row_bursts, (last + 1) * pim.row_bursts, stretch);
    };
    for (const OpenRow& at : open) keep_clear_of(at.bank, at.row, at.row);
    for (const Reach& still : collector.reaches)
      if (still.stride == 0)
        keep_clear_of(still.bank, still.low / pim.row_bursts, still.high / pim.row_bursts);
  }
  if (stretch.alike)
    stretch.alike =
        rows_stay_apart(collector.reaches, std::max<Int>(0, frame.trip - 1), stretch.until, pim.row_bursts);
  return stretch;
}

}  // namespace nestor::cnm
