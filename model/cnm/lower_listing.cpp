#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/tables/hash_table.h"
#include "model/cnm/lower.h"

namespace nestor::cnm {
namespace {

using Kind = IrStatement::Kind;

bool is_request(const IrStatement& statement) {
  return statement.kind == Kind::read || statement.kind == Kind::write;
}

bool holds(const IrStatement& statement, bool (*what)(const IrStatement&)) {
  return std::any_of(statement.body.begin(), statement.body.end(),
                     [&](const IrStatement& inner) { return what(inner) || holds(inner, what); });
}

bool is_loop(const IrStatement& statement) { return statement.kind == Kind::loop; }
bool is_single_trip(const IrStatement& statement) { return is_loop(statement) && statement.amount == 1; }

// Removes loops with one trip, and the terms of their variables, which are zero in the body.
std::vector<IrStatement> without_single_trips(const std::vector<IrStatement>& list,
                                              const HashSet<std::string>& zero) {
  std::vector<IrStatement> result;
  for (const IrStatement& statement : list) {
    auto inside = zero;
    if (is_single_trip(statement)) {
      inside.insert(statement.name);
      for (IrStatement& inner : without_single_trips(statement.body, inside))
        result.push_back(std::move(inner));
      continue;
    }
    result.push_back(statement);
    IrStatement& copy = result.back();
    for (IndexExpr& index : copy.indices)
      std::erase_if(index.terms, [&](const auto& term) { return zero.contains(term.first); });
    if (!is_loop(statement)) continue;
    inside.erase(statement.name);
    copy.body = without_single_trips(statement.body, inside);
  }
  return result;
}

// Returns the names that a loop increments at its end: the operands requested in it (for a step loop) or the
// buffers accessed in it (for a block loop) whose address depends on the variable. They are in the order of
// the increments.
std::set<std::string> moved_on(const IrStatement& loop, const std::string& variable, bool buffers) {
  std::set<std::string> names;
  for (const IrStatement& inner : loop.body) {
    const bool counts = buffers ? inner.kind == Kind::load || inner.kind == Kind::store : is_request(inner);
    if (counts && std::any_of(inner.indices.begin(), inner.indices.end(),
                              [&](const IndexExpr& index) { return index.uses(variable); }))
      names.insert(buffers ? inner.buffer : inner.name);
    for (const auto& name : moved_on(inner, variable, buffers)) names.insert(name);
  }
  return names;
}

class Writer {
 public:
  Writer(const IrKernel& kernel, Int multiply_k) : kernel_(kernel) {
    listing_.name = kernel.name;
    listing_.operands = kernel.operands;
    listing_.buffers = kernel.buffers;
    listing_.multiply_k = multiply_k;
  }

  Lowered<Listing> run() {
    add({.kind = LineKind::barrier});
    counted_loop(std::string(start_label), start_slots);
    const bool vanishes = std::any_of(kernel_.body.begin(), kernel_.body.end(), [](const IrStatement& s) {
      return is_single_trip(s) || holds(s, is_single_trip);
    });
    statements(vanishes ? without_single_trips(kernel_.body, {}) : kernel_.body);
    add({.kind = LineKind::ret});
    return {std::move(listing_), std::move(fault_)};
  }

 private:
  void add(Line line) { listing_.lines.push_back(std::move(line)); }
  void slot(Op op, std::vector<std::string> operands, Type type = Type::index) {
    add({.kind = LineKind::op, .op = op, .type = type, .operands = std::move(operands)});
  }
  static std::string reg(const std::string& name) { return "%" + name; }
  static std::string argument(const std::string& name) {
    const bool number = !name.empty() && ((name[0] >= '0' && name[0] <= '9') || name[0] == '-');
    return number ? name : reg(name);
  }
  std::string open_loop(Int trips) {
    auto label = fmt::format("L{}", ++labels_);
    add({.kind = LineKind::label, .name = label, .amount = trips});
    return label;
  }
  /// Adds a loop with one slot per trip.
  void counted_loop(const std::string& label, Int trips) {
    add({.kind = LineKind::label, .name = label, .amount = trips});
    fused(label);
  }
  // Decrements a counter and branches on it in one instruction.
  void fused(const std::string& label) {
    add({.kind = LineKind::op,
         .op = Op::add,
         .type = Type::index,
         .operands = {"%n", "%n", "-1"},
         .condition = "nz",
         .target = label});
  }
  // Increments a counter and then compares it.
  void counted_end(const std::string& variable, Int trips, const std::string& label) {
    slot(Op::add, {reg(variable), reg(variable), "1"});
    add({.kind = LineKind::branch,
         .name = "neq",
         .operands = {reg(variable), fmt::format("{}", trips)},
         .target = label});
  }

