#include "sim/chip/model_reference.h"

#include <cmath>
#include <cstdint>

#include "sim/chip/plain_loops.h"
#include "sim/chip/reference.h"

namespace nestor::sim::chip {

using chip_program::OperatorNumbers;
using nestor::chip::ChipNetwork;
using nestor::chip::FunctionKind;
using nestor::chip::Operator;

namespace {

__extension__ using Wide = __int128;
using Word = std::uint32_t;  // 32-bit sum, which wraps around

Int sum_of(Word word) { return static_cast<std::int32_t>(word); }

Int floor_quotient(Wide a, Wide b) {
  const Wide quotient = a / b;
  return static_cast<Int>(a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient);
}

// Returns a / 2^shift, rounded to the nearest integer (halves up), plus the zero point, and clamped to the
// limits.
Int brought(Wide a, Int shift, const OperatorNumbers& n) {
  const Wide unit = Wide{1} << shift;
  const Int value = floor_quotient(2 * a + unit, 2 * unit) + n.zero.back();
  return value < n.limits[0] ? n.limits[0] : value > n.limits[1] ? n.limits[1] : value;
}

Int scaled(Int sum, std::size_t at, const OperatorNumbers& n, Int add = 0) {
  if (n.mul.empty()) return sum;
  if (n.mul.size() == 1) at = 0;
  return brought(Wide{sum} * n.mul[at] + add, n.shift[n.shift.size() == 1 ? 0 : at], n);
}

class ModelReference {
 public:
  ModelReference(const ChipNetwork& network, const chip_program::ProgramNumbers& numbers)
      : network_(network), numbers_(numbers) {}

  std::vector<std::vector<Int>> run(const std::vector<Int>& input) {
    tensors_.push_back(input);
    for (std::size_t i = 0; i < network_.operators.size(); ++i) {
      const Operator& op = network_.operators[i];
      std::vector<Int> made(static_cast<std::size_t>(op.rows * op.width * op.channels));
      compute(op, numbers_.operators[i], made);
      tensors_.push_back(std::move(made));
    }
    tensors_.erase(tensors_.begin());
    return std::move(tensors_);
  }

 private:
  void compute(const Operator& op, const OperatorNumbers& n, std::vector<Int>& out);
  void convolution(const Operator& op, const OperatorNumbers& n, std::vector<Int>& out);
  void pooled(const Operator& op, const OperatorNumbers& n, std::vector<Int>& out);
  static void soften(Int* run, std::size_t count, const OperatorNumbers& n, Int most);
  static void normalise(Int* run, std::size_t count, const OperatorNumbers& n);
  template <typename Value>
  std::vector<Value> above_zero(std::size_t operand, Int zero) const {
    std::vector<Value> values;
    for (const Int x : tensors_[in_[operand].tensor]) values.push_back(static_cast<Value>(x - zero));
    return values;
  }

