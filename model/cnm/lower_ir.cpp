#include <fmt/format.h>

#include <algorithm>

#include "model/cnm/lower.h"
#include "model/cnm/tiles.h"

namespace nestor::cnm {

bool IndexExpr::uses(const std::string& variable) const {
  return std::any_of(terms.begin(), terms.end(), [&](const auto& term) { return term.first == variable; });
}

namespace {

constexpr std::string_view step_names = "ijklmnop";

IndexExpr plus(IndexExpr a, const IndexExpr& b, Int times) {
  for (const auto& [variable, factor] : b.terms) {
    const auto same = std::find_if(a.terms.begin(), a.terms.end(),
                                   [&, &v = variable](const auto& t) { return t.first == v; });
    if (same != a.terms.end())
      same->second += factor * times;
    else if (factor * times != 0)
      a.terms.emplace_back(variable, factor * times);
  }
  a.constant += b.constant * times;
  return a;
}

using Kind = IrStatement::Kind;
using Body = std::vector<IrStatement>;

IrStatement loop_over(const std::string& variable, Int trips, Body body) {
  IrStatement statement;
  statement.name = variable;
  statement.amount = trips;
  statement.body = std::move(body);
  return statement;
}

class Lowering {
 public:
  Lowering(const Kernel& kernel, const CnmMap& map, const System& system)
      : kernel_(kernel),
        map_(map),
        system_(system),
        tasklet_(map.tuples[map.tuples.size() - 2]),
        tiling_(tile_operands(kernel, map, system)),
        fault_(tiling_.fault) {}

  Lowered<IrKernel> run() {
    result_.name = kernel_.name;
    if (fault_.empty()) {
      for (std::size_t i = 0; i < kernel_.operands.size(); ++i) declare(i);
      step_.resize(kernel_.dim_count());
      result_.body = level(0);
      finish_reduction();
    }
    if (fault_.empty() && requests_ > most_requests)
      fault_ = fmt::format("found {} requests in the code, expected at most {}", requests_, most_requests);
    return {std::move(result_), std::move(fault_)};
  }

 private:
  Int steps(std::size_t d) const { return map_.local()[d] / map_.block[d]; }

  std::string step_name(std::size_t d) const { return std::string(1, step_names[d]); }
  std::string block_name(std::size_t d) const { return fmt::format("e{}", step_names[d]); }

  void declare(std::size_t i) {
    const KernelOperand& operand = kernel_.operands[i];
    const Tile& tile = tiles_[i];
    const auto direction = !operand.output   ? Direction::in
                           : tile.read_first ? Direction::inout
                                             : Direction::out;
    result_.operands.push_back({operand.name, operand.type, tile.local, direction, false});
    Int count = 1;
    for (const Int extent : tile.extent) count *= extent;
    const Int held = aligned_elements(system_, count, bytes_of(operand.type));
    result_.buffers.push_back({tile.buffer, operand.type, held});
  }

  // Returns the first index of the operand's tile in each dim, as an expression over the step loops.
  std::vector<IndexExpr> origin(const KernelOperand& operand, bool gathered) const {
    std::vector<IndexExpr> indices;
    for (const AffineExpr& expr : operand.map) {
      IndexExpr index;
      for (std::size_t d = 0; d < kernel_.dim_count(); ++d) {
        if (expr.factors[d] == 0) continue;
        const bool whole = gathered && collecting_ && step_loops_[*collecting_] == d;
        index = plus(index, whole ? group_start_ : step_[d], expr.factors[d] * map_.block[d]);
      }
      indices.push_back(std::move(index));
    }
    return indices;
  }

