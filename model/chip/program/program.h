// A meta-operator program (docs/models/chip-program.md): what a compiled network looks like to the chip. It
// declares tensors with their addresses in L0 and operators with what they compute and where their copies
// lie; a segment writes weights and runs one thread per operator; a thread is loops, rows with the rows of
// other threads they wait for, and reads, moves and digital operations. Text and binary forms hold the same
// tree (io/chip/program); sim/chip executes it.
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
  Int address = 0;  ///< bytes
  Int rows = 1, width = 1, channels = 1, bits = 8;
  bool operator==(const Tensor&) const = default;
};

/// What an operator line says beside its name, type and tensors. Every member is a key (keys.h).
struct Keys {
  std::array<Int, 3> bits = {8, 8, 8};  ///< I, W, O
  std::array<Int, 2> kernel = {1, 1}, stride = {1, 1}, pad = {0, 0}, dilation = {1, 1};
  std::array<Int, 2> matrix = {0, 0};  ///< K, N of one group
  Int groups = 1;
  std::array<Int, 3> piece = {0, 0, 0};  ///< first group, column and matrix row within the operator split
  Int partial = 0;                       ///< 1: sums of some matrix rows only, in 32 bits
  Int parts = 0, columns = 0, copies = 1, phases = 1;
  Int xb = 0;                           ///< first crossbar, counted over the usable ones of all cores
  Int usable = 0;                       ///< crossbars of a core that are counted
  Int spacing = 0;                      ///< counted crossbars from one copy to the next
  std::array<Int, 2> requant = {1, 0};  ///< multiplier, shift
  Int seed = 0;                         ///< of weights, bias and constants
  Int in_channels = 0, row_in = 0, ops = 0;
  Int transposed = 0, constant_rows = 0;
  std::array<Int, 4> view = {0, 0, 0, 0}, view2 = {0, 0, 0, 0};  ///< of the first and second operand
  bool operator==(const Keys&) const = default;
};

struct ProgramOperator {
  std::string name;
  FunctionKind type = FunctionKind::unknown;
  Keys keys;
  std::string table;  ///< of type `table`: which function
  std::vector<std::string>
      calls;  ///< functions of the chip that make a digital row, in order; none: the type
  std::vector<std::size_t> inputs;  ///< tensors
  std::size_t output = 0;
  bool operator==(const ProgramOperator&) const = default;
};

inline bool calls(const ProgramOperator& op, std::string_view function) {
  return std::find(op.calls.begin(), op.calls.end(), function) != op.calls.end();
}

enum class Kind : std::uint8_t {
  loop,            ///< from, to
  parallel,        ///< everything in its body, iterations of loops too, at the same time
  row,             ///< row
  wait,            ///< row of the operator
  write_crossbar,  ///< crossbar, part, column
  write_rows,      ///< crossbar, row, length, part, column
  read_core,       ///< core, y from and to, x from and to, source, destination
  read_crossbars,  ///< first, how many
  read_rows,       ///< crossbar, row, how many
  move,            ///< from address, to address, length
  gather,          ///< crossbar, y, x
  store,           ///< copy, y, x
  digital,         ///< source addresses, destination address, length
  digital_row,     ///< row
  run,             ///< of a stream: the steps of a row behind the first
  wait_run,        ///< row of the operator, cycles behind its run
};
inline constexpr std::size_t kind_count = 16;

/// One statement. `arguments` in the order above; an address is two, the core (empty: L0) and the byte.
struct Statement {
  Kind kind = Kind::parallel;
  FunctionKind function = FunctionKind::unknown;  ///< of digital and digital_row
  std::size_t op = 0;                             ///< into Program::operators, where the form names one
  std::string variable;                           ///< of a loop
  std::string call;  ///< of digital_row: a function of the chip; empty: `function`
  Int step = 1;      ///< of a loop
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
  bool stream = false;            ///< only if pipelined
  std::vector<Statement> writes;  ///< weights; loops over writes too
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
  std::string weights;                            ///< the file that text names; empty: seeded data
  std::shared_ptr<const ProgramNumbers> numbers;  ///< with `weights` (numbers.h)
  bool operator==(const Program&) const = default;
};

/// What stands between the parentheses of a statement, in order.
enum class Slot : std::uint8_t { expression, range, name, address };
struct Argument {
  std::string_view label;  ///< "core=", or empty
  Slot slot = Slot::expression;
};
/// How a statement is written. Loops, parallel, row and digital have forms of their own.
struct Form {
  Kind kind = Kind::parallel;
  std::string_view word;
  std::span<const Argument> arguments;
};
/// Null for kinds with forms of their own.
const Form* form_of(Kind kind);
std::span<const Form> forms();

/// Expressions that a form's arguments take up.
std::size_t expressions_of(const Form& form);

/// Whether a statement of this kind and with this many arguments has a body, a variable and so on as it
/// should; parsers of untrusted input ask before anything executes a program.
bool has_body(Kind kind);
bool names_operator(Kind kind);

inline constexpr std::size_t deepest_body = 32;

}  // namespace nestor::chip_program