  const ChipNetwork& network_;
  const chip_program::ProgramNumbers& numbers_;
  std::vector<Seen> in_;
  std::vector<std::vector<Int>> tensors_;
};

void ModelReference::convolution(const Operator& op, const OperatorNumbers& n, std::vector<Int>& out) {
  std::vector<Word> matrix;
  for (const auto w : n.matrix) matrix.push_back(static_cast<Word>(w - n.zero[1]));
  convolve(
      op, in_[0], above_zero<Word>(0, n.zero[0]), matrix, [&](Int y, Int x, const std::vector<Word>& sums) {
        const auto at = static_cast<std::size_t>((y * op.width + x) * op.channels);
        for (std::size_t c = 0; c < sums.size(); ++c)
          out[at + c] = scaled(sum_of(sums[c] + static_cast<Word>(n.bias.empty() ? 0 : n.bias[c])), c, n);
      });
}

void ModelReference::pooled(const Operator& op, const OperatorNumbers& n, std::vector<Int>& out) {
  const bool largest = op.function.kind == FunctionKind::max_pool;
  pool(op, in_[0], tensors_[in_[0].tensor], [&](std::size_t at, const std::vector<Int>& values) {
    Int found = values.empty() ? n.zero[0] : largest ? values[0] : 0;
    for (const Int x : values) found = largest ? std::max(found, x) : found + x - n.zero[0];
    if (values.empty() && !largest) found = 0;
    if (largest && !n.mul.empty()) found -= n.zero[0];
    const std::size_t count = values.empty() ? 0 : values.size() - 1;
    out[at] = scaled(found, largest ? 0 : count, n);
  });
}

// Computes e = T[largest - x] and y = (e * most + S div 2) div S, where S is the sum of e over the run.
void ModelReference::soften(Int* run, std::size_t count, const OperatorNumbers& n, Int most) {
  const Int peak = *std::max_element(run, run + count);
  Int total = 0;
  for (std::size_t i = 0; i < count; ++i)
    total += run[i] = n.table[std::min(static_cast<std::size_t>(peak - run[i]), n.table.size() - 1)];
  for (std::size_t i = 0; i < count; ++i) run[i] = scaled((run[i] * most + total / 2) / total, 0, n);
}

void ModelReference::normalise(Int* run, std::size_t count, const OperatorNumbers& n) {
  const auto length = static_cast<Int>(count);
  Int sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += run[i];
  Int squares = 0;
  for (std::size_t i = 0; i < count; ++i) squares += (length * run[i] - sum) * (length * run[i] - sum);
  const Int variance = squares / length;
  auto root = static_cast<Int>(std::sqrt(static_cast<double>(variance)));
  while (root * root > variance) --root;
  while ((root + 1) * (root + 1) <= variance) ++root;
  for (std::size_t i = 0; i < count; ++i)
    run[i] = scaled(floor_quotient(Wide{128} * (length * run[i] - sum), root + 1), i, n, n.bias[i]);
}

void ModelReference::compute(const Operator& op, const OperatorNumbers& n, std::vector<Int>& out) {
  see_inputs(network_, op, in_);
  const auto value = [&](std::size_t i, Int y, Int x, Int c) {
    return tensors_[in_[i].tensor][in_[i].place(y, x, c)];
  };
  switch (op.function.kind) {
    case FunctionKind::convolution:
      return convolution(op, n, out);
    case FunctionKind::product:
      return multiply(op, in_[0], above_zero<Word>(0, n.zero[0]), in_[1], above_zero<Word>(1, n.zero[1]),
                      [&](Int y, Int c, Word sum) {
                        out[static_cast<std::size_t>(y * op.channels + c)] = scaled(sum_of(sum), 0, n);
                      });
    case FunctionKind::max_pool:
    case FunctionKind::average_pool:
      return pooled(op, n, out);
    case FunctionKind::softmax:
    case FunctionKind::layer_norm: {
      each_element(op, [&](Int y, Int x, Int c, std::size_t at) { out[at] = value(0, y, x, c); });
      const auto run = static_cast<std::size_t>(op.channels / op.function.groups);
      for (std::size_t at = 0; at < out.size(); at += run)
        op.function.kind == FunctionKind::softmax ? soften(&out[at], run, n, (Int{1} << (op.bits.O - 1)) - 1)
                                                  : normalise(&out[at], run, n);
      return;
    }
    default:
      break;
  }
  each_element(op, [&](Int y, Int x, Int c, std::size_t at) {
    switch (op.function.kind) {
      case FunctionKind::relu:
        out[at] = scaled(std::max<Int>(0, value(0, y, x, c) - n.zero[0]), 0, n);
        break;
      case FunctionKind::table:
        out[at] = n.table[static_cast<std::size_t>(value(0, y, x, c) + static_cast<Int>(n.table.size()) / 2)];
        break;
      case FunctionKind::concat:
      case FunctionKind::concat_rows: {
        const auto from = joined_from(op, in_, y, x, c);
        const auto i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, from.operand));
        out[at] =
            from.operand < 0 ? n.constant[at] : scaled(tensors_[in_[i].tensor][from.place] - n.zero[i], i, n);
        break;
      }
      case FunctionKind::multiply: {
        Int product = 1;
        for (std::size_t i = 0; i < in_.size(); ++i) product *= value(i, y, x, c) - n.zero[i];
        out[at] = scaled(product, 0, n);
        break;
      }
      case FunctionKind::add:
      case FunctionKind::subtract: {
        Wide sum = 0;
        for (std::size_t i = 0; i < in_.size(); ++i) {
          const Wide part = Wide{value(i, y, x, c) - n.zero[i]} * n.mul[i];
          sum += i > 0 && op.function.kind == FunctionKind::subtract ? -part : part;
        }
        out[at] = brought(sum, n.shift[0], n);
        break;
      }
      default:  // copy
        out[at] = value(0, y, x, c);
        if (!n.mul.empty()) out[at] = scaled(out[at] - n.zero[0], 0, n);
    }
  });
}

}  // namespace

std::variant<std::vector<std::vector<Int>>, Fault> model_results(const ChipNetwork& network,
                                                                 const chip_program::ProgramNumbers& numbers,
                                                                 const std::vector<Int>& input) {
  if (auto fault = check_network(network)) return *std::move(fault);
  if (numbers.operators.size() != network.operators.size())
    return Fault{"the numbers belong to a different network"};
  return ModelReference(network, numbers).run(input);
}

}  // namespace nestor::sim::chip
