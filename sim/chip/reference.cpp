#include "sim/chip/reference.h"

#include <algorithm>
#include <cmath>

#include "model/chip/program/constants.h"

namespace nestor::sim::chip {
namespace {

using nestor::chip::ChipNetwork;
using nestor::chip::FunctionKind;
using nestor::chip::Operator;
using nestor::chip::View;

// A tensor as its reader accesses it.
struct Image {
  const std::vector<Int>* elements = nullptr;
  Int rows = 1, width = 1, channels = 1, first = 0;
  Int bits = 8;  ///< number of bits to which the reader clamps elements

  Int at(Int y, Int x, Int c) const {
    y = std::min(y, rows - 1);  // a single row is broadcast
    x = std::min(x, width - 1);
    c = std::min(c, channels - 1);
    const Int value = (*elements)[static_cast<std::size_t>(first + (y * width + x) * channels + c)];
    if (bits >= 32) return value;
    const Int limit = static_cast<Int>(std::pow(2, bits - 1)) - 1;
    return std::max(-limit, std::min(limit, value));
  }
};

class Reference {
 public:
  explicit Reference(const ChipNetwork& network) : network_(network) {}
  std::variant<std::vector<std::vector<Int>>, Fault> run();

 private:
  Image image(const Operator& op, std::size_t input) const;
  void compute(const Operator& op, std::vector<Int>& out);
  Int convolve(const Operator& op, const Image& in, Int y, Int x, Int channel) const;
  Int multiply(const Operator& op, const Image& left, const Image& right, Int y, Int channel) const;
  static Int pooled(const Operator& op, const Image& in, Int y, Int x, Int c);
  static Int joined(const Operator& op, const std::vector<Image>& in, Int y, Int x, Int c);
  static void soften(const Operator& op, const Image& in, std::vector<Int>& out);
  static void normalise(const Operator& op, const Image& in, std::vector<Int>& out);
  static Int scaled(Int sum, const std::array<Int, 2>& by, Int bits);
  static Int limited(Int value, Int bits) {
    if (bits >= 32) return value;
    const Int limit = (Int{1} << (bits - 1)) - 1;
    return std::max(-limit, std::min(limit, value));
  }

