#include "sim/chip/digital.h"

#include <algorithm>

#include "model/chip/program/constants.h"

namespace nestor::sim::chip {

using nestor::chip::FunctionKind;

namespace {

constexpr double most_row_work = 0x1p28;
// Maximum length of a layernorm run, so that sums of squares of 16-bit values fit in 64 bits.
constexpr Int longest_run = Int{1} << 10;

}  // namespace

Digital::Digital(const Program& program, std::size_t op)
    : op_(program.operators[op]), out_(program.tensors[op_.output]), operands_(operands_of(program, op_)) {
  if (program.numbers) {
    numbers_ = &program.numbers->operators[op];
    return;
  }
  if (op_.type == FunctionKind::table) {
    table_ = chip_program::unary_table(op_.table, op_.keys.bits[0], op_.keys.bits[2]);
  }
  if (op_.type == FunctionKind::softmax) table_ = chip_program::softmax_table(op_.keys.bits[0] + 1);
}

Int Digital::at(const L0& memory, const TensorOperand& operand, Int y, Int x, Int c) const {
  const auto place = operand.place(y, x, c);
  const Int value = memory.read(place.address, place.bytes);
  return numbers_ != nullptr ? value : saturated(value, op_.keys.bits[0]);
}

void Digital::pool(const L0& memory, Int y, Row& out) const {
  const auto& k = op_.keys;
  const TensorOperand& in = operands_.front();
  const bool average = op_.type == FunctionKind::average_pool;
  for (Int x = 0; x < out_.width; ++x) {
    for (Int c = 0; c < out_.channels; ++c) {
      Int count = 0;
      Int sum = 0;
      Int most = 0;
      for (Int ky = 0; ky < k.kernel[0]; ++ky) {
        for (Int kx = 0; kx < k.kernel[1]; ++kx) {
          const Int iy = y * k.stride[0] - k.pad[0] + ky * k.dilation[0];
          const Int ix = x * k.stride[1] - k.pad[1] + kx * k.dilation[1];
          if (iy < 0 || ix < 0 || iy >= in.rows() || ix >= in.width()) continue;
          const Int value = at(memory, in, iy, ix, c);
          most = count++ == 0 ? value : std::max(most, value);
          sum += value;
        }
      }
      // Halves are rounded up. The result of windows that contain only padding is 0.
      out[static_cast<std::size_t>(x * out_.channels + c)] = count == 0 ? 0
                                                             : average  ? floor_of(2 * sum + count, 2 * count)
                                                                        : most;
    }
  }
}

void Digital::combine(const L0& memory, Int y, Row& out) const {
  for (Int x = 0; x < out_.width; ++x) {
    for (Int c = 0; c < out_.channels; ++c) {
      Int value = at(memory, operands_.front(), y, x, c);
      for (std::size_t i = 1; i < operands_.size(); ++i) {
        const Int other = at(memory, operands_[i], y, x, c);
        if (op_.type == FunctionKind::subtract) value -= other;
        if (op_.type == FunctionKind::multiply) value *= other;
        if (op_.type == FunctionKind::add || op_.type == FunctionKind::sum) value += other;
      }
      if (op_.type == FunctionKind::multiply) value = requantised(value, op_.keys.requant, op_.keys.bits[2]);
      if (op_.type == FunctionKind::sum) {
        const auto& piece = op_.keys.piece;
        value = wrapped(value + chip_program::bias(op_.keys.seed, piece[0], piece[1] + c, op_.keys.bits[1]));
        value = requantised(value, op_.keys.requant, op_.keys.bits[2]);
      }
      out[static_cast<std::size_t>(x * out_.channels + c)] = value;
    }
  }
}

void Digital::unary(const L0& memory, Int y, Row& out) const {
  for (Int x = 0; x < out_.width; ++x) {
    for (Int c = 0; c < out_.channels; ++c) {
      Int value = at(memory, operands_.front(), y, x, c);
      if (op_.type == FunctionKind::relu) value = std::max<Int>(0, value);
      if (op_.type == FunctionKind::table) {
        const Int half = static_cast<Int>(table_.size()) / 2;
        value = table_[static_cast<std::size_t>(std::clamp(value, -half, half - 1) + half)];
      }
      out[static_cast<std::size_t>(x * out_.channels + c)] = value;
    }
  }
}

// Computes e = T[largest - x] and y = (e * most + S div 2) div S, where S is the sum of e over a run.
void Digital::softmax(const L0& memory, Int y, Row& out) const {
  const Int run = out_.channels / op_.keys.groups;
  const Int most = (Int{1} << (op_.keys.bits[2] - 1)) - 1;
  std::vector<Int> values(static_cast<std::size_t>(run));
  for (Int first = 0; first < out_.width * out_.channels; first += run) {
    const Int x = first / out_.channels;
    for (Int i = 0; i < run; ++i)
      values[static_cast<std::size_t>(i)] = at(memory, operands_.front(), y, x, first % out_.channels + i);
    const Int largest = *std::max_element(values.begin(), values.end());
    Int sum = 0;
    for (Int& value : values) {
      value = table_[std::min(static_cast<std::size_t>(largest - value), table_.size() - 1)];
      sum += value;
    }
    for (Int i = 0; i < run; ++i) {
      out[static_cast<std::size_t>(first + i)] = (values[static_cast<std::size_t>(i)] * most + sum / 2) / sum;
    }
  }
}

void Digital::normalise(const L0& memory, Int y, Row& out) const {
  const Int run = out_.channels / op_.keys.groups;
  for (Int first = 0; first < out_.width * out_.channels; first += run) {
    const auto value = [&](Int i) {
      return at(memory, operands_.front(), y, first / out_.channels, first % out_.channels + i);
    };
    Int sum = 0;
    for (Int i = 0; i < run; ++i) sum += value(i);
    Int squares = 0;
    for (Int i = 0; i < run; ++i) squares += (run * value(i) - sum) * (run * value(i) - sum);
    const Int deviation = root_of(squares / run) + 1;
    for (Int i = 0; i < run; ++i) {
      const Int scaled = floor_of((run * value(i) - sum) * 128, deviation);
      out[static_cast<std::size_t>(first + i)] = requantised(scaled, op_.keys.requant, op_.keys.bits[2]);
    }
  }
}

// Multiplies one row of the left factor by the whole right factor, group by group.
void Digital::product(const L0& memory, Int y, Row& out) const {
  const auto& k = op_.keys;
  const TensorOperand& right = operands_[1];
  for (Int g = 0; g < k.groups; ++g) {
    for (Int n = 0; n < k.matrix[1]; ++n) {
      Int sum = 0;
      for (Int i = 0; i < k.matrix[0]; ++i) {
        const Int pixel = k.transposed != 0 ? n : i;
        const Int channel = k.transposed != 0 ? g * k.matrix[0] + i : g * k.matrix[1] + n;
        const auto place = right.place(pixel / right.width(), pixel % right.width(), channel);
        sum += at(memory, operands_.front(), y, 0, g * k.matrix[0] + i) *
               saturated(memory.read(place.address, place.bytes), k.bits[1]);
      }
      out[static_cast<std::size_t>(g * k.matrix[1] + n)] = requantised(wrapped(sum), k.requant, k.bits[2]);
    }
  }
}

void Digital::concat_rows(const L0& memory, Int y, Row& out) const {
  Int row = y - op_.keys.constant_rows;
  const TensorOperand* from = nullptr;
  for (const TensorOperand& operand : operands_) {
    if (row < 0 || from != nullptr) break;
    if (row < operand.rows())
      from = &operand;
    else
      row -= operand.rows();
  }
  for (Int x = 0; x < out_.width; ++x) {
    for (Int c = 0; c < out_.channels; ++c) {
      const Int element = x * out_.channels + c;
      const Int place = y * out_.width * out_.channels + element;
      out[static_cast<std::size_t>(element)] =
          from != nullptr ? at(memory, *from, row, x, c)
                          : chip_program::element(op_.keys.seed, place, op_.keys.bits[2]);
    }
  }
}

double Digital::work_of_row() const {
  const auto& k = op_.keys;
  const double elements = static_cast<double>(out_.width) * static_cast<double>(out_.channels);
  if (op_.type == FunctionKind::product) return elements * static_cast<double>(k.matrix[0]);
  return elements * static_cast<double>(k.kernel[0]) * static_cast<double>(k.kernel[1]);
}

MaybeFault Digital::row(L0& memory, Int y) const {
  const auto fault = [&](std::string_view what) {
    return Fault{fmt::format("operator '{}': {}", op_.name, what)};
  };
  for (const TensorOperand& operand : operands_) {
    if (!operand.right()) return fault("its operands do not match");
  }
  if (operands_.empty()) return fault("it has no operand");
  if (work_of_row() > most_row_work) return fault("a row of more than 2^28 operations");
  if (op_.type == FunctionKind::multiply && op_.keys.bits[0] > 16)
    return fault("factors of more than 16 bits");
  const TensorOperand& first = operands_.front();
  const bool by_element = first.channels() == out_.channels || first.channels() == 1;
  Row out(static_cast<std::size_t>(out_.width * out_.channels));
  switch (op_.type) {
    case FunctionKind::max_pool:
    case FunctionKind::average_pool:
      if (!by_element) return fault("a pool that changes the number of channels");
      numbers_ != nullptr ? numbered(memory, y, out) : pool(memory, y, out);
      break;
    case FunctionKind::add:
    case FunctionKind::subtract:
    case FunctionKind::multiply:
    case FunctionKind::sum:
    case FunctionKind::relu:
    case FunctionKind::table:
    case FunctionKind::copy:
    case FunctionKind::concat:
      for (const TensorOperand& operand : operands_) {
        const bool fits = (operand.channels() == 1 || operand.channels() >= out_.channels) &&
                          (operand.rows() == 1 || operand.rows() >= out_.rows) &&
                          (operand.width() == 1 || operand.width() >= out_.width);
        if (!fits) return fault("an operand that is too small");
      }
      numbers_ != nullptr                                     ? numbered(memory, y, out)
      : operands_.size() > 1 || op_.type == FunctionKind::sum ? combine(memory, y, out)
                                                              : unary(memory, y, out);
      break;
    case FunctionKind::softmax:
    case FunctionKind::layer_norm:
      if (!by_element || first.rows() < out_.rows || first.width() < out_.width ||
          out_.channels % op_.keys.groups != 0 ||
          (op_.type == FunctionKind::layer_norm && out_.channels / op_.keys.groups > longest_run) ||
          op_.keys.bits[0] > 16) {
        return fault("its groups do not divide its channels, or its operands do not match");
      }
      numbers_ != nullptr                 ? numbered_run(memory, y, out)
      : op_.type == FunctionKind::softmax ? softmax(memory, y, out)
                                          : normalise(memory, y, out);
      break;
    case FunctionKind::product: {
      const auto& k = op_.keys;
      const Int length = operands_.size() == 2 ? operands_[1].rows() * operands_[1].width() : 0;
      const Int channels = operands_.size() == 2 ? operands_[1].channels() : 0;
      const bool fits = length >= (k.transposed != 0 ? k.matrix[1] : k.matrix[0]) &&
                        channels >= k.groups * (k.transposed != 0 ? k.matrix[0] : k.matrix[1]) &&
                        first.channels() >= k.groups * k.matrix[0] && first.rows() >= out_.rows &&
                        out_.width * out_.channels >= k.groups * k.matrix[1];
      if (!fits) return fault("its factors do not match");
      numbers_ != nullptr ? numbered(memory, y, out) : product(memory, y, out);
      break;
    }
    case FunctionKind::concat_rows:
      numbers_ != nullptr ? numbered(memory, y, out) : concat_rows(memory, y, out);
      break;
    default:
      return fault("its function is unknown");
  }
  const Int bytes = bytes_for(out_.bits);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Int address = out_.address + (y * out_.width * out_.channels + static_cast<Int>(i)) * bytes;
    memory.write(address, bytes, numbers_ != nullptr ? out[i] : saturated(out[i], op_.keys.bits[2]));
  }
  return std::nullopt;
}

}  // namespace nestor::sim::chip
