#include "support/chip_cases.h"

#include <algorithm>

#include "model/chip/operator_timing.h"
#include "model/chip/split.h"

namespace nestor::tests {
namespace {

using chip::ChipMachine;
using chip::ChipNetwork;
using chip::FunctionKind;
using chip::Mode;
using chip::NocKind;
using chip::Operator;
using chip::OperatorKind;

template <typename T>
T any_of(Random& random, std::initializer_list<T> values) {
  return values.begin()[random.below(values.size())];
}

chip::Noc random_noc(Random& random, Int places) {
  chip::Noc noc;
  noc.kind =
      any_of(random, {NocKind::ideal, NocKind::ideal, NocKind::mesh, NocKind::h_tree, NocKind::matrix});
  noc.hop_cycles = random.between(0, 3);
  if (noc.kind != NocKind::matrix) return noc;
  noc.cost.assign(static_cast<std::size_t>(places), std::vector<Int>(static_cast<std::size_t>(places)));
  for (auto& row : noc.cost) {
    for (Int& cost : row) cost = random.between(0, 5);
  }
  return noc;
}

ChipMachine random_machine(Random& random) {
  ChipMachine machine;
  machine.name = "random";
  machine.mode = any_of(random, {Mode::CM, Mode::XBM, Mode::WLM});
  machine.cores = {random.between(1, 3), random.between(1, 4)};
  machine.crossbars = {1, random.between(1, 4)};
  machine.cell.rows = random.between(2, 12);
  machine.cell.columns = random.between(4, 16);
  machine.cell.parallel_rows = random.between(1, machine.cell.rows);
  machine.cell.cell_bits = any_of<Int>(random, {1, 2, 4});
  machine.cell.dac = any_of<Int>(random, {0, 1, 2, 3});
  machine.cell.write_cycles = any_of<Int>(random, {0, 1, 7, 100});
  const auto rate = [&](Int most) { return random.chance(0.5) ? 0 : random.between(1, most); };
  machine.chip_alu = rate(8);
  machine.core_alu = rate(64);
  machine.l0.bandwidth = rate(64);
  machine.l1.bandwidth = rate(64);
  machine.off_chip_bandwidth = rate(64);
  machine.l0.hidden = random.chance(0.3);
  machine.l0.shared = random.chance(0.2);
  machine.alu_shared = random.chance(0.2);
  if (random.chance(0.3)) machine.l0.size = random.between(200, 4000);
  if (random.chance(0.3))
    machine.l1.size = random.between(1, 4) * (machine.cell.rows * 8 + machine.cell.columns * 8);
  machine.chip_noc = random_noc(random, machine.cores.count());
  machine.core_noc = random_noc(random, machine.crossbars.count());
  return machine;
}

class NetworkMaker {
 public:
  NetworkMaker(Random& random, ChipNetwork& network) : random_(random), network_(network) {}

  void make() {
    network_.name = "random";
    network_.bits = {any_of<Int>(random_, {2, 4, 8}), any_of<Int>(random_, {2, 4, 8}), 8};
    network_.bits.O = network_.bits.I;
    const bool flat = random_.chance(0.3);
    network_.inputs.push_back(
        {"input", random_.between(1, 6), flat ? 1 : random_.between(1, 6), random_.between(1, 6)});
    const Int operators = random_.between(1, 8);
    for (Int i = 0; i < operators; ++i) add();
    find_outputs();
  }

 private:
  struct Shape {
    Int rows, width, channels;
  };

  Shape shape(std::size_t tensor) const {
    if (network_.is_input(tensor)) {
      return {network_.inputs[tensor].rows, network_.inputs[tensor].width, network_.inputs[tensor].channels};
    }
    const Operator& op = network_.operators[network_.producer(tensor)];
    return {op.rows, op.width, op.channels};
  }

  // Draws a tensor, usually the newest, so that networks become deep.
  std::size_t any_tensor() {
    const std::size_t count = network_.tensors();
    return random_.chance(0.7) ? count - 1 : random_.below(count);
  }

