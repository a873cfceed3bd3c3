#include "sim/chip/quantise.h"

#include <algorithm>
#include <cmath>

#include "model/chip/program/constants.h"
#include "sim/chip/plain_loops.h"
#include "sim/chip/real_run.h"
#include "sim/chip/reference.h"

namespace nestor::sim::chip {

using chip_program::OperatorNumbers;
using chip_program::ProgramNumbers;
using nestor::chip::ChipNetwork;
using nestor::chip::FunctionKind;
using nestor::chip::Operator;
using nestor::chip::RealModel;
using nestor::chip::RealOperator;
using nestor::chip::TensorFormat;

namespace {

constexpr double most_bias = 2147483647;
constexpr double most_mul = 0x1p31;

Int most_of(Int bits) { return (Int{1} << (std::min<Int>(bits, 32) - 1)) - 1; }

TensorFormat symmetric(double largest, Int bits) {
  const Int most = most_of(bits);
  return {largest > 0 ? largest / static_cast<double>(most) : 1, 0, -most, most};
}

class Quantiser {
 public:
  Quantiser(const ChipNetwork& network, const RealModel& model, const Calibration& calibration)
      : network_(network), model_(model), calibration_(calibration), formats_(model.formats) {
    formats_.resize(network.tensors());
  }

  std::variant<ProgramNumbers, Fault> run() {
    for (std::size_t i = network_.operators.size(); i-- > 0;) take_back(i);
    if (auto fault = calibrate()) return *std::move(fault);
    ProgramNumbers made;
    for (std::size_t i = 0; i < network_.operators.size(); ++i) {
      const Operator& op = network_.operators[i];
      made.operators.emplace_back();
      if (auto fault = numbers_of(op, model_.operators[i], network_.tensor_of(i), made.operators.back()))
        return Fault{fmt::format("operator '{}': {}", op.name, fault->message)};
      if (!op.inputs.empty() && model_.input && op.inputs.front().tensor == model_.input->tensor)
        made.operators.back().in = model_.input,
        made.operators.back().in->limits = {formats_[0]->low, formats_[0]->high};
      if (model_.output && model_.output->tensor == network_.tensor_of(i))
        made.operators.back().out = model_.output;
    }
    return made;
  }

 private:
  void take_back(std::size_t op);
  MaybeFault calibrate();
  MaybeFault numbers_of(const Operator& op, const RealOperator& real, std::size_t tensor,
                        OperatorNumbers& made);
  MaybeFault matrix(const Operator& op, const RealOperator& real, OperatorNumbers& made);
  MaybeFault rescale(double ratio, OperatorNumbers& made);
  MaybeFault rescale_two(OperatorNumbers& made);
  MaybeFault layer_norm(const RealOperator& real, OperatorNumbers& made);
  void table(const Operator& op, const RealOperator& real, OperatorNumbers& made) const;
  bool reaches_out(const Operator& op) const;

