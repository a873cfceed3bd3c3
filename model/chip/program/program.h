// Meta-operator program of a compiled network (docs/models/chip-program.md). It declares tensors with their
// addresses in L0, and operators with their functions and the positions of their copies. A segment writes
// weights and runs one thread per operator. A thread consists of loops and rows. Rows wait for rows of other
// threads and contain reads, moves and digital operations. The text form and the binary form represent the
// same tree (io/chip/program); sim/chip executes it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/chip/function.h"
#include "model/chip/machine.h"
#include "model/chip/program/expression.h"

namespace nestor::chip_program {

using chip::FunctionKind;
using chip::Mode;
struct ProgramNumbers;

struct Tensor {
  std::string name;
  Int address = 0;  ///< in bytes
  Int rows = 1, width = 1, channels = 1, bits = 8;
  bool operator==(const Tensor&) const = default;
};

/// Values of an operator line in addition to its name, type and tensors. Every member is a key (keys.h).
struct Keys {
  std::array<Int, 3> bits = {8, 8, 8};  ///< I, W, O
  std::array<Int, 2> kernel = {1, 1}, stride = {1, 1}, pad = {0, 0}, dilation = {1, 1};
  std::array<Int, 2> matrix = {0, 0};  ///< K, N of one group
  Int groups = 1;
  /// First group, column and matrix row in the original operator, if it was split.
  std::array<Int, 3> piece = {0, 0, 0};
  Int partial = 0;  ///< 1: computes sums over some of the matrix rows, in 32 bits
  Int parts = 0, columns = 0, copies = 1, phases = 1;
  /// Index of the first crossbar among the usable crossbars of all cores.
  Int xb = 0;
  Int usable = 0;                       ///< usable crossbars per core
  Int spacing = 0;                      ///< distance between copies, in usable crossbars
  std::array<Int, 2> requant = {1, 0};  ///< multiplier, shift
  Int seed = 0;                         ///< for weights, bias and constants
  Int in_channels = 0, row_in = 0, ops = 0;
  Int transposed = 0, constant_rows = 0;
  std::array<Int, 4> view = {0, 0, 0, 0}, view2 = {0, 0, 0, 0};  ///< views of the first and second operand
  bool operator==(const Keys&) const = default;
};

struct ProgramOperator {
  std::string name;
  FunctionKind type = FunctionKind::unknown;
  Keys keys;
  std::string table;  ///< for type `table`: name of the function
  /// Functions of the chip that compute a digital row, in order; empty: only `type`.
  std::vector<std::string> calls;
  std::vector<std::size_t> inputs;  ///< tensor numbers
  std::size_t output = 0;
  bool operator==(const ProgramOperator&) const = default;
};

inline bool calls(const ProgramOperator& op, std::string_view function) {
  return std::find(op.calls.begin(), op.calls.end(), function) != op.calls.end();
}

/// Kinds of statements, each with the meaning of its arguments in order.
enum class Kind : std::uint8_t {
  loop,            ///< from, to
  parallel,        ///< runs the whole body simultaneously, including loop iterations
  row,             ///< row
  wait,            ///< row of the operator
  write_crossbar,  ///< crossbar, part, column
  write_rows,      ///< crossbar, row, length, part, column
  read_core,       ///< core, y from and to, x from and to, source, destination
  read_crossbars,  ///< first, count
  read_rows,       ///< crossbar, row, count
  move,            ///< from address, to address, length
  gather,          ///< crossbar, y, x
  store,           ///< copy, y, x
  digital,         ///< source addresses, destination address, length
  digital_row,     ///< row
  run,             ///< only in streams: the steps of a row after the first
  wait_run,        ///< row of the operator, number of cycles after its run
};
inline constexpr std::size_t kind_count = 16;

/// One statement. The order of `arguments` is specified at `Kind`. An address consists of two arguments: the
/// core (empty: L0) and the byte.
struct Statement {
  Kind kind = Kind::parallel;
  FunctionKind function = FunctionKind::unknown;  ///< only for digital and digital_row
  /// Index into Program::operators, for kinds that name an operator.
  std::size_t op = 0;
  std::string variable;  ///< variable of a loop
  std::string call;      ///< digital_row: a function of the chip; empty: `function`
  Int step = 1;          ///< step of a loop
  std::vector<Expression> arguments;
  std::vector<Statement> body;
  bool operator==(const Statement&) const = default;
};

struct Thread {
  std::size_t op = 0;
  Int lanes = 1;
  std::vector<Statement> body;
  bool operator==(const Thread&) const = default;
};

struct Segment {
  bool pipeline = true;
  bool stream = false;            ///< only for pipelined segments
  std::vector<Statement> writes;  ///< writes of weights, possibly in loops
  std::vector<Thread> threads;
  bool operator==(const Segment&) const = default;
};

struct Program {
  std::string machine;
  Mode mode = Mode::CM;
  Int l0_bytes = 0;
  std::vector<Tensor> tensors;
  std::vector<ProgramOperator> operators;
  std::vector<Segment> segments;
  std::string weights;                            ///< file named in the text form; empty: seeded data
  std::shared_ptr<const ProgramNumbers> numbers;  ///< set if and only if `weights` is set (numbers.h)
  bool operator==(const Program&) const = default;
};

/// Type of an argument in the parentheses of a statement.
enum class Slot : std::uint8_t { expression, range, name, address };
struct Argument {
  std::string_view label;  ///< "core=", or empty
  Slot slot = Slot::expression;
};
/// Written form of a statement. Loop, parallel, row and digital statements have special forms.
struct Form {
  Kind kind = Kind::parallel;
  std::string_view word;
  std::span<const Argument> arguments;
};
/// Returns the form of a kind, or null for kinds with special forms.
const Form* form_of(Kind kind);
std::span<const Form> forms();

/// Returns the number of expressions in a form's arguments.
std::size_t expressions_of(const Form& form);

/// True if statements of this kind contain a body, or name an operator. Parsers check these properties of
/// untrusted programs before execution.
bool has_body(Kind kind);
bool names_operator(Kind kind);

inline constexpr std::size_t deepest_body = 32;

}  // namespace nestor::chip_program
