#include "model/chip/stream.h"

#include <limits>

namespace nestor::chip {
namespace {

__extension__ using WideInt = __int128;

// Returns floor(count * amount / of), even if the product exceeds 64 bits.
Int share_of(Int count, Int amount, Int of) {
  constexpr Int small = std::numeric_limits<std::int32_t>::max();
  if (count <= small && amount <= small) return count * amount / of;
  return static_cast<Int>(WideInt{count} * amount / of);
}
Int share_of_up(Int count, Int amount, Int of) {
  return amount - share_of(of - count, amount, of);  // requires count <= of
}

// Returns the block of the last matrix row in group y of the parts.
Int tap_of_group(const CrossbarLayout& layout, const OperatorInput& input, const OperatorTiming& pace,
                 Int y) {
  const Int rows = layout.matrix_rows;
  const Int parts = share_of(y + 1, pace.parts, pace.phases);
  const Int last = std::min(rows, parts * layout.rows_used(pace.parts)) - 1;
  return share_of(last, input.taps, rows);
}

}  // namespace

StreamInput stream_input(const ChipProblem& problem, std::size_t index, const OperatorInput& input,
                         const OperatorTiming& pace, const OperatorTiming& producer, Int transfer) {
  const Operator& op = problem.network.operators[index];
  const Operator& from = problem.network.operators[problem.network.producer(input.tensor)];
  const CrossbarLayout& layout = problem.facts[index].layout;
  const bool by_tap = pace.on_array && !layout.packed && input.taps > 1;
  StreamInput result;
  for (Int y = 0; y < pace.phases; ++y) {
    const Int tap = by_tap ? tap_of_group(layout, input, pace, y) : input.taps - 1;
    // The first group of a tap starts first, so it has the largest lag.
    if (!result.lags.empty() && result.lags.back().tap == tap) continue;
    result.lags.push_back({tap, 0});
    Int& lag = result.lags.back().lag;
    for (Int round = 0; round < pace.rounds; ++round) {
      const Int window = std::min(op.width, (round + 1) * pace.sharing) - 1;
      const Int pixel = input.pixels ? needed_element(*input.pixels, window, from.width) : from.width - 1;
      const Int seen = share_of_up(pixel / producer.sharing + 1, producer.row, producer.rounds) +
                       producer.out + transfer + pace.in;
      if (y == 0 && round == 0) result.first_lag = seen;
      lag = std::max(lag, seen - share_of(round * pace.phases + y, pace.row, pace.steps()));
    }
    if (!by_tap) break;
  }
  return result;
}

}  // namespace nestor::chip