  std::optional<std::size_t> like(std::size_t tensor) {
    const Shape wanted = shape(tensor);
    std::vector<std::size_t> found;
    for (std::size_t t = 0; t < network_.tensors(); ++t) {
      const Shape s = shape(t);
      if (t != tensor && s.rows == wanted.rows && s.width == wanted.width && s.channels == wanted.channels)
        found.push_back(t);
    }
    if (found.empty()) return std::nullopt;
    return found[random_.below(found.size())];
  }

  void add() {
    Operator op;
    op.name = "o" + std::to_string(network_.operators.size());
    op.bits = network_.bits;
    const std::size_t from = any_tensor();
    const auto other = like(from);
    const double kind = random_.unit();
    if (kind < 0.5) {
      convolve(op, from);
    } else if (kind < 0.6 && shape(from).width == 1) {
      multiply(op, from);
    } else if (kind < 0.75 && other) {
      join(op, from, *other);
    } else if (kind < 0.85) {
      pool(op, from);
    } else {
      unary(op, from);
    }
    network_.operators.push_back(std::move(op));
  }

  void window(Operator& op, std::size_t from, Int kernel, Int stride, Int pad) {
    const Shape in = shape(from);
    op.function.kernel = {std::min(kernel, in.rows + 2 * pad), std::min(kernel, in.width + 2 * pad)};
    op.function.stride = {stride, stride};
    op.function.pad = {pad, pad};
    op.rows = (in.rows + 2 * pad - op.function.kernel[0]) / stride + 1;
    op.width = (in.width + 2 * pad - op.function.kernel[1]) / stride + 1;
    op.in_channels = in.channels;
    op.row_in = std::min(stride, op.function.kernel[0]) * in.width * in.channels;
    op.inputs = {{from, {stride, op.function.kernel[0] - 1 - pad, 1}, false}};
    op.inputs.front().pixels = {stride, op.function.kernel[1] - 1 - pad, 1};
  }

  void convolve(Operator& op, std::size_t from) {
    const Shape in = shape(from);
    op.kind = OperatorKind::array;
    const Int kernel = random_.between(1, 3);
    window(op, from, kernel, random_.between(1, 2), kernel == 1 ? 0 : random_.between(0, kernel / 2));
    std::vector<Int> groups = {1};
    for (Int g = 2; g <= in.channels; ++g) {
      if (in.channels % g == 0) groups.push_back(g);
    }
    op.matrix.groups = random_.chance(0.6) ? 1 : groups[random_.below(groups.size())];
    op.matrix.rows = op.function.kernel[0] * op.function.kernel[1] * in.channels / op.matrix.groups;
    op.matrix.columns = op.matrix.groups > 1 ? random_.between(1, 3) : random_.between(1, 8);
    op.channels = op.matrix.columns * op.matrix.groups;
    op.inputs.front().taps = op.function.kernel[0];
    op.inputs.front().tap_step = 1;
    op.function.kind = FunctionKind::convolution;
  }

  // Makes `op` a product of two tensors: scores of rows against rows, or a mixture of rows.
  void multiply(Operator& op, std::size_t from) {
    const Shape left = shape(from);
    op.kind = OperatorKind::product;
    op.function.kind = FunctionKind::product;
    std::size_t right = from;
    for (std::size_t t = 0; t < network_.tensors(); ++t) {
      const Shape s = shape(t);
      const bool fits = s.width == 1 && (s.channels == left.channels || s.rows == left.channels);
      if (fits && random_.chance(0.5)) right = t;
    }
    const Shape r = shape(right);
    op.function.transposed = r.channels == left.channels && (r.rows != left.channels || random_.chance(0.5));
    const bool heads = op.function.transposed && left.channels % 2 == 0 && random_.chance(0.4);
    op.matrix.groups = heads ? 2 : 1;
    op.matrix.rows = left.channels / op.matrix.groups;
    op.matrix.columns = op.function.transposed ? r.rows : r.channels;
    op.rows = left.rows;
    op.width = 1;
    op.channels = op.matrix.columns * op.matrix.groups;
    op.in_channels = op.row_in = left.channels;
    op.alu_ops = 2 * op.matrix.rows * op.channels;
    op.inputs = {{from, {1, 0, 1}, false}, {right, {1, 0, 1}, true}};
  }