  // Adds a request for each contiguous run of the tile, split into pieces that the engine accepts.
  void add_requests(Body& body, std::size_t at, bool write, Int gathered_steps) {
    const KernelOperand& operand = kernel_.operands[at];
    const Tile& tile = tiles_[at];
    auto extent = tile.extent;
    if (tile.collected) extent.back() = extent.back() / group_ * gathered_steps;
    std::size_t split = extent.size();
    Int run = 1;
    while (split > 0) {
      run *= extent[--split];
      if (extent[split] != tile.local[split]) break;
    }
    Int rows = 1;
    for (std::size_t k = 0; k < split; ++k) rows *= extent[k];
    const Int size = bytes_of(operand.type);
    if (operand.output && (tile.collected || run * size < system_.dma.min_bytes))
      run = aligned_elements(system_, run, size);
    const Int piece = elements_per_request(system_, size);
    requests_ += static_cast<std::size_t>(requests_for(rows, run, piece));
    if (requests_ > most_requests) return;
    const auto start = origin(operand, tile.collected);
    for (Int row = 0; row < rows; ++row) {
      auto indices = start;
      Int left = row;
      for (std::size_t k = split; k-- > 0;) {
        indices[k].constant += left % extent[k];
        left /= extent[k];
      }
      for (Int done = 0; done < run; done += piece) {
        IrStatement request;
        request.kind = write ? Kind::write : Kind::read;
        request.name = operand.name;
        request.indices = indices;
        if (!indices.empty()) request.indices.back().constant += done;
        request.buffer = tile.buffer;
        request.amount = std::min(piece, run - done);
        body.push_back(std::move(request));
      }
    }
  }

  // Returns the index of an element in the buffer of its operand.
  IndexExpr buffer_index(std::size_t at) const {
    const KernelOperand& operand = kernel_.operands[at];
    const Tile& tile = tiles_[at];
    IndexExpr index;
    for (std::size_t k = 0; k < operand.map.size(); ++k) {
      IndexExpr here;
      for (std::size_t d = 0; d < kernel_.dim_count(); ++d) {
        const Int factor = operand.map[k].factors[d];
        if (factor == 0) continue;
        if (map_.block[d] > 1) here = plus(here, {{{block_name(d), 1}}, 0}, factor);
        if (tile.stays) here = plus(here, step_[d], factor * map_.block[d]);
        if (tile.collected && collecting_ && step_loops_[*collecting_] == d)
          here = plus(here, group_step_, factor * map_.block[d]);
      }
      Int below = 1;
      for (std::size_t j = k + 1; j < tile.extent.size(); ++j) below *= tile.extent[j];
      index = plus(index, here, below);
    }
    return index;
  }

  // Returns the code inside `depth` step loops.
  Body level(std::size_t depth) {
    Body body;
    add_level_head(body, depth);
    if (collecting_ && depth == *collecting_) {
      add_groups(body, depth);
    } else if (depth < step_loops_.size()) {
      const std::size_t d = step_loops_[depth];
      step_[d] = {{{step_name(d), 1}}, 0};
      body.push_back(loop_over(step_name(d), steps(d), level(depth + 1)));
      step_[d] = {};
    } else {
      for (IrStatement& statement : elements(0)) body.push_back(std::move(statement));
    }
    add_level_tail(body, depth);
    return body;
  }

  void add_level_head(Body& body, std::size_t depth) {
    for (std::size_t i = 0; i < tiles_.size(); ++i) {
      const bool reads = kernel_.operands[i].output ? tiles_[i].read_first : true;
      if (reads && tiles_[i].inside == depth && !tiles_[i].collected && !tiles_[i].stays)
        add_requests(body, i, false, group_);
    }
    add_constants(body, depth);
  }

  void add_level_tail(Body& body, std::size_t depth) {
    add_stores(body, depth);
    for (std::size_t i = 0; i < tiles_.size(); ++i)
      if (kernel_.operands[i].output && tiles_[i].inside == depth && !tiles_[i].collected && !tiles_[i].stays)
        add_requests(body, i, true, group_);
  }

