#include "model/cnm/second_reading/read_map.h"

#include <algorithm>

#include "model/cnm/second_reading/code_slots.h"

namespace nestor::cnm::second {
namespace {

constexpr Int start_slots = 240;
constexpr Int slots_per_addition = 4;

using What = Node::What;

// True if an index of the operand depends on the dim.
bool varies(const KernelOperand& operand, std::size_t d) {
  return std::any_of(operand.map.begin(), operand.map.end(),
                     [d](const AffineExpr& index) { return index.factors[d] != 0; });
}

struct View {
  std::vector<Int> local, tile;  // extents of a tasklet's part, and of the tile in its buffer
  std::size_t depth = 0;         // number of step loops around its transfers
  std::size_t value_depth = 0;
  bool in_value = false, gathered = false, stays = false, reads = false;
  Int size = 1;

  std::size_t split() const {  // index of the first dim of the contiguous part
    std::size_t k = tile.size();
    while (k > 0 && tile[k - 1] == local[k - 1]) --k;
    return k == 0 ? 0 : k - 1;
  }
  Int run() const {
    Int product = 1;
    for (std::size_t k = split(); k < tile.size(); ++k) product *= tile[k];
    return product;
  }
};

Int up(Int value, Int unit) { return (value + unit - 1) / unit * unit; }

class MapReader {
 public:
  MapReader(const Kernel& kernel, const CnmMap& map, const System& system)
      : kernel_(kernel), map_(map), system_(system), dims_(kernel.extents.size()) {}

  ReadMap run() {
    for (const std::size_t d : map_.order) {
      if (map_.local()[d] > map_.block[d]) steps_.push_back(d);
      if (map_.block[d] > 1) blocks_.push_back(d);
    }
    for (const KernelOperand& operand : kernel_.operands) views_.push_back(view_of(operand));
    find_group();
    step_vars_.resize(dims_);
    Int instructions = 1;  // the return instruction
    result_.program = {barrier(), slots(start_slots)};
    append(result_.program, slots_of(level(0), instructions));
    for (std::size_t i = 0, first = 1; i < views_.size(); ++i)
      if (views_[i].stays) {
        if (first == 1) append(result_.program, {barrier(), {ItemKind::leave}});
        first = 0;
        result_.program.push_back(slots(additions(i)));
        ++instructions;
        append(result_.program, slots_of(runs(i, all_elements(i)), instructions));
      }
    count_memory(instructions);
    count_host();
    return std::move(result_);
  }

 private:
  Int factor(std::size_t level, std::size_t d) const { return map_.tuples[level][d]; }
  static void append(Program& program, Program more) {
    for (Item& item : more) program.push_back(std::move(item));
  }

  static std::vector<Int> extents_of(const KernelOperand& operand, const std::vector<Int>& dims) {
    std::vector<Int> extents;
    for (const AffineExpr& expr : operand.map) {
      extents.push_back(1);
      for (std::size_t d = 0; d < dims.size(); ++d) extents.back() += expr.factors[d] * (dims[d] - 1);
    }
    return extents;
  }

  View view_of(const KernelOperand& operand) const {
    View view;
    view.size = bytes_of(operand.type);
    view.local = extents_of(operand, map_.local());
    view.tile = extents_of(operand, map_.block);
    for (std::size_t i = 0; i < steps_.size(); ++i)
      if (varies(operand, steps_[i])) view.depth = i + 1;
    view.reads = !operand.output;
    if (!operand.output) return view;
    bool reduced = false;
    for (std::size_t d = 0; d < dims_; ++d) {
      const bool summed = kernel_.reduction[d] && !varies(operand, d);
      reduced |= summed;
      view.stays |= summed && factor(map_.tuples.size() - 2, d) > 1;
    }
    const auto used = [&](std::size_t d) { return varies(operand, d); };
    const auto last_used = std::find_if(blocks_.rbegin(), blocks_.rend(), used);
    // Number of block loops up to the innermost one whose dim the operand uses.
    const auto blocks_used = static_cast<std::size_t>(blocks_.rend() - last_used);
    const bool unused_inside =
        std::all_of(blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(blocks_used), used);
    const bool revisited =
        !std::all_of(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(view.depth), used);
    const bool unused_step = !std::all_of(steps_.begin(), steps_.end(), used);
    view.in_value = reduced && unused_inside && !revisited && !(unused_step && blocks_used > 0);
    view.value_depth = blocks_used > 0 ? steps_.size() + blocks_used : view.depth;
    view.reads = revisited || (!reduced && operand.read);
    if (view.stays) {
      view.tile = view.local;
      view.reads = false;
      view.depth = 0;
    }
    return view;
  }