  void join(Operator& op, std::size_t from, std::size_t other) {
    const Shape in = shape(from);
    op.function.kind = any_of(
        random_, {FunctionKind::add, FunctionKind::subtract, FunctionKind::multiply, FunctionKind::concat});
    op.rows = in.rows;
    op.width = in.width;
    op.in_channels = in.channels;
    op.channels = op.function.kind == FunctionKind::concat ? 2 * in.channels : in.channels;
    op.row_in = 2 * in.width * in.channels;
    op.alu_ops = op.function.kind == FunctionKind::concat ? 0 : op.width * op.channels;
    op.inputs = {{from, {1, 0, 1}, false, chip::Need{1, 0, 1}},
                 {other, {1, 0, 1}, false, chip::Need{1, 0, 1}}};
  }

  void pool(Operator& op, std::size_t from) {
    op.function.kind = any_of(random_, {FunctionKind::max_pool, FunctionKind::average_pool});
    window(op, from, random_.between(1, 3), random_.between(1, 2), 0);
    op.channels = op.in_channels;
    op.alu_ops = op.function.kernel[0] * op.function.kernel[1] * op.width * op.channels;
  }

  void unary(Operator& op, std::size_t from) {
    const Shape in = shape(from);
    op.function.kind = any_of(random_, {FunctionKind::relu, FunctionKind::table, FunctionKind::softmax,
                                        FunctionKind::layer_norm, FunctionKind::copy});
    if (op.function.kind == FunctionKind::table)
      op.function.table = any_of<const char*>(random_, {"gelu", "sigmoid", "clip"});
    op.rows = in.rows;
    op.width = in.width;
    op.channels = op.in_channels = in.channels;
    op.row_in = in.width * in.channels;
    op.alu_ops = op.row_in;
    op.inputs = {{from, {1, 0, 1}, false, chip::Need{1, 0, 1}}};
  }

  void find_outputs() {
    for (std::size_t i = 0; i < network_.operators.size(); ++i) {
      const auto reads = [&](const Operator& op) {
        return std::any_of(op.inputs.begin(), op.inputs.end(),
                           [&](const auto& input) { return input.tensor == network_.tensor_of(i); });
      };
      if (std::none_of(network_.operators.begin(), network_.operators.end(), reads))
        network_.outputs.push_back(i);
    }
  }

  Random& random_;
  ChipNetwork& network_;
};

chip::OperatorDecision random_decision(const chip::ChipProblem& problem, std::size_t i, chip::Levels levels,
                                       Random& random) {
  const Operator& op = problem.network.operators[i];
  const auto& facts = problem.facts[i];
  chip::OperatorDecision decision;
  if (op.kind == OperatorKind::alu || !facts.may_use_array) return decision;
  if (op.kind == OperatorKind::product && random.chance(0.4)) return decision;
  decision.on_array = op.kind == OperatorKind::product;
  const Int most = problem.machine.mode == Mode::CM ? op.rows : op.rows * op.width;
  decision.copies = random.between(1, std::min<Int>(most, random.chance(0.5) ? 3 : 12));
  decision.parts = facts.layout.least_parts;
  if (levels.vvm && random.chance(0.6)) {
    decision.parts = random.between(facts.layout.least_parts,
                                    std::min(facts.layout.most_parts, facts.layout.least_parts + 4));
  }
  if (levels.mvm && random.chance(0.5)) decision.phases = random.between(1, decision.parts);
  return decision;
}

}  // namespace

std::optional<chip::Decisions> random_chip_decisions(const chip::ChipProblem& problem, Random& random) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    chip::Decisions decisions;
    decisions.levels = chip::allowed({random.chance(0.7), random.chance(0.7)}, problem.machine.mode);
    Int cores = 0;
    for (std::size_t i = 0; i < problem.size(); ++i) {
      auto decision = random_decision(problem, i, decisions.levels, random);
      const auto cores_of = [&] { return chip::timing_of(problem, i, decision, decisions.levels).cores; };
      while (cores_of() > problem.machine.cores.count() && decision.copies > 1) --decision.copies;
      if (cores_of() > problem.machine.cores.count())
        decision.parts = decision.parts == 0 ? 0 : problem.facts[i].layout.least_parts;
      decision.phases = std::min(decision.phases, std::max<Int>(1, decision.parts));
      const bool full = cores + cores_of() > problem.machine.cores.count();
      if (i == 0 || full || random.chance(0.2)) {
        if (i > 0) decisions.segments.back().last = i - 1;
        decisions.segments.push_back({i, i, random.chance(0.75)});
        cores = 0;
      }
      decisions.segments.back().last = i;
      cores += cores_of();
      decisions.operators.push_back(decision);
    }
    if (!chip::find_violation(problem, decisions)) return decisions;
  }
  return std::nullopt;
}

