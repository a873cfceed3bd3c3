#include "sim/chip/real_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "sim/chip/plain_loops.h"

namespace nestor::sim::chip {

using nestor::chip::ChipNetwork;
using nestor::chip::FunctionKind;
using nestor::chip::Operator;
using nestor::chip::RealModel;
using nestor::chip::RealOperator;

namespace {

using Parameters = const std::vector<double>&;

double at_or(Parameters p, std::size_t at, double fallback) { return at < p.size() ? p[at] : fallback; }

constexpr std::array<std::pair<std::string_view, double (*)(double, Parameters)>, 19> functions = {{
    {"abs", [](double x, Parameters) { return std::fabs(x); }},
    {"add", [](double x, Parameters p) { return x + at_or(p, 0, 0); }},
    {"clip", [](double x, Parameters p) { return std::min(at_or(p, 1, x), std::max(at_or(p, 0, x), x)); }},
    {"div", [](double x, Parameters p) { return x / at_or(p, 0, 1); }},
    {"erf", [](double x, Parameters) { return std::erf(x); }},
    {"exp", [](double x, Parameters) { return std::exp(x); }},
    {"from", [](double x, Parameters p) { return at_or(p, 0, 0) - x; }},
    {"gelu", [](double x, Parameters) { return x * 0.5 * (1 + std::erf(x / std::sqrt(2.0))); }},
    {"hardsigmoid",
     [](double x, Parameters p) {
       return std::min(1.0, std::max(0.0, at_or(p, 0, 0.2) * x + at_or(p, 1, 0.5)));
     }},
    {"hardswish", [](double x, Parameters) { return x * std::min(1.0, std::max(0.0, x / 6 + 0.5)); }},
    {"leakyrelu", [](double x, Parameters p) { return x < 0 ? at_or(p, 0, 0.01) * x : x; }},
    {"mul", [](double x, Parameters p) { return x * at_or(p, 0, 1); }},
    {"neg", [](double x, Parameters) { return -x; }},
    {"over", [](double x, Parameters p) { return at_or(p, 0, 1) / x; }},
    {"sigmoid", [](double x, Parameters) { return 1 / (1 + std::exp(-x)); }},
    {"sqrt", [](double x, Parameters) { return std::sqrt(x); }},
    {"sub", [](double x, Parameters p) { return x - at_or(p, 0, 0); }},
    {"swish", [](double x, Parameters) { return x / (1 + std::exp(-x)); }},
    {"tanh", [](double x, Parameters) { return std::tanh(x); }},
}};

class RealRun {
 public:
  RealRun(const ChipNetwork& network, const RealModel& model, const StopSignal* stop)
      : network_(network), model_(model), stop_(stop) {}

  std::variant<std::vector<std::vector<double>>, Fault> run(std::vector<double> image) try {
    tensors_.push_back(std::move(image));
    for (std::size_t i = 0; i < network_.operators.size(); ++i) {
      const Operator& op = network_.operators[i];
      std::vector<double> made(static_cast<std::size_t>(op.rows * op.width * op.channels));
      compute(op, model_.operators[i], made);
      if (!std::all_of(made.begin(), made.end(), [](double x) { return std::isfinite(x); }))
        return Fault{
            fmt::format("operator '{}': the float graph yields a value that is not finite", op.name)};
      tensors_.push_back(std::move(made));
    }
    return std::move(tensors_);
  } catch (const Stopped&) {
    return Fault{"stopped during the run of the float graph"};
  }

 private:
  struct Stopped {};
  void go_on() const {
    if (is_requested(stop_)) throw Stopped();
  }
  void compute(const Operator& op, const RealOperator& numbers, std::vector<double>& out);
  void convolution(const Operator& op, const RealOperator& numbers, std::vector<double>& out);
  void average(const Operator& op, const RealOperator& numbers, std::vector<double>& out);
  static void soften(std::span<double> run);
  static void normalise(std::span<double> run, const RealOperator& numbers);

