// Execution of a thread's code: runs loops, evaluates expressions, and passes simultaneous operations to a
// handler as one group. Timing, arithmetic and the proof of order all execute programs in this way. Each of
// them provides a handler with these functions:
//
//   MaybeFault wait(std::size_t op, Int row, std::optional<Int> cycles);  // cycles after the row's run began
//   MaybeFault run_begins();                                              // the steps after the first
//   MaybeFault row_begins(Int row);  MaybeFault row_ends(Int row);
//   MaybeFault group(std::span<const Op> ops);
//
// Programs are untrusted, so operations are counted, and a program that exceeds the limit is stopped.
#pragma once

#include <fmt/format.h>

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/chip/program/program.h"

namespace nestor::sim::chip {

using chip_program::Expression;
using chip_program::Kind;
using chip_program::Program;
using chip_program::Statement;

/// A fault in a syntactically valid program, described by a sentence.
struct Fault {
  std::string message;
  bool too_soon = false;  ///< the program can be executed, but a step reads data before it is available
};
using MaybeFault = std::optional<Fault>;

inline constexpr Int in_l0 = -1;  ///< core argument of an address in L0, which belongs to no core
inline constexpr std::size_t most_arguments = 16;

/// A statement and the values of its arguments.
struct Op {
  const Statement* statement = nullptr;
  std::array<Int, most_arguments> at = {};
  Kind kind() const { return statement->kind; }
  std::size_t op() const { return statement->op; }
};

struct WalkLimits {
  Int operations = Int{1} << 32;
  std::size_t group = std::size_t{1} << 22;  ///< limit on simultaneous operations
};

template <typename Handler>
class Walker {
 public:
  explicit Walker(Handler& handler, const WalkLimits& limits = {}) : handler_(handler), limits_(limits) {}

  MaybeFault run(const std::vector<Statement>& body) {
    for (const Statement& statement : body) {
      if (auto fault = step(statement)) return fault;
    }
    return std::nullopt;
  }

 private:
  MaybeFault step(const Statement& statement) {
    switch (statement.kind) {
      case Kind::loop:
        return loop(statement, [&] { return run(statement.body); });
      case Kind::parallel: {
        group_.clear();
        if (auto fault = gather(statement.body)) return fault;
        return handler_.group(group_);
      }
      case Kind::row:
        return row(statement);
      case Kind::run:
        if (!in_row_) return Fault{"a `run` is outside a row"};
        if (auto fault = handler_.run_begins()) return fault;
        return run(statement.body);
      case Kind::wait:
      case Kind::wait_run: {
        const auto row = statement.arguments[0].value(loops_);
        std::optional<Int> cycles;
        if (statement.kind == Kind::wait_run) {
          cycles = statement.arguments[1].value(loops_);
          if (!cycles) return no_value();
        }
        if (!row) return no_value();
        return count() ? handler_.wait(statement.op, *row, cycles) : too_long();
      }
      default: {
        group_.clear();
        if (auto fault = add(statement)) return fault;
        return handler_.group(group_);
      }
    }
  }

  MaybeFault row(const Statement& statement) {
    if (in_row_) return Fault{"a row is inside a row"};
    const auto row = statement.arguments[0].value(loops_);
    if (!row) return no_value();
    in_row_ = true;
    if (auto fault = handler_.row_begins(*row)) return fault;
    if (auto fault = run(statement.body)) return fault;
    in_row_ = false;
    return handler_.row_ends(*row);
  }

  // Collects all operations in the body of `parallel` and unrolls its loops.
  MaybeFault gather(const std::vector<Statement>& body) {
    for (const Statement& statement : body) {
      MaybeFault fault;
      switch (statement.kind) {
        case Kind::loop:
          fault = loop(statement, [&] { return gather(statement.body); });
          break;
        case Kind::parallel:
          fault = gather(statement.body);
          break;
        case Kind::row:
        case Kind::run:
        case Kind::wait:
        case Kind::wait_run:
          return Fault{"a row or wait is inside `parallel`"};
        default:
          fault = add(statement);
      }
      if (fault) return fault;
    }
    return std::nullopt;
  }

  template <typename Body>
  MaybeFault loop(const Statement& statement, Body body) {
    const auto from = statement.arguments[0].value(loops_);
    const auto to = statement.arguments[1].value(loops_);
    if (!from || !to) return no_value();
    const std::size_t depth = loops_.size();
    loops_.push_back(*from);
    for (Int at = *from; at < *to;) {
      loops_[depth] = at;
      if (!count()) return too_long();
      if (auto fault = body()) return fault;
      if (at > std::numeric_limits<Int>::max() - statement.step) break;
      at += statement.step;
    }
    loops_.pop_back();
    return std::nullopt;
  }

  MaybeFault add(const Statement& statement) {
    if (statement.arguments.size() > most_arguments) return Fault{"an operation has too many sources"};
    if (!count()) return too_long();
    if (group_.size() >= limits_.group) {
      return Fault{fmt::format("more than {} operations run at the same time", limits_.group)};
    }
    Op op;
    op.statement = &statement;
    for (std::size_t i = 0; i < statement.arguments.size(); ++i) {
      const Expression& argument = statement.arguments[i];
      if (argument.empty()) {
        op.at[i] = in_l0;
        continue;
      }
      const auto value = argument.value(loops_);
      if (!value) return no_value();
      op.at[i] = *value;
    }
    group_.push_back(op);
    return std::nullopt;
  }

  bool count() { return ++done_ <= limits_.operations; }
  MaybeFault too_long() const {
    return Fault{fmt::format("the program executes more than {} operations", limits_.operations)};
  }
  static MaybeFault no_value() {
    return Fault{"an expression has no value: it divides by a number below 1 or exceeds 64 bits"};
  }

  Handler& handler_;
  WalkLimits limits_;
  std::vector<Int> loops_;
  std::vector<Op> group_;
  bool in_row_ = false;
  Int done_ = 0;
};

}  // namespace nestor::sim::chip