  void find_group() {
    std::size_t at = steps_.size();
    for (std::size_t i = 0; i < steps_.size(); ++i)
      if (!kernel_.reduction[steps_[i]]) at = i;
    gathering_ = steps_.size();
    if (at == steps_.size()) return;
    Int largest = 1;
    for (std::size_t i = 0; i < views_.size(); ++i)
      if (!kernel_.operands[i].output)
        largest = std::max(
            largest, std::min(views_[i].run(), std::max<Int>(1, system_.dma.max_bytes / views_[i].size)));
    const std::size_t d = steps_[at];
    for (std::size_t i = 0; i < views_.size(); ++i) {
      View& view = views_[i];
      const bool small = view.run() * view.size < system_.dma.min_bytes;
      if (!kernel_.operands[i].output || view.stays || !small || !varies(kernel_.operands[i], d)) continue;
      view.gathered = true;
      view.depth = at;
      gathering_ = at;
      group_ =
          std::clamp<Int>(map_.collect.value_or(largest) / map_.block[d], 1, map_.local()[d] / map_.block[d]);
    }
    for (View& view : views_)
      if (view.gathered) view.tile.back() *= group_;
  }

  // Returns the writes of this number of contiguous elements of operand i.
  Code runs(std::size_t i, Int elements) const {
    const View& view = views_[i];
    Code code;
    const Int most = std::max<Int>(1, system_.dma.max_bytes / view.size);
    const Int padded = (up(elements * view.size, system_.dma.align) + view.size - 1) / view.size;
    for (Int left = padded; left > 0; left -= most)
      code.push_back({What::write, std::min(left, most) * view.size, i, 0, {}, {}});
    return code;
  }

  void add_transfers(Code& code, std::size_t i, bool write, Int steps) const {
    View view = views_[i];
    if (view.gathered) view.tile.back() = view.tile.back() / group_ * steps;
    Int rows = 1;
    for (std::size_t k = 0; k < view.split(); ++k) rows *= view.tile[k];
    Int run = view.run();
    const bool output = kernel_.operands[i].output;
    if (output && (view.gathered || run * view.size < system_.dma.min_bytes))
      run = (up(run * view.size, system_.dma.align) + view.size - 1) / view.size;
    std::set<std::size_t> vars;
    for (std::size_t d = 0; d < dims_; ++d) {
      if (!varies(kernel_.operands[i], d)) continue;
      const bool whole = view.gathered && steps_[gathering_] == d;
      const auto& used = whole ? group_vars_ : step_vars_[d];
      vars.insert(used.begin(), used.end());
    }
    const Int most = std::max<Int>(1, system_.dma.max_bytes / view.size);
    for (Int row = 0; row < rows; ++row)
      for (Int left = run; left > 0; left -= most)
        code.push_back({write ? What::write : What::read, std::min(left, most) * view.size, i, 0, vars, {}});
  }

  Node access(What what, std::size_t i) const {
    const View& view = views_[i];
    Node node{what, cost_of(what == What::load ? Op::load : Op::store, kernel_.operands[i].type), i, 0, {},
              {}};
    for (std::size_t d = 0; d < dims_; ++d) {
      if (!varies(kernel_.operands[i], d)) continue;
      if (map_.block[d] > 1) node.vars.insert(dims_ + d);
      if (view.stays) node.vars.insert(step_vars_[d].begin(), step_vars_[d].end());
      if (view.gathered && steps_[gathering_] == d) node.vars.insert(inner_vars_.begin(), inner_vars_.end());
    }
    return node;
  }
  Int cost_of(Op op, Type type) const { return system_.cost(op, type).slots(kernel_.multiply_k); }
  Node operation(Op op, Type type) const { return {What::operation, cost_of(op, type), 0, 0, {}, {}}; }

  void open_values(Code& code, std::size_t depth) const {
    for (std::size_t i = 0; i < views_.size(); ++i)
      if (views_[i].in_value && views_[i].value_depth == depth)
        code.push_back(operation(Op::move, kernel_.operands[i].type));
  }
  void close_values(Code& code, std::size_t depth) const {
    for (std::size_t i = 0; i < views_.size(); ++i)
      if (views_[i].in_value && views_[i].value_depth == depth) code.push_back(access(What::store, i));
  }

