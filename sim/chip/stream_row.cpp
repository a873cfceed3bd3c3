#include "sim/chip/stream_row.h"

namespace nestor::sim::chip {
namespace {

__extension__ using WideInt = __int128;
constexpr Int most_pixels = Int{1} << 20;

}  // namespace

Int share_before(Int count, Int amount, Int of) { return static_cast<Int>(WideInt{count} * amount / of); }
Int share_after(Int count, Int amount, Int of) {
  return static_cast<Int>((WideInt{count} * amount + of - 1) / of);
}

MaybeFault StreamRow::run_begins() {
  if (running_) return Fault{fmt::format("a row of '{}' runs twice", program_.operators[op_].name)};
  running_ = true;
  return std::nullopt;
}

MaybeFault StreamRow::step() {
  if (!steps_.empty() && !running_)
    return Fault{fmt::format("row {} of '{}' has a step after the first one that is outside `run`", row_,
                             program_.operators[op_].name)};
  steps_.emplace_back();
  return std::nullopt;
}

MaybeFault StreamRow::gathers(std::span<const Op> ops) {
  if (auto fault = step()) return fault;
  const auto& keys = program_.operators[op_].keys;
  const Int crossbars = machine_.crossbars.count();
  for (const Op& op : ops) {
    const Int inside = op.at[0] % crossbars;
    const Int counted = op.at[0] / crossbars * keys.usable + inside - keys.xb;
    const Int at = keys.spacing > 0 && counted >= 0 ? counted % keys.spacing : -1;
    if (keys.columns == 0 || inside >= keys.usable || at < 0 || at >= keys.parts * keys.columns)
      return Fault{
          fmt::format("crossbar {} contains no weights of '{}'", op.at[0], program_.operators[op_].name)};
    if (op.at[1] != row_)
      return Fault{fmt::format("row {} of '{}' gathers a window of row {}", row_,
                               program_.operators[op_].name, op.at[1])};
    // All columns of a part read the same window.
    if (at % keys.columns == 0) reads_of_.of_part(op_, at / keys.columns, op.at[1], op.at[2], steps_.back());
  }
  return std::nullopt;
}

MaybeFault StreamRow::stores(std::span<const Op> ops) {
  if (rounds_ == 0) sharing_ = static_cast<Int>(ops.size());
  for (const Op& op : ops)
    if (op.at[2] / sharing_ != rounds_ || op.at[1] != row_)
      return Fault{fmt::format("row {} of '{}' stores pixel {} of row {} in round {}", row_,
                               program_.operators[op_].name, op.at[2], op.at[1], rounds_)};
  ++rounds_;
  return std::nullopt;
}

MaybeFault StreamRow::digital() {
  const Int width = program_.tensors[program_.operators[op_].output].width;
  if (!steps_.empty() || !running_)
    return Fault{
        fmt::format("a digital row of '{}' is outside `run`, or occurs twice", program_.operators[op_].name)};
  if (width > most_pixels)
    return Fault{
        fmt::format("a row of '{}' has more than {} pixels", program_.operators[op_].name, most_pixels)};
  for (Int x = 0; x < width; ++x) reads_of_.of_pixel(op_, row_, x, steps_.emplace_back());
  rounds_ = width;
  return std::nullopt;
}

PixelPace StreamRow::pace() const {
  return {std::max<Int>(1, rounds_), sharing_, std::max<Int>(1, static_cast<Int>(steps_.size()))};
}

Fault StreamRow::too_soon(std::size_t step, Int begins, const PixelRead& read, Int at) const {
  return Fault{fmt::format("step {} of row {} of '{}' begins at {} and reads pixel {} of row {} of '{}', "
                           "which is available at {}",
                           step, row_, program_.operators[op_].name, begins, read.pixel, read.row,
                           program_.tensors[read.tensor].name, at),
               true};
}

}  // namespace nestor::sim::chip