  const ChipNetwork& network_;
  const RealModel& model_;
  const Calibration& calibration_;
  std::vector<std::optional<TensorFormat>> formats_;
};

bool keeps_scale(FunctionKind kind) { return kind == FunctionKind::max_pool || kind == FunctionKind::copy; }

// Sets the format of a tensor without one, in a quantised graph: the format of its only reader's result, if
// this reader only clamps or selects elements.
void Quantiser::take_back(std::size_t op) {
  const std::size_t tensor = network_.tensor_of(op);
  if (formats_[tensor] || !model_.quantised()) return;
  std::size_t readers = 0;
  std::size_t reader = 0;
  for (std::size_t i = op + 1; i < network_.operators.size(); ++i)
    for (const auto& input : network_.operators[i].inputs)
      if (input.tensor == tensor) ++readers, reader = i;
  if (readers != 1) return;
  const auto& f = network_.operators[reader].function;
  if (f.kind == FunctionKind::relu || keeps_scale(f.kind) ||
      (f.kind == FunctionKind::table && f.table == "clip"))
    formats_[tensor] = formats_[network_.tensor_of(reader)];
}

MaybeFault Quantiser::calibrate() {
  const auto known = [](const auto& format) { return format.has_value(); };
  if (std::all_of(formats_.begin(), formats_.end(), known)) return std::nullopt;
  std::vector<double> largest(network_.tensors());
  auto images = calibration_.images;
  if (images.empty()) images.push_back(seeded_image(network_));
  for (auto& image : images) {
    const auto made = run_reals(network_, model_, std::move(image), calibration_.stop);
    if (const auto* fault = std::get_if<Fault>(&made)) return *fault;
    const auto& tensors = std::get<0>(made);
    for (std::size_t t = 0; t < tensors.size(); ++t)
      for (const double x : tensors[t]) largest[t] = std::max(largest[t], std::fabs(x));
  }
  for (std::size_t t = 0; t < formats_.size(); ++t) {
    if (formats_[t]) continue;
    if (network_.is_input(t)) {
      formats_[t] = symmetric(largest[t], network_.bits.I);
      continue;
    }
    const Operator& op = network_.operators[network_.producer(t)];
    formats_[t] = symmetric(largest[t], op.bits.O);
    if (op.function.kind == FunctionKind::softmax) formats_[t] = symmetric(1, op.bits.O);
    if (keeps_scale(op.function.kind)) formats_[t] = formats_[op.inputs.front().tensor];
  }
  return std::nullopt;
}

MaybeFault Quantiser::rescale(double ratio, OperatorNumbers& made) {
  const auto found = multiplier(ratio);
  if (std::fabs(static_cast<double>(found.mul)) > most_mul) return Fault{"the scales are too far apart"};
  made.mul.push_back(found.mul);
  made.shift.push_back(found.shift);
  return std::nullopt;
}

MaybeFault Quantiser::matrix(const Operator& op, const RealOperator& real, OperatorNumbers& made) {
  const auto& m = op.matrix;
  const auto columns = static_cast<std::size_t>(m.columns);
  const auto group = static_cast<std::size_t>(m.rows) * columns;
  const auto channels = static_cast<std::size_t>(m.groups) * columns;
  if (real.matrix.size() != group * static_cast<std::size_t>(m.groups)) return Fault{"weights are missing"};
  const auto channel_of = [&](std::size_t i) { return i / group * columns + i % columns; };
  const bool integers = !real.weight_scales.empty();
  std::vector<double> scales(channels, 1);
  if (integers) {
    for (std::size_t c = 0; c < channels; ++c)
      scales[c] = real.weight_scales[real.weight_scales.size() == 1 ? 0 : c];
  } else {
    std::vector<double> largest(channels);
    for (std::size_t i = 0; i < real.matrix.size(); ++i)
      largest[channel_of(i)] = std::max(largest[channel_of(i)], std::fabs(real.matrix[i]));
    if (calibration_.per_tensor)
      std::fill(largest.begin(), largest.end(), *std::max_element(largest.begin(), largest.end()));
    for (std::size_t c = 0; c < channels; ++c) scales[c] = symmetric(largest[c], op.bits.W).scale;
  }
  const Int low = -most_of(op.bits.W) - (integers ? 1 : 0);
  made.extents = {m.groups, m.rows, m.columns};
  made.matrix.reserve(real.matrix.size());
  for (std::size_t i = 0; i < real.matrix.size(); ++i) {
    const double q = integers ? real.matrix[i] : std::round(real.matrix[i] / scales[channel_of(i)]);
    if (integers && (q < static_cast<double>(low) || q > static_cast<double>(most_of(op.bits.W))))
      return Fault{fmt::format("a weight has more than {} bits", op.bits.W)};
    made.matrix.push_back(static_cast<std::int32_t>(
        std::clamp(q, static_cast<double>(low), static_cast<double>(most_of(op.bits.W)))));
  }
  made.zero[1] = integers ? real.weight_zero : 0;
  for (std::size_t c = 0; c < channels; ++c) {
    const double scale = made.scales[0] * scales[c];
    if (!real.bias.empty()) {
      const double bias = scale == 0 ? 0 : std::round(real.bias[c] / scale);
      if (!(std::fabs(bias) <= most_bias)) return Fault{"a bias has more than 32 bits"};
      made.bias.push_back(static_cast<Int>(bias));
    }
    if (op.bits.O >= 32) continue;
    if (auto fault = rescale(scale / made.scales[1], made)) return fault;
  }
  return std::nullopt;
}

// Computes the multipliers of several operands with one common shift, which is that of the largest
// multiplier.
MaybeFault Quantiser::rescale_two(OperatorNumbers& made) {
  const double out = made.scales.back();
  Multiplier larger{0, 63};
  for (std::size_t i = 0; i + 1 < made.scales.size(); ++i) {
    const auto each = multiplier(made.scales[i] / out);
    if (each.shift < larger.shift) larger = each;
  }
  for (std::size_t i = 0; i + 1 < made.scales.size(); ++i) {
    const double mul = std::round(std::ldexp(made.scales[i] / out, static_cast<int>(larger.shift)));
    if (!(mul <= most_mul)) return Fault{"the scales are too far apart"};
    made.mul.push_back(static_cast<Int>(mul));
  }
  made.shift = {larger.shift};
  return std::nullopt;
}

MaybeFault Quantiser::layer_norm(const RealOperator& real, OperatorNumbers& made) {
  for (std::size_t c = 0; c < real.gamma.size(); ++c) {
    if (auto fault = rescale(real.gamma[c] / (128 * made.scales.back()), made)) return fault;
    const double bias =
        std::round(std::ldexp(real.beta[c] / made.scales.back(), static_cast<int>(made.shift.back())));
    if (!(std::fabs(bias) <= 0x1p62)) return Fault{"a bias has more than 62 bits"};
    made.bias.push_back(static_cast<Int>(bias));
  }
  return std::nullopt;
}

// True if a window of a pool is partly outside the image.
bool Quantiser::reaches_out(const Operator& op) const {
  const Seen in = seen_by(network_, op, 0);
  const auto& f = op.function;
  const auto ends = [&](std::size_t d, Int count, Int extent) {
    return (count - 1) * f.stride[d] - f.pad[d] + (f.kernel[d] - 1) * f.dilation[d] >= extent;
  };
  return f.pad[0] > 0 || f.pad[1] > 0 || ends(0, op.rows, in.rows) || ends(1, op.width, in.width);
}

void Quantiser::table(const Operator& op, const RealOperator& real, OperatorNumbers& made) const {
  const Int half = Int{1} << (std::min<Int>(op.bits.I, 16) - 1);
  for (Int x = -half; x < half; ++x) {
    const double y = unary(op.function.table, real.parameters,
                           made.scales[0] * static_cast<double>(x - made.zero.front()));
    made.table.push_back(
        quantised(std::isnan(y) ? 0 : y, {made.scales[1], made.zero.back(), made.limits[0], made.limits[1]}));
  }
}

MaybeFault Quantiser::numbers_of(const Operator& op, const RealOperator& real, std::size_t tensor,
                                 OperatorNumbers& made) {
  const TensorFormat& out = *formats_[tensor];
  for (const auto& input : op.inputs) {
    made.scales.push_back(formats_[input.tensor]->scale);
    made.zero.push_back(formats_[input.tensor]->zero);
  }
  if (op.inputs.size() == 1) made.zero.push_back(0);
  made.scales.push_back(out.scale);
  made.zero.push_back(out.zero);
  made.limits = {out.low, out.high};
  const double in_scale = made.scales.front();
  switch (op.function.kind) {
    case FunctionKind::convolution:
      return matrix(op, real, made);
    case FunctionKind::product:
      if (formats_[op.inputs[1].tensor]->high > most_of(op.bits.W))
        return Fault{fmt::format("the second factor has more than {} bits", op.bits.W)};
      return rescale(made.scales[0] * made.scales[1] / out.scale, made);
    case FunctionKind::multiply: {
      double ratio = 1 / out.scale;
      for (std::size_t i = 0; i + 1 < made.scales.size(); ++i) ratio *= made.scales[i];
      return rescale(ratio, made);
    }
    case FunctionKind::add:
    case FunctionKind::subtract:
      return rescale_two(made);
    case FunctionKind::concat:
    case FunctionKind::concat_rows:
      for (std::size_t i = 0; i + 1 < made.scales.size(); ++i)
        if (auto fault = rescale(made.scales[i] / out.scale, made)) return fault;
      for (const double x : real.constant) made.constant.push_back(quantised(x, out));
      if (made.constant.size() !=
          static_cast<std::size_t>(op.function.constant_rows * op.width * op.channels))
        return Fault{"the number of constants differs from the number of elements per row"};
      return std::nullopt;
    case FunctionKind::average_pool: {
      // If windows extend beyond the image and only pixels inside are averaged, there is one multiplier for
      // each number of pixels.
      const Int all = op.function.kernel[0] * op.function.kernel[1];
      const bool partial = real.parameters.empty() && reaches_out(op);
      for (Int k = partial ? 1 : all; k <= all; ++k)
        if (auto fault = rescale(in_scale / (static_cast<double>(k) * out.scale), made)) return fault;
      return std::nullopt;
    }
    case FunctionKind::table:
      table(op, real, made);
      return std::nullopt;
    case FunctionKind::softmax: {
      const Int entries = Int{1} << std::min<Int>(op.bits.I, 16);
      for (Int d = 0; d < entries; ++d)
        made.table.push_back(
            static_cast<Int>(std::round(65535 * std::exp(-in_scale * static_cast<double>(d)))));
      const TensorFormat own = symmetric(1, op.bits.O);
      if (out.scale == own.scale && out.zero == 0) return std::nullopt;
      return rescale(own.scale / out.scale, made);
    }
    case FunctionKind::max_pool:
    case FunctionKind::copy:
      if (in_scale == out.scale && made.zero.front() == out.zero) return std::nullopt;
      return rescale(in_scale / out.scale, made);
    case FunctionKind::layer_norm:
      return layer_norm(real, made);
    default:
      return rescale(in_scale / out.scale, made);
  }
}

}  // namespace

Int quantised(double x, const TensorFormat& format) {
  const double q = std::round(x / format.scale) + static_cast<double>(format.zero);
  return static_cast<Int>(std::clamp(q, static_cast<double>(format.low), static_cast<double>(format.high)));
}

Multiplier multiplier(double ratio) {
  if (ratio == 0) return {0, 1};
  const double size = std::fabs(ratio);
  const int shift = std::clamp(30 - std::ilogb(size), 1, 62);
  const double mul = std::min(std::round(std::ldexp(size, shift)), 0x1p62);
  return {static_cast<Int>(ratio < 0 ? -mul : mul), shift};
}

std::vector<double> seeded_image(const ChipNetwork& network) {
  const auto& input = network.inputs.front();
  const Int seed = chip_program::seed_of(input.name);
  constexpr Int bits = 25;  // elements with 2^24 steps on each side of 0
  std::vector<double> image;
  for (Int i = 0; i < input.rows * input.width * input.channels; ++i)
    image.push_back(static_cast<double>(chip_program::element(seed, i, bits)) / 0x1p24);
  return image;
}

std::variant<ProgramNumbers, Fault> quantise(const ChipNetwork& network, const RealModel& model,
                                             const Calibration& calibration) {
  if (auto fault = check_network(network)) return *std::move(fault);
  if (network.inputs.size() != 1) return Fault{"a model with more than one input cannot be run on images"};
  return Quantiser(network, model, calibration).run();
}

}  // namespace nestor::sim::chip