  Code level(std::size_t depth) {
    Code code;
    for (std::size_t i = 0; i < views_.size(); ++i)
      if (views_[i].reads && views_[i].depth == depth && !views_[i].gathered)
        add_transfers(code, i, false, 1);
    open_values(code, depth);
    if (depth == steps_.size()) {
      for (Node& node : elements(0)) code.push_back(std::move(node));
    } else if (depth == gathering_) {
      add_groups(code, depth);
    } else {
      const std::size_t d = steps_[depth];
      step_vars_[d] = {d};
      code.push_back({What::loop, map_.local()[d] / map_.block[d], 0, d, {}, level(depth + 1)});
      step_vars_[d] = {};
    }
    close_values(code, depth);
    for (std::size_t i = 0; i < views_.size(); ++i)
      if (kernel_.operands[i].output && !views_[i].stays && views_[i].depth == depth && !views_[i].gathered)
        add_transfers(code, i, true, 1);
    return code;
  }

  void add_groups(Code& code, std::size_t depth) {
    const std::size_t d = steps_[depth], group_var = 2 * dims_;
    const Int all = map_.local()[d] / map_.block[d], full = all / group_, rest = all % group_;
    const auto one_group = [&](Int count, const std::set<std::size_t>& around) {
      group_vars_ = step_vars_[d] = around;
      if (count > 1) {
        inner_vars_ = {d};
        step_vars_[d].insert(d);
      }
      Code inner;
      for (std::size_t i = 0; i < views_.size(); ++i)
        if (views_[i].gathered && views_[i].reads) add_transfers(inner, i, false, count);
      Code body = level(depth + 1);
      if (count > 1)
        inner.push_back({What::loop, count, 0, d, {}, std::move(body)});
      else
        for (Node& node : body) inner.push_back(std::move(node));
      for (std::size_t i = 0; i < views_.size(); ++i)
        if (views_[i].gathered) add_transfers(inner, i, true, count);
      group_vars_ = inner_vars_ = step_vars_[d] = {};
      return inner;
    };
    if (full > 1)
      code.push_back({What::loop, full, 0, group_var, {}, one_group(group_, {group_var})});
    else if (full == 1)
      for (Node& node : one_group(group_, {})) code.push_back(std::move(node));
    if (rest > 0)
      for (Node& node : one_group(rest, {})) code.push_back(std::move(node));
  }

  Code elements(std::size_t depth) const {
    Code code;
    if (depth > 0) open_values(code, steps_.size() + depth);
    if (depth < blocks_.size()) {
      const std::size_t d = blocks_[depth];
      code.push_back({What::loop, map_.block[d], 0, dims_ + d, {}, elements(depth + 1)});
    } else {
      add_region(code);
    }
    if (depth > 0) close_values(code, steps_.size() + depth);
    return code;
  }

  void add_region(Code& code) const {
    const std::size_t operands = kernel_.operands.size();
    std::set<std::size_t> used(kernel_.yields.begin(), kernel_.yields.end());
    for (const RegionStep& step : kernel_.region) used.insert(step.arguments.begin(), step.arguments.end());
    for (std::size_t i = 0; i < operands; ++i)
      if (used.contains(i) && !views_[i].in_value) code.push_back(access(What::load, i));
    for (const RegionStep& step : kernel_.region)
      if (step.kind != RegionStep::Kind::constant) code.push_back(operation(step.op, step.type));
    std::vector<std::size_t> outputs;
    for (std::size_t i = 0; i < operands; ++i)
      if (kernel_.operands[i].output) outputs.push_back(i);
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      const std::size_t i = outputs[o], y = kernel_.yields[o];
      if (!views_[i].in_value) {
        code.push_back(access(What::store, i));
        continue;
      }
      // A step's result is computed directly into the last of the values that receive it.
      bool in_place = y == i;
      if (y >= operands && kernel_.region[y - operands].kind != RegionStep::Kind::constant) {
        std::size_t last = i;
        for (std::size_t other = o; other < outputs.size(); ++other)
          if (views_[outputs[other]].in_value && kernel_.yields[other] == y) last = outputs[other];
        in_place = last == i;
      }
      if (!in_place) code.push_back(operation(Op::move, kernel_.operands[i].type));
    }
  }

