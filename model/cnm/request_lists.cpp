#include "model/cnm/request_lists.h"

#include <algorithm>

namespace nestor::cnm {
namespace {

constexpr std::uint32_t most_listed = 1 << 18;
constexpr std::size_t most_series = 1 << 16;

}  // namespace

void RequestLists::clear() {
  lists_.clear();
  series_.clear();
}

bool RequestLists::read(const FlatProgram& program, std::span<const Int> trips) {
  List list{.begin = series_.size()};
  if (!write_out(program, trips, list)) {
    series_.resize(list.begin);
    return false;
  }
  list.end = series_.size();
  if (list.shared == 0) list.shared = length(list);
  lists_.push_back(list);
  return true;
}

inline void RequestLists::put(const List& list, const Series& series, std::uint32_t times) {
  if (series_.size() > list.begin && series_.back().alike(series)) {
    series_.back().end += times;
    return;
  }
  const std::uint32_t end = length(list) + times;
  series_.push_back(series);
  series_.back().end = end;
}

// Appends `times` repetitions of the requests from `first` to the end. Returns false if the list becomes too
// long.
bool RequestLists::repeat_from(const List& list, std::uint32_t first, Int times) {
  const std::uint32_t end = length(list);
  if (end == first) return true;
  if (times > Int{most_listed / (end - first)}) return false;
  const auto begin_of = [&](std::size_t i) { return i == list.begin ? 0 : series_[i - 1].end; };
  const std::size_t last = series_.size() - 1;
  std::size_t from = last;
  while (begin_of(from) > first) --from;
  if (from == last) {  // all requests of a trip are equal
    series_.back().end = end + (end - first) * static_cast<std::uint32_t>(times);
    return true;
  }
  if (times > static_cast<Int>(most_series / (last + 1 - from))) return false;
  for (; times > 0; --times)
    for (std::size_t i = from; i <= last; ++i) {
      const Series series = series_[i];
      // The last series may continue in the next trip.
      const std::uint32_t until = i == last ? end : series.end;
      put(list, series, until - std::max(first, begin_of(i)));
    }
  return true;
}

// Lists transfers from the last one backward, so that the number of equal transfers that follow is known for
// each transfer.
void RequestLists::list_transfers(const FlatProgram& program) {
  const auto& steps = program.steps;
  transfers_.assign(steps.size(), {});
  const auto alike = [&](std::size_t a, std::size_t b) {
    return steps[a].kind == steps[b].kind && steps[a].amount == steps[b].amount;
  };
  for (std::size_t i = steps.size(); i-- > 0;) {
    const bool reads = steps[i].kind == ItemKind::read;
    if (!reads && steps[i].kind != ItemKind::write) continue;
    Transfer& transfer = transfers_[i];
    const bool again = i > 0 && i + 2 < steps.size() && steps[i - 1].kind == ItemKind::slots &&
                       alike(i - 1, i + 1) && alike(i, i + 2);
    if (again)
      transfer = {transfers_[i + 2].busy, transfers_[i + 2].again + 1};
    else
      transfer.busy = busy_cycles(reads ? system_.dma.read : system_.dma.write, steps[i].amount);
  }
}

bool RequestLists::write_out(const FlatProgram& program, std::span<const Int> trips, List& list) {
  left_.fill(0);
  list_transfers(program);
  Int slots = 0;
  const auto put_one = [&](Ending ending, Int busy) {
    const bool transfer = ending == Ending::read || ending == Ending::write;
    put(list, {.issues = slots + Int{transfer}, .busy = busy, .ending = ending}, 1);
    slots = 0;
  };
  for (std::size_t at = 0; at < program.steps.size();) {
    const Step& step = program.steps[at];
    if (length(list) > most_listed || series_.size() - list.begin > most_series) return false;
    switch (step.kind) {
      case ItemKind::slots:
        slots += step.amount;
        break;
      case ItemKind::read:
      case ItemKind::write: {
        const auto [busy, again] = transfers_[at];
        const Ending ending = step.kind == ItemKind::read ? Ending::read : Ending::write;
        put_one(ending, busy);
        if (again == 0) break;
        put(list, {.issues = program.steps[at - 1].amount + 1, .busy = busy, .ending = ending}, again);
        at += std::size_t{2} * again;
        break;
      }
      case ItemKind::barrier:
        if (list.shared != 0) return false;
        put_one(Ending::barrier, 0);
        break;
      case ItemKind::leave: {
        if (step.depth != 0 || list.shared != 0) return false;
        const Int before = slots;
        put_one(Ending::others_end, 0);
        slots = before;  // the first tasklet also issues these slots before its next request
        list.shared = length(list);
        break;
      }
      case ItemKind::loop: {
        Int& left = left_[step.depth];  // 0 when the loop is entered, and again when it is finished
        std::uint32_t& second = second_[step.depth];
        if (left > 0) {  // the remaining trips equal the second trip, which ends here
          if (!repeat_from(list, second, left - 1)) return false;
          left = 0;
          break;
        }
        left = trips[step.loop] - 1;
        if (left == 0) break;
        second = length(list);
        at = step.target;
        continue;
      }
    }
    ++at;
  }
  put_one(Ending::end, 0);
  return true;
}

void RequestLists::compare() {
  for (std::size_t i = lists_.size(); i-- > 0;) {
    List& list = lists_[i];
    if (i > 0) {
      const List& before = lists_[i - 1];
      std::size_t one = list.begin, other = before.begin;
      while (one < list.end && other < before.end && series_[one].alike(series_[other]) &&
             series_[one].end == series_[other].end)
        ++one, ++other;
      if (one < list.end && other < before.end && series_[one].alike(series_[other]))
        list.alike = std::min(series_[one].end, series_[other].end);
      else
        list.alike = one == list.begin ? 0 : series_[one - 1].end;
    }
    list.next_smaller = i + 1;
    while (list.next_smaller < lists_.size() && lists_[list.next_smaller].alike >= list.alike)
      list.next_smaller = lists_[list.next_smaller].next_smaller;
  }
}

// The end of the other tasklets is not a request of the first tasklet.
Int RequestLists::requests(std::size_t list, Int tasklets) const {
  const Int shared = lists_[list].shared, rest = Int{series_[lists_[list].end - 1].end} - shared;
  return shared * tasklets + std::max<Int>(0, rest - 1);
}

}  // namespace nestor::cnm