  const ChipNetwork& network_;
  const RealModel& model_;
  const StopSignal* stop_;
  std::vector<Seen> in_;
  std::vector<std::vector<double>> tensors_;
};

void RealRun::convolution(const Operator& op, const RealOperator& numbers, std::vector<double>& out) {
  std::vector<double> matrix = numbers.matrix;
  const auto columns = static_cast<std::size_t>(op.matrix.columns);
  const auto group = static_cast<std::size_t>(op.matrix.rows) * columns;
  const auto& scales = numbers.weight_scales;
  if (!scales.empty())
    for (std::size_t i = 0; i < matrix.size(); ++i)
      matrix[i] = (matrix[i] - static_cast<double>(numbers.weight_zero)) *
                  scales[scales.size() == 1 ? 0 : i / group * columns + i % columns];
  convolve(op, in_[0], tensors_[in_[0].tensor], matrix, [&](Int y, Int x, const std::vector<double>& sums) {
    go_on();
    const auto at = static_cast<std::size_t>((y * op.width + x) * op.channels);
    for (std::size_t c = 0; c < sums.size(); ++c)
      out[at + c] = sums[c] + (numbers.bias.empty() ? 0 : numbers.bias[c]);
  });
}

void RealRun::average(const Operator& op, const RealOperator& numbers, std::vector<double>& out) {
  const auto all = static_cast<double>(op.function.kernel[0] * op.function.kernel[1]);
  pool(op, in_[0], tensors_[in_[0].tensor], [&](std::size_t at, const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    const double count = numbers.parameters.empty() ? static_cast<double>(values.size()) : all;
    out[at] = values.empty() ? 0 : sum / count;
  });
}

void RealRun::soften(std::span<double> run) {
  const double most = *std::max_element(run.begin(), run.end());
  double sum = 0;
  for (double& x : run) sum += x = std::exp(x - most);
  for (double& x : run) x /= sum;
}

void RealRun::normalise(std::span<double> run, const RealOperator& numbers) {
  const auto count = static_cast<double>(run.size());
  double mean = 0;
  for (const double x : run) mean += x / count;
  double variance = at_or(numbers.parameters, 0, 0);
  for (const double x : run) variance += (x - mean) * (x - mean) / count;
  for (std::size_t i = 0; i < run.size(); ++i)
    run[i] = (run[i] - mean) / std::sqrt(variance) * numbers.gamma[i] + numbers.beta[i];
}

void RealRun::compute(const Operator& op, const RealOperator& numbers, std::vector<double>& out) {
  go_on();
  see_inputs(network_, op, in_);
  const auto value = [&](std::size_t i, Int y, Int x, Int c) {
    return tensors_[in_[i].tensor][in_[i].place(y, x, c)];
  };
  switch (op.function.kind) {
    case FunctionKind::convolution:
      return convolution(op, numbers, out);
    case FunctionKind::product:
      return multiply(op, in_[0], tensors_[in_[0].tensor], in_[1], tensors_[in_[1].tensor],
                      [&](Int y, Int c, double sum) {
                        go_on();
                        out[static_cast<std::size_t>(y * op.channels + c)] = sum;
                      });
    case FunctionKind::average_pool:
      return average(op, numbers, out);
    case FunctionKind::max_pool:
      return pool(op, in_[0], tensors_[in_[0].tensor],
                  [&](std::size_t at, const std::vector<double>& values) {
                    out[at] = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
                  });
    case FunctionKind::concat:
    case FunctionKind::concat_rows:
      return each_element(op, [&](Int y, Int x, Int c, std::size_t at) {
        const auto from = joined_from(op, in_, y, x, c);
        out[at] = from.operand < 0 ? numbers.constant[at]
                                   : tensors_[in_[static_cast<std::size_t>(from.operand)].tensor][from.place];
      });
    case FunctionKind::softmax:
    case FunctionKind::layer_norm: {
      each_element(op, [&](Int y, Int x, Int c, std::size_t at) { out[at] = value(0, y, x, c); });
      const auto run = static_cast<std::size_t>(op.channels / op.function.groups);
      for (std::size_t at = 0; at < out.size(); at += run)
        op.function.kind == FunctionKind::softmax ? soften({&out[at], run})
                                                  : normalise({&out[at], run}, numbers);
      return;
    }
    default:
      break;
  }
  each_element(op, [&](Int y, Int x, Int c, std::size_t at) {
    double made = value(0, y, x, c);
    if (op.function.kind == FunctionKind::relu) made = std::max(0.0, made);
    if (op.function.kind == FunctionKind::table) made = unary(op.function.table, numbers.parameters, made);
    for (std::size_t i = 1; i < in_.size(); ++i) {
      const double other = value(i, y, x, c);
      if (op.function.kind == FunctionKind::add) made += other;
      if (op.function.kind == FunctionKind::subtract) made -= other;
      if (op.function.kind == FunctionKind::multiply) made *= other;
    }
    out[at] = made;
  });
}

}  // namespace

double unary(const std::string& function, const std::vector<double>& parameters, double x) {
  for (const auto& [name, known] : functions)
    if (name == function) return known(x, parameters);
  return x;
}

std::variant<std::vector<std::vector<double>>, Fault> run_reals(const ChipNetwork& network,
                                                                const RealModel& model,
                                                                std::vector<double> image,
                                                                const StopSignal* stop) {
  if (network.inputs.size() != 1) return Fault{"a model with more than one input cannot be run on images"};
  return RealRun(network, model, stop).run(std::move(image));
}

}  // namespace nestor::sim::chip
