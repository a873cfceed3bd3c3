#include "check/cnm/contract_tree.h"

#include <algorithm>

namespace nestor::check::cnm {
namespace {

using What = TreeItem::What;
constexpr std::size_t most_depth = 16;  // maximum nesting of loops
constexpr Wide most_slots = Wide{1} << 50;

void require_depth(const Tree& tree, std::size_t depth) {
  if (depth > most_depth) throw Unreadable("loops of its program are nested too deeply");
  for (const TreeItem& item : tree)
    if (item.what == What::loop && item.amount > 0) require_depth(item.body, depth + 1);
}

bool has_requests(const TreeItem& item) {
  if (item.what == What::loop)
    return item.amount > 0 && std::any_of(item.body.begin(), item.body.end(), has_requests);
  return item.what != What::slots;
}
Wide slots_in(const Tree& tree) {
  Wide slots = 0;
  for (const TreeItem& item : tree)
    slots = plus(slots,
                 item.what == What::loop ? times(slots_in(item.body), Wide{item.amount}) : Wide{item.amount});
  return slots;
}

class Flattener {
 public:
  Flattener(const CnmMachine& machine, Int tasklets) : machine_(machine), tasklets_(tasklets) {}

  Program run(const Tree& tree) {
    require_depth(tree, 0);
    add(tree, 0);
    set_bounds(machine_, shared_, alone_, tasklets_, program_);
    return std::move(program_);
  }

 private:
  void put(What what, Int amount, std::size_t start = 0, std::size_t loop = 0) {
    if (pending_ > 0) {
      if (pending_ > most_slots) throw TooLarge();
      program_.steps.push_back({What::slots, static_cast<Int>(pending_), 0, 0});
      sums_->slots = plus(sums_->slots, times(times_, pending_));
      pending_ = 0;
    }
    if (what != What::slots) program_.steps.push_back({what, amount, start, loop});
  }

  // Adds the items inside the loop with the number `around` - 1, or outside all loops if `around` is 0.
  void add(const Tree& tree, std::size_t around) {
    for (const TreeItem& item : tree) {
      if (item.what == What::slots) {
        pending_ = plus(pending_, Wide{item.amount});
      } else if (item.what == What::loop) {
        if (has_requests(item))
          add_loop(item, around);
        else
          pending_ = plus(pending_, times(slots_in(item.body), Wide{item.amount}));
      } else {
        put(item.what, item.amount);
        if (item.what == What::leave && around > 0) throw Unreadable("'leave' in a loop of its program");
        if (item.what == What::leave) sums_ = &alone_;
        if (item.what == What::read || item.what == What::write)
          sums_->add_transfer(machine_, item.what == What::read, item.amount, times_);
      }
    }
    put(What::slots, 0);
  }
  void add_loop(const TreeItem& item, std::size_t around) {
    put(What::slots, 0);
    const std::size_t number = program_.loops.size(), start = program_.steps.size();
    program_.loops.push_back({item.amount, around, true});
    if (around > 0) program_.loops[around - 1].is_innermost = false;
    const Wide outside = times_;
    times_ = times(times_, Wide{item.amount});
    add(item.body, number + 1);
    times_ = outside;
    put(What::loop, 0, start, number);
  }

  const CnmMachine& machine_;
  const Int tasklets_;
  StepSums shared_, alone_;
  StepSums* sums_ = &shared_;
  Program program_;
  Wide pending_ = 0, times_ = 1;
};

// True if the machine's slots are those of the table: one per instruction, and 8 + k per product.
bool has_slots_of_table(const std::string& type, const CnmMachine& machine, const Json& calls) {
  const auto is_one = [&](const std::string& operation) {
    const auto found = machine.slots.find(operation);
    return found != machine.slots.end() && found->second == SlotCost{1};
  };
  for (const char* operation : {"move.index", "add.index", "lsladd.index", "shr.index", "and.index"})
    if (!is_one(operation)) return false;
  for (const auto& of : {type, std::string("i32")})
    if (!is_one("load." + of) || !is_one("store." + of)) return false;
  return calls.contains("__mulsi3") && calls["__mulsi3"] == "8 + k";
}

}  // namespace

Program program_of(const Tree& tree, const CnmMachine& machine, Int tasklets) {
  return Flattener(machine, tasklets).run(tree);
}

Tree read_tree(const Json& items) {
  constexpr std::array<const char*, 6> words = {"slots", "read", "write", "barrier", "leave", "loop"};
  Tree tree;
  if (!items.is_array()) throw Unreadable("its program is not a list");
  for (const Json& item : items) {
    const auto word =
        item.is_array() && item.size() > 1 ? std::find(words.begin(), words.end(), item[0]) : words.end();
    if (word == words.end()) throw Unreadable("its program has an unknown item");
    tree.push_back(
        {static_cast<What>(word - words.begin()), integer(item[1], 0, "an amount of its program")});
    if (item.size() != (tree.back().what == What::loop ? 3U : 2U))
      throw Unreadable("an item of its program has a wrong number of parts");
    if (item.size() == 3) tree.back().body = read_tree(item[2]);
  }
  return tree;
}

std::optional<Tree> library_program(const LibraryCall& call, const CnmMachine& machine, const Json& calls) {
  if (!has_slots_of_table(call.type, machine, calls)) return std::nullopt;
  const Int n = call.elements, s = bytes_of(call.type), bytes = times(n, s);
  const auto slots = [](auto... terms) { return TreeItem{What::slots, plus(terms...)}; };
  const auto of = [n](Int each) { return times(each, n); };
  const TreeItem read{What::read, bytes}, write{What::write, bytes};
  Tree tree = {{What::barrier}, slots(Int{240})};
  const auto put = [&tree](const Tree& more) { tree.insert(tree.end(), more.begin(), more.end()); };
  const auto loop = [&](const Tree& body) { return TreeItem{What::loop, call.iterations, body}; };
  if (call.name == "hst") {
    put({slots(64 * s),
         loop({slots(Int{3}), read, slots(Int{2}, of(18 + call.multiply_k), Int{4})}),
         slots(Int{5}),
         {What::write, 256 * s}});
  } else if (call.name == "sel") {
    const Int kept = n / 2;  // every second element is kept; the first is not
    put({loop({slots(Int{3}),
               read,
               slots(Int{3}, of(4), times(Int{3}, kept), Int{4}),
               write,
               {What::write, 4 * s},
               slots(Int{5})})});
  } else if (call.name == "scan") {
    put({loop({slots(Int{3}), read, slots(Int{2}, of(4), Int{3})}),
         {What::barrier},
         slots(5 * call.tasklets),
         loop({slots(Int{3}), read, slots(Int{1}, of(6), Int{3}), write, slots(Int{4})})});
  } else {
    return std::nullopt;
  }
  return tree;
}

}  // namespace nestor::check::cnm
