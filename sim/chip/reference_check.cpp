// Check that the reference can compute a network: operators fit their operands, and no sum exceeds 64 bits.
#include <bit>

#include "sim/chip/reference.h"

namespace nestor::sim::chip {
namespace {

using nestor::chip::ChipNetwork;
using nestor::chip::FunctionKind;
using nestor::chip::Operator;

constexpr Int most_elements = Int{1} << 28;
constexpr Int most_work = Int{1} << 40;
constexpr Int widest_sum = 62;  // bits of a sum

Int bits_of(Int count) { return static_cast<Int>(std::bit_width(static_cast<std::uint64_t>(count))); }

// True if the product of the factors is at most `most`. Safe even if the product would overflow.
bool within(Int most, std::initializer_list<Int> factors) {
  Int product = 1;
  for (const Int factor : factors) {
    if (factor < 0 || (factor > 0 && product > most / factor)) return false;
    product *= factor;
  }
  return true;
}

struct Shape {
  Int rows = 1, width = 1, channels = 1;
  Int elements() const { return rows * width * channels; }
};

class Check {
 public:
  explicit Check(const ChipNetwork& network) : network_(network) {}

  MaybeFault run() {
    for (const auto& input : network_.inputs) {
      if (!take(input.rows, input.width, input.channels))
        return Fault{"a tensor has more than 2^28 elements"};
    }
    for (const Operator& op : network_.operators) {
      if (op.function.kind == FunctionKind::unknown || op.inputs.empty()) {
        return Fault{fmt::format("operator '{}': its function is unknown", op.name)};
      }
      if (!take(op.rows, op.width, op.channels)) return Fault{"a tensor has more than 2^28 elements"};
      if (!fits(op)) return Fault{fmt::format("operator '{}' does not match its operands", op.name)};
    }
    return std::nullopt;
  }

 private:
  bool take(Int rows, Int width, Int channels) {
    if (!within(most_elements, {rows, width, channels})) return false;
    elements_ += rows * width * channels;
    return elements_ <= most_elements;
  }

  Shape made(std::size_t tensor) const {
    if (network_.is_input(tensor)) {
      const auto& input = network_.inputs[tensor];
      return {input.rows, input.width, input.channels};
    }
    const auto& op = network_.operators[network_.producer(tensor)];
    return {op.rows, op.width, op.channels};
  }

  // Returns the operand's shape as the operator reads it, or nothing if it reads beyond the tensor's end.
  std::optional<Shape> operand(const Operator& op, std::size_t input) const {
    const Shape whole = made(op.inputs[input].tensor);
    if (input >= op.function.views.size() || op.function.views[input].rows == 0) return whole;
    const auto& view = op.function.views[input];
    if (view.rows < 1 || view.width < 1 || view.channels < 1 || view.first < 0) return std::nullopt;
    if (!within(most_elements, {view.rows, view.width, view.channels})) return std::nullopt;
    const Shape shape{view.rows, view.width, view.channels};
    if (view.first > whole.elements() - shape.elements()) return std::nullopt;
    return shape;
  }

  bool fits(const Operator& op) const {
    const auto& f = op.function;
    if (op.bits.I > 32 || op.bits.W > 32 || op.bits.O > 32) return false;
    Int channels = 0;
    Int rows = f.constant_rows;
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      const auto shape = operand(op, i);
      if (!shape) return false;
      channels += shape->channels;
      rows += shape->rows;
    }
    const Int pixels = op.rows * op.width;
    const Int count = static_cast<Int>(op.inputs.size());
    switch (f.kind) {
      case FunctionKind::convolution:
      case FunctionKind::product:
        return op.kind != nestor::chip::OperatorKind::alu && fits_matrix(op, pixels);
      case FunctionKind::max_pool:
      case FunctionKind::average_pool:
        return within(most_work, {pixels, op.channels, f.kernel[0], f.kernel[1]});
      case FunctionKind::concat:
        return channels >= op.channels;
      case FunctionKind::concat_rows:
        return rows >= op.rows;
      case FunctionKind::multiply:
        return within(widest_sum, {count, op.bits.I});
      case FunctionKind::table:
        return op.bits.I <= 16 && op.bits.O <= 16;
      case FunctionKind::softmax:
        return op.bits.I <= 15 && op.bits.O <= 16 && fits_run(op);
      case FunctionKind::layer_norm:
        return fits_run(op) && 3 * bits_of(op.channels) + 2 * op.bits.I <= widest_sum;
      default:
        return true;
    }
  }

  static bool fits_run(const Operator& op) {
    return op.function.groups >= 1 && op.channels % op.function.groups == 0;
  }

  bool fits_matrix(const Operator& op, Int pixels) const {
    const auto& m = op.matrix;
    if (op.kind == nestor::chip::OperatorKind::product && op.inputs.size() < 2) return false;
    if (op.function.kind == FunctionKind::product && op.inputs.size() < 2) return false;
    if (!within(most_elements, {m.columns, m.groups}) || m.columns * m.groups != op.channels) return false;
    if (op.in_channels % m.groups != 0) return false;
    const Int second = op.function.kind == FunctionKind::product ? op.bits.I : op.bits.W;
    if (op.bits.I + second + bits_of(m.rows) > widest_sum) return false;
    if (op.function.kind == FunctionKind::product) return within(most_work, {pixels, op.channels, m.rows});
    const Int depth = op.in_channels / m.groups;
    return within(m.rows, {op.function.kernel[0], op.function.kernel[1], depth}) &&
           within(most_work, {pixels, op.channels, op.function.kernel[0] * op.function.kernel[1], depth});
  }

  const ChipNetwork& network_;
  Int elements_ = 0;
};

}  // namespace

MaybeFault check_network(const ChipNetwork& network) { return Check(network).run(); }

}  // namespace nestor::sim::chip