  void add_constants(Body& body, std::size_t depth) {
    for (std::size_t i = 0; i < tiles_.size(); ++i)
      if (tiles_[i].in_value && tiles_[i].value_inside == depth) {
        IrStatement constant;
        constant.kind = Kind::constant;
        constant.name = value_name(i);
        constant.type = kernel_.operands[i].type;
        constant.arguments = {"0"};
        body.push_back(std::move(constant));
      }
  }

  void add_stores(Body& body, std::size_t depth) {
    for (std::size_t i = 0; i < tiles_.size(); ++i)
      if (tiles_[i].in_value && tiles_[i].value_inside == depth) body.push_back(store(i, value_name(i)));
  }

  IrStatement store(std::size_t i, const std::string& value) const {
    IrStatement statement;
    statement.kind = Kind::store;
    statement.name = value;
    statement.buffer = tiles_[i].buffer;
    statement.type = kernel_.operands[i].type;
    statement.indices = {buffer_index(i)};
    return statement;
  }

  // Adds the collecting loop in groups of steps, each followed by a write, and then the remaining steps.
  void add_groups(Body& body, std::size_t depth) {
    const std::size_t d = step_loops_[depth];
    const Int full = steps(d) / group_, rest = steps(d) % group_;
    const auto group_of = [&](Int count, const IndexExpr& start) {
      group_start_ = start;
      Body inner;
      for (std::size_t i = 0; i < tiles_.size(); ++i)
        if (tiles_[i].collected && tiles_[i].read_first) add_requests(inner, i, false, count);
      group_step_ = count > 1 ? IndexExpr{{{step_name(d), 1}}, 0} : IndexExpr{};
      step_[d] = plus(start, group_step_, 1);
      Body one = level(depth + 1);
      if (count > 1) {
        inner.push_back(loop_over(step_name(d), count, std::move(one)));
      } else {
        for (IrStatement& statement : one) inner.push_back(std::move(statement));
      }
      for (std::size_t i = 0; i < tiles_.size(); ++i)
        if (tiles_[i].collected) add_requests(inner, i, true, count);
      step_[d] = group_step_ = group_start_ = {};
      return inner;
    };
    if (full == 1) {
      for (IrStatement& statement : group_of(group_, {})) body.push_back(std::move(statement));
    } else if (full > 1) {
      body.push_back(loop_over("g", full, group_of(group_, {{{"g", group_}}, 0})));
    }
    if (rest > 0)
      for (IrStatement& statement : group_of(rest, {{}, full * group_})) body.push_back(std::move(statement));
  }

  std::string value_name(std::size_t i) const { return fmt::format("s{}", i); }

  // Returns the loops over the elements of a block, with the region inside.
  Body elements(std::size_t depth) {
    Body body;
    if (depth > 0) add_constants(body, step_loops_.size() + depth);
    if (depth < block_loops_.size()) {
      const std::size_t d = block_loops_[depth];
      body.push_back(loop_over(block_name(d), map_.block[d], elements(depth + 1)));
    } else {
      for (IrStatement& statement : region()) body.push_back(std::move(statement));
    }
    if (depth > 0) add_stores(body, step_loops_.size() + depth);
    return body;
  }

