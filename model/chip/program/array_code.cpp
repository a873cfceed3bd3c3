#include "model/chip/program/array_code.h"

#include <algorithm>

namespace nestor::chip_program {
namespace {

constexpr Int written_out_at_most = 8;

Statement with_body(Kind kind, std::vector<Statement> body) {
  Statement made;
  made.kind = kind;
  made.body = std::move(body);
  return made;
}

Statement loop(const char* variable, const Expression& from, const Expression& to, Int step,
               std::vector<Statement> body) {
  Statement made = with_body(Kind::loop, std::move(body));
  made.variable = variable;
  made.arguments = {from, to};
  made.step = step;
  return made;
}

// Encloses statements in a parallel block. If there is a single statement and it is not a loop, returns this
// statement.
Statement parallel(std::vector<Statement> body) {
  const bool alone = body.size() == 1 && body[0].kind != Kind::loop;
  return alone ? std::move(body[0]) : with_body(Kind::parallel, std::move(body));
}

Int bytes_of(Int bits) { return ceil_divide(bits, 8); }

}  // namespace

Statement ArrayCode::of(Kind kind, std::vector<Expression> arguments) const {
  Statement made;
  made.kind = kind;
  made.op = names_operator(kind) ? shape_.op : 0;
  made.arguments = std::move(arguments);
  return made;
}

// Returns the chip-wide number of crossbar `index` of a copy. `keys_.xb` and `keys_.spacing` count only
// usable crossbars.
Expression ArrayCode::crossbar(const Expression& copy, const Expression& index) const {
  Expression counted = keys_.xb + copy * keys_.spacing + index;
  if (keys_.usable == shape_.crossbars_of_a_core) return counted;
  return div(counted, keys_.usable) * shape_.crossbars_of_a_core + mod(counted, keys_.usable);
}

std::vector<Statement> ArrayCode::each(const char* variable, const Expression& count, bool written_out,
                                       std::size_t loops, const Make& make) const {
  const auto times = count.constant();
  if (times && (*times == 1 || written_out)) {
    Body body;
    for (Int i = 0; i < *times; ++i) {
      for (Statement& statement : make(i, loops)) body.push_back(std::move(statement));
    }
    return body;
  }
  return {loop(variable, 0, count, 1, make(Expression::variable(static_cast<Int>(loops)), loops + 1))};
}

std::vector<Statement> ArrayCode::writes(std::size_t loops, bool at_run_time) const {
  const bool few = keys_.copies * per_copy() <= written_out_at_most;
  Body body = each("n", keys_.copies, few, loops, [&](const Expression& copy, std::size_t in_copies) {
    return each("p", keys_.parts, few, in_copies, [&](const Expression& part, std::size_t in_parts) {
      return each("c", keys_.columns, few, in_parts, [&](const Expression& column, std::size_t) -> Body {
        const Expression xb = crossbar(copy, part * keys_.columns + column);
        if (shape_.mode == Mode::WLM) {
          return {of(Kind::write_rows, {xb, 0, shape_.cell_rows, part, column})};
        }
        return {of(Kind::write_crossbar, {xb, part, column})};
      });
    });
  });
  if (!at_run_time) return body;
  return {parallel(std::move(body))};
}

// Returns the code that reads the parts [from, to) of a copy: all rows if `group` is missing, otherwise up to
// `parallel_rows` rows from row `group` on.
std::vector<Statement> ArrayCode::read_parts(const Expression& copy, const Expression& from,
                                             const Expression& to, const std::optional<Expression>& group,
                                             std::size_t loops) const {
  const Expression first = from * keys_.columns;
  const Expression count = (to - from) * keys_.columns;
  if (!group) {
    if (keys_.usable == shape_.crossbars_of_a_core) {
      return {of(Kind::read_crossbars, {crossbar(copy, first), count})};
    }
    return each("k", count, false, loops, [&](const Expression& k, std::size_t) -> Body {
      return {of(Kind::read_crossbars, {crossbar(copy, first + k), 1})};
    });
  }
  const bool few = keys_.copies * per_copy() <= written_out_at_most;
  return each("p", to - from, few, loops, [&](const Expression& p, std::size_t in_parts) {
    const Expression part = from + p;
    Expression rows = shape_.cell_rows;
    if (shape_.only_used_rows) {
      const bool even = shape_.held_rows == shape_.used_rows * keys_.parts;
      const bool packed = shape_.held_rows != keys_.matrix[0];
      rows = even || packed ? Expression(shape_.used_rows)
                            : max(0, min(shape_.used_rows, shape_.held_rows - part * shape_.used_rows));
    }
    const Int full = shape_.only_used_rows ? shape_.used_rows : shape_.cell_rows;
    Expression length = rows;
    if (full > shape_.parallel_rows) {
      const bool whole_groups = rows.constant() == full && full % shape_.parallel_rows == 0;
      length =
          whole_groups ? Expression(shape_.parallel_rows) : max(0, min(shape_.parallel_rows, rows - *group));
    }
    return each("c", keys_.columns, few, in_parts, [&](const Expression& c, std::size_t) -> Body {
      return {of(Kind::read_rows, {crossbar(copy, part * keys_.columns + c), *group, length})};
    });
  });
}

// True if the operator has so few crossbars that statements are written out instead of in a loop.
bool ArrayCode::few() const { return keys_.copies * per_copy() <= written_out_at_most; }

// Returns the reads of one phase. In mode WLM, the row groups are read in order.
std::vector<Statement> ArrayCode::read_phase(const Expression& first_copy, const Expression& copies,
                                             const Expression& phase, std::size_t loops) const {
  const Expression from = div(phase * keys_.parts, keys_.phases);
  const Expression to = div((phase + 1) * keys_.parts, keys_.phases);
  const auto all_copies = [&](const std::optional<Expression>& group, std::size_t at) {
    return parallel(each("n", copies, few(), at, [&](const Expression& n, std::size_t in_copies) {
      return read_parts(first_copy + n, from, to, group, in_copies);
    }));
  };
  if (shape_.mode != Mode::WLM) return {all_copies(std::nullopt, loops)};
  const Int rows = shape_.only_used_rows ? shape_.used_rows : shape_.cell_rows;
  if (rows <= shape_.parallel_rows) return {all_copies(Expression(0), loops)};
  const Expression group = Expression::variable(static_cast<Int>(loops));
  return {loop("r", 0, rows, shape_.parallel_rows, {all_copies(group, loops + 1)})};
}

std::vector<Statement> ArrayCode::reads(const Expression& first_copy, const Expression& copies,
                                        std::size_t loops) const {
  return each("j", keys_.phases, keys_.phases <= 2, loops, [&](const Expression& phase, std::size_t at) {
    return read_phase(first_copy, copies, phase, at);
  });
}

// Returns the code that gathers windows of row y, from window x on, into the parts [from, to): one window per
// copy.
Statement ArrayCode::gather(const Expression& y, const Expression& x, const Expression& first_copy,
                            const Expression& copies, const Expression& from, const Expression& to,
                            std::size_t loops) const {
  return parallel(each("n", copies, few(), loops, [&](const Expression& n, std::size_t in_copies) {
    const Expression count = (to - from) * keys_.columns;
    return each("k", count, few(), in_copies, [&](const Expression& k, std::size_t) -> Body {
      return {of(Kind::gather, {crossbar(first_copy + n, from * keys_.columns + k), y, x + n})};
    });
  }));
}

Statement ArrayCode::store(const Expression& y, const Expression& x, const Expression& first_copy,
                           const Expression& copies, std::size_t loops) const {
  return parallel(each("n", copies, few(), loops, [&](const Expression& n, std::size_t) -> Body {
    return {of(Kind::store, {first_copy + n, y, x + n})};
  }));
}

// Returns the code of one round: windows of row y, from window x on, one per copy.
std::vector<Statement> ArrayCode::rounds(const Expression& y, const Expression& x,
                                         const Expression& first_copy, std::size_t loops) const {
  const Int d = shape_.sharing;
  const Expression copies = shape_.width % d == 0 ? Expression(d) : min(d, shape_.width - x);
  Body body = {gather(y, x, first_copy, copies, 0, keys_.parts, loops)};
  for (Statement& read : reads(first_copy, copies, loops)) body.push_back(std::move(read));
  body.push_back(store(y, x, first_copy, copies, loops));
  return body;
}

// Returns the steps of a round of a stream, starting with `first_phase`. In each step, a group of parts
// receives its portion of the window.
std::vector<Statement> ArrayCode::steps(const Expression& y, const Expression& x,
                                        const Expression& first_copy, Int first_phase,
                                        std::size_t loops) const {
  const Int d = shape_.sharing;
  const Expression copies = shape_.width % d == 0 ? Expression(d) : min(d, shape_.width - x);
  const Int count = keys_.phases - first_phase;
  Body body;
  if (count > 0)
    body = each("j", count, count <= 2, loops, [&](const Expression& j, std::size_t at) -> Body {
      const Expression phase = j + first_phase;
      const Expression from = div(phase * keys_.parts, keys_.phases);
      const Expression to = div((phase + 1) * keys_.parts, keys_.phases);
      Body step = {gather(y, x, first_copy, copies, from, to, at)};
      for (Statement& read : read_phase(first_copy, copies, phase, at)) step.push_back(std::move(read));
      return step;
    });
  body.push_back(store(y, x, first_copy, copies, loops));
  return body;
}

std::pair<std::vector<Statement>, std::vector<Statement>> ArrayCode::stream_row(const Expression& y,
                                                                                std::size_t loops) const {
  const Int d = shape_.sharing;
  const Expression first_copy = mod(y, shape_.lanes) * d;
  Body first = {gather(y, 0, first_copy, d, 0, div(keys_.parts, keys_.phases), loops)};
  for (Statement& read : read_phase(first_copy, d, 0, loops)) first.push_back(std::move(read));
  Body others = steps(y, 0, first_copy, 1, loops);
  if (d < shape_.width) {
    const Expression x = Expression::variable(static_cast<Int>(loops));
    others.push_back(loop("x", d, shape_.width, d, steps(y, x, first_copy, 0, loops + 1)));
  }
  return {std::move(first), std::move(others)};
}

std::vector<Statement> ArrayCode::windows(const Expression& y, const Expression& first_copy,
                                          std::size_t loops, std::optional<std::size_t> next) const {
  const Int d = shape_.sharing;
  const bool one_round = d >= shape_.width;
  const Expression x = one_round ? Expression(0) : Expression::variable(static_cast<Int>(loops));
  Body body = rounds(y, x, first_copy, loops + (one_round ? 0 : 1));
  if (next) {
    const Expression pixels = shape_.width % d == 0 ? Expression(d) : min(d, shape_.width - x);
    body.push_back(after(*next, y, x, pixels));
  }
  if (one_round) return body;
  return {loop("x", 0, shape_.width, d, std::move(body))};
}

Statement ArrayCode::read_core(const Expression& copy, const Expression& y0, const Expression& y1) const {
  const ProgramOperator& op = program_.operators[shape_.op];
  // An operator without inputs reads nothing, so the address is irrelevant.
  const Tensor in = op.inputs.empty() ? Tensor{} : program_.tensors[op.inputs.front()];
  const Tensor& out = program_.tensors[op.output];
  const bool viewed = keys_.view[0] > 0;
  const Int row_in = (viewed ? keys_.view[1] * keys_.view[2] : in.width * in.channels) * bytes_of(in.bits);
  const Int row_out = out.width * out.channels * bytes_of(out.bits);
  const Expression core = div(keys_.xb, keys_.usable) + copy * (keys_.spacing / keys_.usable);
  Expression first_row = y0 * keys_.stride[0] - keys_.pad[0];
  if (keys_.pad[0] > 0) first_row = max(0, first_row);
  return of(Kind::read_core,
            {core, y0, y1, 0, shape_.width, in.address + first_row * row_in, out.address + y0 * row_out});
}

std::vector<Statement> ArrayCode::row(const Expression& y, std::size_t loops) const {
  const Expression lane = mod(y, shape_.lanes);
  if (shape_.mode == Mode::CM) return {read_core(lane, y, y + 1)};
  return windows(y, lane * shape_.sharing, loops, std::nullopt);
}

bool ArrayCode::may_use_blocks(const chip::ChipMachine& machine) const {
  const bool ideal = machine.chip_alu == 0 && (machine.l0.bandwidth == 0 || machine.l0.hidden);
  return ideal && (shape_.mode == Mode::CM ? shape_.rows % shape_.lanes == 0 : shape_.lanes == 1);
}

bool ArrayCode::may_fuse(std::size_t next) const {
  const ProgramOperator& op = program_.operators[next];
  const Tensor& from = program_.tensors[program_.operators[shape_.op].output];
  const Tensor& to = program_.tensors[op.output];
  return op.type == FunctionKind::relu && op.calls.empty() &&
         op.inputs == std::vector{program_.operators[shape_.op].output} && op.keys.view[0] == 0 &&
         from.rows == to.rows && from.width == to.width && from.channels == to.channels &&
         from.bits == to.bits && op.keys.bits[0] == from.bits;
}

Statement ArrayCode::after(std::size_t next, const Expression& y, const Expression& x,
                           const Expression& pixels) const {
  const Tensor& from = program_.tensors[program_.operators[shape_.op].output];
  const Tensor& to = program_.tensors[program_.operators[next].output];
  const Expression at = (y * from.width + x) * (from.channels * bytes_of(from.bits));
  Statement made;
  made.kind = Kind::digital;
  made.function = program_.operators[next].type;
  made.arguments = {Expression(), from.address + at, Expression(), to.address + at, pixels * from.channels};
  return made;
}

std::vector<Statement> ArrayCode::blocks(std::optional<std::size_t> next) const {
  if (shape_.mode != Mode::CM) {
    return {loop("y", 0, shape_.rows, 1, windows(Expression::variable(0), 0, 1, next))};
  }
  const Int each_copy = shape_.rows / shape_.lanes;
  const bool few = shape_.lanes <= written_out_at_most;
  Body body = {parallel(each("n", shape_.lanes, few, 0, [&](const Expression& n, std::size_t) -> Body {
    return {read_core(n, n * each_copy, (n + 1) * each_copy)};
  }))};
  if (next) body.push_back(after(*next, 0, 0, shape_.rows * shape_.width));
  return body;
}

}  // namespace nestor::chip_program