  Int all_elements(std::size_t i) const {
    Int elements = 1;
    for (const Int extent : views_[i].tile) elements *= extent;
    for (std::size_t d = 0; d < dims_; ++d)
      if (varies(kernel_.operands[i], d)) elements *= factor(map_.tuples.size() - 2, d);
    return elements;
  }
  Int additions(std::size_t i) const {
    Int parts = 1;
    for (std::size_t d = 0; d < dims_; ++d)
      if (!varies(kernel_.operands[i], d)) parts *= factor(map_.tuples.size() - 2, d);
    return slots_per_addition * (parts - 1) * all_elements(i);
  }

  void count_memory(Int instructions) {
    const std::size_t tasklet_level = map_.tuples.size() - 2;
    for (std::size_t d = 0; d < dims_; ++d) result_.tasklets *= factor(tasklet_level, d);
    Int buffers = system_.wram.stack;
    for (std::size_t i = 0; i < views_.size(); ++i) {
      const View& view = views_[i];
      Int held = view.size, whole = view.size;
      for (const Int extent : view.tile) held *= extent;
      for (const Int extent : view.local) whole *= extent;
      const Int padded = (up(held, system_.dma.align) + view.size - 1) / view.size * view.size;
      buffers += up(padded, 8);
      for (std::size_t d = 0; d < dims_; ++d)
        if (varies(kernel_.operands[i], d)) whole *= factor(tasklet_level, d);
      result_.mram += whole;
    }
    result_.wram = result_.tasklets * buffers + system_.wram.reserved;
    result_.iram = instructions * system_.iram_instruction;
    if (result_.wram > system_.wram.capacity) result_.fault = "too little WRAM";
    if (result_.mram >= system_.mram_capacity) result_.fault = "too little MRAM";
    if (result_.iram > system_.iram_capacity) result_.fault = "too little instruction memory";
    check_transfers(result_.program);
  }
  void check_transfers(const Program& program) {
    for (const Item& item : program) {
      check_transfers(item.body);
      if (item.kind != ItemKind::read && item.kind != ItemKind::write) continue;
      if (item.amount < system_.dma.min_bytes || item.amount > system_.dma.max_bytes ||
          item.amount % system_.dma.align != 0)
        result_.fault = "the engine does not support a transfer of this size";
    }
  }

  void count_host() {
    const std::size_t tasklet_level = map_.tuples.size() - 2;
    Int dpus = 1;
    for (std::size_t d = 0; d < dims_; ++d) dpus *= factor(1, d);
    for (std::size_t i = 0; i < views_.size(); ++i) {
      const KernelOperand& operand = kernel_.operands[i];
      Int unit = 1, copies = 1;
      for (const Int extent : views_[i].local) unit *= extent;
      Int in_dpu = unit, everywhere = unit;
      for (std::size_t d = 0; d < dims_; ++d) {
        if (varies(operand, d)) in_dpu *= factor(tasklet_level, d);
        for (std::size_t l = 0; l <= tasklet_level; ++l)
          if (varies(operand, d)) everywhere *= factor(l, d);
        if (!varies(operand, d)) copies *= factor(0, d) * factor(1, d);
      }
      const Int bytes = in_dpu * bytes_of(operand.type) * dpus;
      if (views_[i].reads) result_.rank_bytes_in += bytes;
      if (!operand.output) continue;
      result_.rank_bytes_out += bytes;
      result_.written += everywhere;
      result_.partial_results += everywhere * (copies - 1);
    }
  }

  const Kernel& kernel_;
  const CnmMap& map_;
  const System& system_;
  std::size_t dims_;
  std::vector<std::size_t> steps_, blocks_;
  std::vector<View> views_;
  // Index of the step loop over which outputs are gathered, or the number of loops.
  std::size_t gathering_ = 0;
  Int group_ = 1;
  std::vector<std::set<std::size_t>> step_vars_;  // for each dim, the variables of its open step loops
  std::set<std::size_t> group_vars_, inner_vars_;
  ReadMap result_;
};

}  // namespace

ReadMap read_map(const Kernel& kernel, const CnmMap& map, const System& system) {
  return MapReader(kernel, map, system).run();
}

}  // namespace nestor::cnm::second