  const ChipNetwork& network_;
  std::vector<std::vector<Int>> inputs_, results_;
};

Image Reference::image(const Operator& op, std::size_t input) const {
  const std::size_t tensor = op.inputs[input].tensor;
  Image made;
  if (network_.is_input(tensor)) {
    const auto& from = network_.inputs[tensor];
    made = {&inputs_[tensor], from.rows, from.width, from.channels, 0, op.bits.I};
  } else {
    const std::size_t producer = network_.producer(tensor);
    const Operator& from = network_.operators[producer];
    made = {&results_[producer], from.rows, from.width, from.channels, 0, op.bits.I};
  }
  if (input < op.function.views.size() && op.function.views[input].rows > 0) {
    const View& view = op.function.views[input];
    made.rows = view.rows;
    made.width = view.width;
    made.channels = view.channels;
    made.first = view.first;
  }
  return made;
}

// Wraps a sum to 32 bits.
Int in_32_bits(Int value) {
  constexpr Int range = Int{1} << 32;
  Int rest = value % range;
  if (rest >= range / 2) rest -= range;
  if (rest < -range / 2) rest += range;
  return rest;
}

Int Reference::scaled(Int sum, const std::array<Int, 2>& by, Int bits) {
  if (bits >= 32) return sum;
  const Int divisor = Int{1} << by[1];
  const Int product = sum * by[0] + divisor / 2;
  const Int quotient = product >= 0 ? product / divisor : -((-product + divisor - 1) / divisor);
  return limited(quotient, bits);
}

Int Reference::convolve(const Operator& op, const Image& in, Int y, Int x, Int channel) const {
  const auto& f = op.function;
  const Int group = channel / op.matrix.columns;
  const Int column = channel % op.matrix.columns;
  const Int depth = op.in_channels / op.matrix.groups;
  const Int seed = chip_program::seed_of(op.name);
  Int sum = chip_program::bias(seed, group, column, op.bits.W);
  for (Int ky = 0; ky < f.kernel[0]; ++ky) {
    const Int iy = y * f.stride[0] + ky * f.dilation[0] - f.pad[0];
    for (Int kx = 0; kx < f.kernel[1]; ++kx) {
      const Int ix = x * f.stride[1] + kx * f.dilation[1] - f.pad[1];
      if (iy < 0 || iy >= in.rows || ix < 0 || ix >= in.width) continue;
      for (Int c = 0; c < depth; ++c) {
        const Int row = (ky * f.kernel[1] + kx) * depth + c;
        sum += in.at(iy, ix, group * depth + c) * chip_program::weight(seed, group, column, row, op.bits.W);
      }
    }
  }
  return in_32_bits(sum);
}

Int Reference::multiply(const Operator& op, const Image& left, const Image& right, Int y, Int channel) const {
  const Int group = channel / op.matrix.columns;
  const Int column = channel % op.matrix.columns;
  Int sum = 0;
  for (Int k = 0; k < op.matrix.rows; ++k) {
    const Int row = op.function.transposed ? column : k;
    const Int inside =
        op.function.transposed ? group * op.matrix.rows + k : group * op.matrix.columns + column;
    sum += left.at(y, 0, group * op.matrix.rows + k) * right.at(row / right.width, row % right.width, inside);
  }
  return in_32_bits(sum);
}

Int Reference::pooled(const Operator& op, const Image& in, Int y, Int x, Int c) {
  const auto& f = op.function;
  std::vector<Int> values;
  for (Int ky = 0; ky < f.kernel[0]; ++ky) {
    for (Int kx = 0; kx < f.kernel[1]; ++kx) {
      const Int iy = y * f.stride[0] + ky * f.dilation[0] - f.pad[0];
      const Int ix = x * f.stride[1] + kx * f.dilation[1] - f.pad[1];
      const bool inside = iy >= 0 && iy < in.rows && ix >= 0 && ix < in.width;
      if (inside) values.push_back(in.at(iy, ix, c));
    }
  }
  if (values.empty()) return 0;
  if (f.kind == FunctionKind::max_pool) return *std::max_element(values.begin(), values.end());
  Int sum = 0;
  for (const Int value : values) sum += value;
  // Mean with halves rounded up: floor(mean + 1/2).
  return static_cast<Int>(std::floor(static_cast<double>(sum) / static_cast<double>(values.size()) + 0.5));
}

Int Reference::joined(const Operator& op, const std::vector<Image>& in, Int y, Int x, Int c) {
  Int value = in[0].at(y, x, c);
  for (std::size_t i = 1; i < in.size(); ++i) {
    const Int other = in[i].at(y, x, c);
    if (op.function.kind == FunctionKind::add) value += other;
    if (op.function.kind == FunctionKind::subtract) value -= other;
    if (op.function.kind == FunctionKind::multiply) value *= other;
  }
  if (op.function.kind != FunctionKind::multiply) return value;
  return scaled(value, {1, std::max<Int>(0, op.bits.I - 1)}, op.bits.O);
}

void Reference::soften(const Operator& op, const Image& in, std::vector<Int>& out) {
  const auto table = chip_program::softmax_table(op.bits.I + 1);
  const Int run = op.channels / op.function.groups;
  const Int most = (Int{1} << (op.bits.O - 1)) - 1;
  for (Int at = 0; at < static_cast<Int>(out.size()); at += run) {
    const Int pixel = at / op.channels;
    const auto value = [&](Int i) { return in.at(pixel / op.width, pixel % op.width, at % op.channels + i); };
    Int peak = value(0);
    for (Int i = 1; i < run; ++i) peak = std::max(peak, value(i));
    Int total = 0;
    for (Int i = 0; i < run; ++i) total += table[static_cast<std::size_t>(peak - value(i))];
    for (Int i = 0; i < run; ++i) {
      const Int e = table[static_cast<std::size_t>(peak - value(i))];
      out[static_cast<std::size_t>(at + i)] = (e * most + total / 2) / total;
    }
  }
}

void Reference::normalise(const Operator& op, const Image& in, std::vector<Int>& out) {
  const Int run = op.channels / op.function.groups;
  for (Int at = 0; at < static_cast<Int>(out.size()); at += run) {
    const Int pixel = at / op.channels;
    std::vector<Int> from_mean;  // differences from the mean, multiplied by the length
    Int sum = 0;
    for (Int i = 0; i < run; ++i) sum += in.at(pixel / op.width, pixel % op.width, at % op.channels + i);
    Int squares = 0;
    for (Int i = 0; i < run; ++i) {
      from_mean.push_back(run * in.at(pixel / op.width, pixel % op.width, at % op.channels + i) - sum);
      squares += from_mean.back() * from_mean.back();
    }
    const Int mean = squares / run;
    auto root = static_cast<Int>(std::sqrt(static_cast<double>(mean)));
    while (root * root > mean) --root;
    while ((root + 1) * (root + 1) <= mean) ++root;
    for (Int i = 0; i < run; ++i) {
      const Int numerator = from_mean[static_cast<std::size_t>(i)] * 128;
      Int quotient = numerator / (root + 1);
      if (quotient * (root + 1) > numerator) --quotient;
      out[static_cast<std::size_t>(at + i)] =
          scaled(quotient, {1, std::max<Int>(0, 10 - op.bits.O)}, op.bits.O);
    }
  }
}

void Reference::compute(const Operator& op, std::vector<Int>& out) {
  std::vector<Image> in;
  for (std::size_t i = 0; i < op.inputs.size(); ++i) in.push_back(image(op, i));
  if (op.function.kind == FunctionKind::softmax) return soften(op, in[0], out);
  if (op.function.kind == FunctionKind::layer_norm) return normalise(op, in[0], out);
  const auto requant = chip_program::requantisation(op.matrix.rows, op.bits.I, op.bits.W, op.bits.O);
  std::vector<Int> table;
  if (op.function.kind == FunctionKind::table)
    table = chip_program::unary_table(op.function.table, op.bits.I, op.bits.O);
  if (op.function.kind == FunctionKind::product) in[1].bits = op.bits.W;
  for (Int y = 0; y < op.rows; ++y) {
    for (Int x = 0; x < op.width; ++x) {
      for (Int c = 0; c < op.channels; ++c) {
        Int value = 0;
        switch (op.function.kind) {
          case FunctionKind::convolution:
            value = scaled(convolve(op, in[0], y, x, c), requant, op.bits.O);
            break;
          case FunctionKind::product:
            value = scaled(multiply(op, in[0], in[1], y, c), requant, op.bits.O);
            break;
          case FunctionKind::relu:
            value = std::max<Int>(0, in[0].at(y, x, c));
            break;
          case FunctionKind::table:
            value = table[static_cast<std::size_t>(in[0].at(y, x, c) + static_cast<Int>(table.size()) / 2)];
            break;
          case FunctionKind::max_pool:
          case FunctionKind::average_pool:
            value = pooled(op, in[0], y, x, c);
            break;
          case FunctionKind::concat: {
            std::size_t from = 0;
            Int inside = c;
            while (inside >= in[from].channels) inside -= in[from++].channels;
            value = in[from].at(y, x, inside);
            break;
          }
          case FunctionKind::concat_rows: {
            std::size_t from = 0;
            Int row = y - op.function.constant_rows;
            while (row >= 0 && row >= in[from].rows) row -= in[from++].rows;
            value = row >= 0 ? in[from].at(row, x, c)
                             : chip_program::element(chip_program::seed_of(op.name),
                                                     (y * op.width + x) * op.channels + c, op.bits.O);
            break;
          }
          default:
            value = joined(op, in, y, x, c);
        }
        out[static_cast<std::size_t>((y * op.width + x) * op.channels + c)] = limited(value, op.bits.O);
      }
    }
  }
}

std::variant<std::vector<std::vector<Int>>, Fault> Reference::run() {
  for (const auto& input : network_.inputs) {
    std::vector<Int> elements;
    const Int seed = chip_program::seed_of(input.name);
    for (Int i = 0; i < input.rows * input.width * input.channels; ++i) {
      elements.push_back(chip_program::element(seed, i, network_.bits.I));
    }
    inputs_.push_back(std::move(elements));
  }
  for (const Operator& op : network_.operators) {
    results_.emplace_back(static_cast<std::size_t>(op.rows * op.width * op.channels));
    compute(op, results_.back());
  }
  return std::move(results_);
}

}  // namespace

std::variant<std::vector<std::vector<Int>>, Fault> reference_results(const ChipNetwork& network) {
  if (auto fault = check_network(network)) return *std::move(fault);
  return Reference(network).run();
}

}  // namespace nestor::sim::chip
