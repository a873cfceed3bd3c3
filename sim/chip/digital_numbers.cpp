// Rows of digital operators that compute with the integers of a quantised model. Zero points are subtracted,
// and results are rescaled by a multiplication and a shift, and clamped.
#include <algorithm>

#include "sim/chip/digital.h"

namespace nestor::sim::chip {

using nestor::chip::FunctionKind;

Int Digital::relu(Int x) const {
  return numbers_ == nullptr ? std::max<Int>(0, x)
                             : rescaled(*numbers_, std::max<Int>(x - numbers_->zero[0], 0), 0);
}

Int Digital::numbered_pool(const L0& memory, Int y, Int x, Int c) const {
  const auto& k = op_.keys;
  const TensorOperand& in = operands_.front();
  const Int zero = numbers_->zero[0];
  Int count = 0;
  Int sum = 0;
  Int most = 0;
  for (Int tap = 0; tap < k.kernel[0] * k.kernel[1]; ++tap) {
    const Int iy = y * k.stride[0] - k.pad[0] + tap / k.kernel[1] * k.dilation[0];
    const Int ix = x * k.stride[1] - k.pad[1] + tap % k.kernel[1] * k.dilation[1];
    if (iy < 0 || ix < 0 || iy >= in.rows() || ix >= in.width()) continue;
    const Int value = at(memory, in, iy, ix, c) - zero;
    most = count++ == 0 ? value : std::max(most, value);
    sum += value;
  }
  if (op_.type == FunctionKind::average_pool)
    return rescaled(*numbers_, sum, static_cast<std::size_t>(std::max<Int>(count, 1) - 1));
  return numbers_->mul.empty() ? most + zero : rescaled(*numbers_, most, 0);
}

Int Digital::numbered_product(const L0& memory, Int y, Int c) const {
  const auto& k = op_.keys;
  const TensorOperand& right = operands_[1];
  const Int group = c / k.matrix[1];
  const Int column = c % k.matrix[1];
  Int sum = 0;
  for (Int i = 0; i < k.matrix[0]; ++i) {
    const Int pixel = k.transposed != 0 ? column : i;
    const Int channel = k.transposed != 0 ? group * k.matrix[0] + i : c;
    sum += (at(memory, operands_[0], y, 0, group * k.matrix[0] + i) - numbers_->zero[0]) *
           (at(memory, right, pixel / right.width(), pixel % right.width(), channel) - numbers_->zero[1]);
  }
  return rescaled(*numbers_, wrapped(sum), 0);
}

// Returns element (y, x, c) of a concatenation along channels (of the parts of one operand) or along rows.
Int Digital::numbered_join(const L0& memory, Int y, Int x, Int c) const {
  std::size_t from = 0;
  Int inside = 0;
  if (op_.type == FunctionKind::concat) {
    const auto& parts = operands_.front().parts();
    Int first = 0;
    while (from + 1 < parts.size() && c - first >= parts[from].channels) first += parts[from++].channels;
    inside = at(memory, operands_.front(), y, x, c);
  } else {
    Int row = y - op_.keys.constant_rows;
    if (row < 0)
      return numbers_->constant[static_cast<std::size_t>((y * out_.width + x) * out_.channels + c)];
    while (from + 1 < operands_.size() && row >= operands_[from].rows()) row -= operands_[from++].rows();
    inside = at(memory, operands_[from], row, x, c);
  }
  return rescaled(*numbers_, inside - numbers_->zero[from], from);
}

Int Digital::combined(const L0& memory, Int y, Int x, Int c) const {
  const auto& zero = numbers_->zero;
  const auto& mul = numbers_->mul;
  Int made = op_.type == FunctionKind::multiply ? 1 : 0;
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    const Int value = at(memory, operands_[i], y, x, c);
    if (op_.type == FunctionKind::multiply) made *= value - zero[i];
    if (op_.type == FunctionKind::add) made += (value - zero[i]) * mul[i];
    if (op_.type == FunctionKind::subtract) made += (value - zero[i]) * (i == 0 ? mul[i] : -mul[i]);
    if (op_.type == FunctionKind::sum) made += value;
  }
  if (op_.type == FunctionKind::multiply) return rescaled(*numbers_, made, 0);
  if (op_.type == FunctionKind::sum) {
    if (!numbers_->bias.empty()) made += numbers_->bias[static_cast<std::size_t>(c)];
    return rescaled(*numbers_, wrapped(made), static_cast<std::size_t>(c));
  }
  const Int shift = numbers_->shift[0];
  const Int half = shift == 0 ? 0 : Int{1} << (shift - 1);
  return std::clamp(((made + half) >> shift) + zero.back(), numbers_->limits[0], numbers_->limits[1]);
}

void Digital::numbered(const L0& memory, Int y, Row& out) const {
  for (Int x = 0; x < out_.width; ++x) {
    for (Int c = 0; c < out_.channels; ++c) {
      Int& made = out[static_cast<std::size_t>(x * out_.channels + c)];
      const auto value = [&] { return at(memory, operands_.front(), y, x, c); };
      switch (op_.type) {
        case FunctionKind::max_pool:
        case FunctionKind::average_pool:
          made = numbered_pool(memory, y, x, c);
          break;
        case FunctionKind::product:
          made = numbered_product(memory, y, c);
          break;
        case FunctionKind::concat:
        case FunctionKind::concat_rows:
          made = numbered_join(memory, y, x, c);
          break;
        case FunctionKind::relu:
          made = relu(value());
          break;
        case FunctionKind::table: {
          const Int half = static_cast<Int>(numbers_->table.size()) / 2;
          made = numbers_->table[static_cast<std::size_t>(std::clamp(value(), -half, half - 1) + half)];
          break;
        }
        case FunctionKind::copy:
          made = numbers_->mul.empty() ? value() : rescaled(*numbers_, value() - numbers_->zero[0], 0);
          break;
        default:
          made = combined(memory, y, x, c);
      }
    }
  }
}

// Computes softmax or layernorm for each run of channels.
void Digital::numbered_run(const L0& memory, Int y, Row& out) const {
  const Int run = out_.channels / op_.keys.groups;
  const Int most = (Int{1} << (op_.keys.bits[2] - 1)) - 1;
  std::vector<Int> values(static_cast<std::size_t>(run));
  for (Int first = 0; first < out_.width * out_.channels; first += run) {
    Int sum = 0;
    for (Int i = 0; i < run; ++i)
      sum += values[static_cast<std::size_t>(i)] =
          at(memory, operands_.front(), y, first / out_.channels, first % out_.channels + i);
    Int* const to = &out[static_cast<std::size_t>(first)];
    if (op_.type == FunctionKind::softmax) {
      const Int largest = *std::max_element(values.begin(), values.end());
      Int total = 0;
      for (Int& value : values) {
        value =
            numbers_->table[std::min(static_cast<std::size_t>(largest - value), numbers_->table.size() - 1)];
        total += value;
      }
      for (std::size_t i = 0; i < values.size(); ++i)
        to[i] = rescaled(*numbers_, (values[i] * most + total / 2) / total, 0);
      continue;
    }
    Int squares = 0;
    for (const Int value : values) squares += (run * value - sum) * (run * value - sum);
    const Int deviation = root_of(squares / run) + 1;
    for (std::size_t i = 0; i < values.size(); ++i)
      to[i] = rescaled(*numbers_, floor_of((run * values[i] - sum) * 128, deviation), i, numbers_->bias[i]);
  }
}

}  // namespace nestor::sim::chip
