#include "model/cnm/second_reading/code_slots.h"

#include <algorithm>

namespace nestor::cnm::second {
namespace {

using What = Node::What;

template <typename Test>
void visit(const Code& code, const Test& test) {
  for (const Node& node : code) {
    test(node);
    visit(node.body, test);
  }
}

template <typename Test>
std::set<std::size_t> operands_where(const Code& code, const Test& test) {
  std::set<std::size_t> found;
  visit(code, [&](const Node& node) {
    if (test(node)) found.insert(node.operand);
  });
  return found;
}

// Converter of code to the slots and transfers that the vendor's compiler generates. It also counts
// instructions.
class Slots {
 public:
  explicit Slots(Int& count) : instructions_(count) {}

  Program of(const Code& code) {
    Program out;
    bool among_transfers = false;
    for (const Node& node : code) {
      if (node.transfers()) {
        add(out, among_transfers ? 1 : 3);
        among_transfers = true;
        out.push_back(node.what == What::read ? read(node.amount) : write(node.amount));
        ++instructions_;
        continue;
      }
      among_transfers = false;
      if (node.what == What::loop) {
        of_loop(out, node);
      } else {
        if (node.accesses() && !node.vars.empty()) add(out, 1);
        add(out, node.amount, 1);
      }
    }
    return out;
  }

 private:
  void add(Program& out, Int count) { add(out, count, count); }
  void add(Program& out, Int count, Int lines) {
    out.push_back(slots(count));
    instructions_ += lines;
  }

  void of_loop(Program& out, const Node& node) {
    bool transfers = false, loops = false;
    visit(node.body, [&](const Node& inner) {
      transfers |= inner.transfers();
      loops |= inner.what == What::loop;
    });
    if (transfers || loops) {
      Program body = of(node.body);
      const auto moved = operands_where(node.body, [&](const Node& inner) {
        return (transfers ? inner.transfers() : inner.accesses()) && inner.vars.contains(node.variable);
      });
      add(body, static_cast<Int>(moved.size()) + 2);
      out.push_back(loop(node.amount, std::move(body)));
      return;
    }
    const auto places = static_cast<Int>(
        operands_where(node.body, [](const Node& inner) { return inner.accesses(); }).size());
    const bool indexed = std::any_of(node.body.begin(), node.body.end(),
                                     [](const Node& inner) { return inner.what == What::store; });
    add(out, indexed ? 1 : places + 1);
    Program body;
    for (const Node& inner : node.body) add(body, inner.amount, 1);
    add(body, places + (indexed ? 2 : 1));
    out.push_back(loop(node.amount, std::move(body)));
  }

  Int& instructions_;
};

}  // namespace

Program slots_of(const Code& code, Int& instructions) { return Slots(instructions).of(code); }

}  // namespace nestor::cnm::second