std::unique_ptr<RandomChipCase> random_chip_case(std::uint64_t seed) {
  Random random(seed);
  auto made = std::make_unique<RandomChipCase>();
  made->machine = random_machine(random);
  NetworkMaker(random, made->whole).make();
  // Removes the pixel needs of some inputs. A separate generator leaves all other draws unchanged.
  Random apart(seed + (std::uint64_t{1} << 32));
  for (auto& op : made->whole.operators)
    for (auto& input : op.inputs)
      if (apart.chance(0.1)) input.pixels.reset();
  made->machine.cell.runtime_write = !apart.chance(0.1);
  made->network = made->whole;
  if (chip::split(made->machine, made->network)) return nullptr;
  if (chip::admit(made->machine, made->network)) return nullptr;
  made->problem.emplace(chip::make_problem(made->machine, made->network));
  for (std::size_t i = 0; i < made->network.operators.size(); ++i) {
    // The partial sums of a row block are wider than results and may exceed L1, which excludes crossbars.
    if (made->network.operators[i].kind == OperatorKind::array && !made->problem->facts[i].may_use_array)
      return nullptr;
  }
  auto decisions = random_chip_decisions(*made->problem, random);
  if (!decisions) return nullptr;
  made->decisions = std::move(*decisions);
  return made;
}

void make_streams(chip::Mode mode, chip::Decisions& decisions, Random& random) {
  if (mode == Mode::CM || !decisions.levels.mvm) return;
  decisions.levels.stream = true;
  for (auto& segment : decisions.segments) segment.stream = segment.pipeline && random.chance(0.8);
}

void add_coverage(const RandomChipCase& of, Coverage& coverage) {
  const auto note = [&](const std::string& feature, bool present) { coverage[feature] += present ? 1 : 0; };
  note(std::string("mode ").append(chip::to_string(of.machine.mode)), true);
  note("level mvm", of.decisions.levels.mvm);
  note("level vvm", of.decisions.levels.vvm);
  note("several segments", of.decisions.segments.size() > 1);
  note("noc", of.machine.chip_noc.kind != NocKind::ideal);
  note("l1 limits a core", of.machine.l1.size > 0);
  for (const auto& segment : of.decisions.segments) note(segment.pipeline ? "pipelined" : "sequential", true);
  for (std::size_t i = 0; i < of.network.operators.size(); ++i) {
    const Operator& op = of.network.operators[i];
    const auto& decision = of.decisions.operators[i];
    const auto& facts = of.problem->facts[i];
    note("piece of columns or groups", !op.piece.of.empty() && !op.piece.adds);
    note("sum of row blocks", op.piece.adds);
    note("product on crossbars", op.kind == OperatorKind::product && decision.on_array);
    note("product on the digital unit", op.kind == OperatorKind::product && !decision.on_array);
    note("join", op.kind == OperatorKind::alu && op.inputs.size() > 1);
    if (op.kind == OperatorKind::alu) continue;
    note("packed groups", facts.layout.packed);
    note("groups apart", op.matrix.groups > 1 && !facts.layout.packed);
    note("slices in crossbars", facts.layout.slices_in_crossbars);
    note("copies share a row", decision.copies > 1 && op.width > 1 && of.machine.mode != Mode::CM);
    note("rows at once", chip::timing_of(*of.problem, i, decision, of.decisions.levels).lanes > 1);
    note("phases", decision.phases > 1);
    note("remapped rows", decision.parts > facts.layout.least_parts);
  }
}

}  // namespace nestor::tests