  Body region() const {
    Body body;
    const std::size_t operands = kernel_.operands.size();
    std::vector<std::string> names(operands + kernel_.region.size());
    std::vector<bool> used(operands, false);
    for (const RegionStep& step : kernel_.region)
      for (const std::size_t a : step.arguments)
        if (a < operands) used[a] = true;
    for (const std::size_t a : kernel_.yields)
      if (a < operands) used[a] = true;
    for (std::size_t i = 0; i < operands; ++i) {
      if (!used[i]) continue;
      if (tiles_[i].in_value) {
        names[i] = value_name(i);
        continue;
      }
      names[i] = fmt::format("u{}", i);
      IrStatement load;
      load.kind = Kind::load;
      load.name = names[i];
      load.type = kernel_.operands[i].type;
      load.buffer = tiles_[i].buffer;
      load.indices = {buffer_index(i)};
      body.push_back(std::move(load));
    }
    for (std::size_t s = 0; s < kernel_.region.size(); ++s) {
      const RegionStep& step = kernel_.region[s];
      std::string& name = names[operands + s];
      if (step.kind == RegionStep::Kind::constant) {
        name = step.text;
        continue;
      }
      name = fmt::format("p{}", s);
      for (std::size_t o = 0, output = 0; o < operands; ++o) {
        if (!kernel_.operands[o].output) continue;
        if (tiles_[o].in_value && kernel_.yields[output] == operands + s) name = value_name(o);
        ++output;
      }
      IrStatement operation;
      operation.kind = Kind::operation;
      operation.name = name;
      operation.op = step.op;
      operation.type = step.type;
      for (const std::size_t a : step.arguments) operation.arguments.push_back(names[a]);
      body.push_back(std::move(operation));
    }
    for (std::size_t o = 0, output = 0; o < operands; ++o) {
      if (!kernel_.operands[o].output) continue;
      const std::string& value = names[kernel_.yields[output++]];
      if (!tiles_[o].in_value) {
        body.push_back(store(o, value));
      } else if (value != value_name(o)) {
        IrStatement move;
        move.kind = Kind::operation;
        move.name = value_name(o);
        move.op = Op::move;
        move.type = kernel_.operands[o].type;
        move.arguments = {value};
        body.push_back(std::move(move));
      }
    }
    return body;
  }

  // Partial results of a dim that is split over tasklets stay in WRAM; the first tasklet adds them and writes
  // the sum.
  void finish_reduction() {
    for (std::size_t i = 0; i < tiles_.size(); ++i) {
      if (!tiles_[i].stays) continue;
      const KernelOperand& operand = kernel_.operands[i];
      Int parts = 1, elements = 1;
      for (std::size_t d = 0; d < kernel_.dim_count(); ++d)
        (operand.uses(d) ? elements : parts) *= tasklet_[d];
      for (const Int extent : tiles_[i].extent) elements *= extent;
      IrStatement reduce;
      reduce.kind = Kind::reduce;
      reduce.name = operand.name;
      reduce.buffer = tiles_[i].buffer;
      const Int size = bytes_of(operand.type);
      reduce.amount = elements;
      reduce.parts = parts;
      const Int piece = elements_per_request(system_, size);
      const Int run = aligned_elements(system_, elements, size);
      requests_ += static_cast<std::size_t>(requests_for(1, run, piece));
      if (requests_ > most_requests) return;
      result_.body.push_back(reduce);
      for (Int done = 0; done < run; done += piece) {
        IrStatement request;
        request.kind = Kind::write;
        request.name = operand.name;
        request.buffer = tiles_[i].buffer;
        request.indices.assign(operand.map.size(), {});
        if (!request.indices.empty()) request.indices.back().constant = done;
        request.amount = std::min(piece, run - done);
        result_.body.push_back(std::move(request));
      }
    }
  }

  const Kernel& kernel_;
  const CnmMap& map_;
  const System& system_;
  const std::vector<Int>& tasklet_;  // factors of the innermost level of units
  const Tiling tiling_;
  const std::vector<std::size_t>&step_loops_ = tiling_.step_loops, &block_loops_ = tiling_.block_loops;
  const std::vector<Tile>& tiles_ = tiling_.tiles;
  const std::optional<std::size_t>& collecting_ = tiling_.collecting;
  const Int& group_ = tiling_.group;
  std::vector<IndexExpr> step_;  // by dim: number of the step
  IndexExpr group_start_, group_step_;
  std::size_t requests_ = 0;
  IrKernel result_;
  std::string fault_;
};

}  // namespace

Lowered<IrKernel> lower_to_ir(const Kernel& kernel, const CnmMap& map, const System& system) {
  return Lowering(kernel, map, system).run();
}

}  // namespace nestor::cnm