  void statements(const std::vector<IrStatement>& list) {
    bool in_requests = false;
    for (const IrStatement& statement : list) {
      if (is_request(statement)) {
        if (!in_requests) {
          slot(Op::move, {"%q", "-1"});
          slot(Op::lsladd, {"%q", "%q", "%size"});
        }
        in_requests = true;
        request(statement);
        continue;
      }
      in_requests = false;
      if (!is_loop(statement)) {
        plain(statement);
      } else if (holds(statement,
                       [](const IrStatement& s) { return is_request(s) || s.kind == Kind::barrier; })) {
        outer_loop(statement, false);
      } else if (holds(statement, is_loop)) {
        outer_loop(statement, true);
      } else {
        element_loop(statement);
      }
    }
  }

  void request(const IrStatement& statement) {
    slot(Op::lsladd, {"%w", "%z", "%q", statement.buffer});
    const Int bytes = statement.amount * bytes_of(type_of_buffer(statement.buffer));
    add({.kind = statement.kind == Kind::read ? LineKind::dma_read : LineKind::dma_write,
         .name = statement.buffer,
         .target = statement.name,
         .amount = bytes});
  }

  Type type_of_buffer(const std::string& name) const {
    for (const Buffer& buffer : kernel_.buffers)
      if (buffer.name == name) return buffer.type;
    return Type::i32;
  }

  void outer_loop(const IrStatement& loop, bool over_elements) {
    const auto label = open_loop(loop.amount);
    statements(loop.body);
    for (const auto& name : moved_on(loop, loop.name, over_elements))
      slot(Op::add, {reg(name), reg(name), "1"});
    counted_end(loop.name, loop.amount, label);
  }

  // Adds a loop over elements. With stores, the loop uses an index for its elements; otherwise it uses
  // pointers.
  void element_loop(const IrStatement& loop) {
    HashSet<std::pair<std::string, std::string>> places;
    bool stores = false;
    for (const IrStatement& inner : loop.body) {
      if (inner.kind != Kind::load && inner.kind != Kind::store) continue;
      std::string place;
      for (const auto& [variable, factor] : inner.indices[0].terms)
        place += fmt::format("{}*{}+", factor, variable);
      places.emplace(inner.buffer, place + fmt::format("{}", inner.indices[0].constant));
      stores |= inner.kind == Kind::store;
    }
    if (!stores)
      for (std::size_t i = 0; i < places.size(); ++i) slot(Op::move, {fmt::format("%a{}", i), "0"});
    slot(Op::move, {reg(stores ? loop.name : "n"), "0"});
    const auto label = open_loop(loop.amount);
    if (stores)
      for (std::size_t i = 0; i < places.size(); ++i)
        slot(Op::lsladd, {fmt::format("%a{}", i), reg(loop.name), "2"});
    for (const IrStatement& inner : loop.body) element(inner);
    if (stores) return counted_end(loop.name, loop.amount, label);
    for (std::size_t i = 0; i < places.size(); ++i)
      slot(Op::add, {fmt::format("%a{}", i), fmt::format("%a{}", i), "4"});
    fused(label);
  }

  void element(const IrStatement& statement) {
    if (statement.kind == Kind::load)
      add({.kind = LineKind::load,
           .type = statement.type,
           .name = statement.buffer,
           .operands = {reg(statement.name)}});
    if (statement.kind == Kind::store)
      add({.kind = LineKind::store,
           .type = type_of_buffer(statement.buffer),
           .name = statement.buffer,
           .operands = {argument(statement.name)}});
    if (statement.kind != Kind::operation && statement.kind != Kind::constant) return;
    std::vector<std::string> operands = {reg(statement.name)};
    for (const auto& a : statement.arguments) operands.push_back(argument(a));
    slot(statement.kind == Kind::constant ? Op::move : statement.op, std::move(operands), statement.type);
  }

  void plain(const IrStatement& statement) {
    if (statement.kind == Kind::barrier) return add({.kind = LineKind::barrier});
    if (statement.kind == Kind::reduce) return reduce(statement);
    const bool access = statement.kind == Kind::load || statement.kind == Kind::store;
    if (access && statement.indices[0].varies()) slot(Op::lsladd, {"%a", "%i", "2"});
    element(statement);
  }

  // The first tasklet adds the partial results of all other tasklets.
  void reduce(const IrStatement& statement) {
    if (!alone_) {
      add({.kind = LineKind::barrier});
      add({.kind = LineKind::leave});
      alone_ = true;
    }
    const auto partial = checked_multiply(statement.amount, slots_per_partial_result * (statement.parts - 1));
    if (!partial || *partial > max_count) {
      fault_ = "the number of partial results is too large";
      return;
    }
    counted_loop(fmt::format("L{}", ++labels_), *partial);
  }

  const IrKernel& kernel_;
  Listing listing_;
  int labels_ = 0;
  bool alone_ = false;
  std::string fault_;
};

}  // namespace

Lowered<Listing> lower_to_listing(const IrKernel& kernel, Int multiply_k) {
  return Writer(kernel, multiply_k).run();
}

}  // namespace nestor::cnm
