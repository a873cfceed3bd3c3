#include "io/cnm/assembly_trips.h"

#include <fmt/format.h>

namespace nestor::io {
namespace {

using ValueKind = AsmValue::Kind;
using Compared = std::pair<AsmValue, AsmValue>;

constexpr Int longest_loop = Int{1} << 33;

bool is_address(const AsmValue& value) { return value.top_known || value.kind == ValueKind::address; }

bool order_holds(const std::string& word, Int a, Int b) {
  return word == "jeq"                      ? a == b
         : word == "jneq"                   ? a != b
         : word == "jltu" || word == "jlts" ? a < b
         : word == "jleu" || word == "jles" ? a <= b
         : word == "jgtu" || word == "jgts" ? a > b
                                            : a >= b;
}

// Returns the first pass, counted from 0, in which `exits` is true. `exits` must be true either in a single
// pass (a test for equality) or in all passes from some pass on (a test of an order).
template <typename Exits>
std::optional<Int> first_pass(Int start, Int step, Int bound, Exits exits) {
  if (exits(0)) return 0;
  if (step == 0) return std::nullopt;
  if ((bound - start) % step == 0 && (bound - start) / step > 0 && exits((bound - start) / step) &&
      !exits((bound - start) / step - 1) && ((bound - start) / step < 2 || !exits(1)))
    return (bound - start) / step;
  if (!exits(longest_loop)) return std::nullopt;
  Int low = 0, high = longest_loop;
  while (high - low > 1) {
    const Int middle = low + (high - low) / 2;
    (exits(middle) ? high : low) = middle;
  }
  return high;
}

// An exit that compares fixed values is taken in the first pass or never.
std::optional<Int> pass_of_fixed(const AsmInstruction& instruction, const Compared& compared,
                                 bool leaves_by_branch) {
  const auto taken = is_taken(instruction, compared);
  if (taken && *taken == leaves_by_branch) return 0;
  return std::nullopt;
}

std::optional<Int> pass_of_exit(const AsmInstruction& instruction, const Compared& compared,
                                bool leaves_by_branch, const AsmLoopHead& head) {
  const bool swapped = compared.first.kind != ValueKind::induction;
  const AsmValue& moving = swapped ? compared.second : compared.first;
  if (moving.kind != ValueKind::induction) return pass_of_fixed(instruction, compared, leaves_by_branch);
  const auto fixed = (swapped ? compared.first : compared.second).known();
  const auto known = head.inductions().find(moving.base);
  if (!fixed || known == head.inductions().end() || !known->second.start) return std::nullopt;
  const bool compares = instruction.kind == AsmKind::compare;
  const bool is_signed = compares ? instruction.word.ends_with("ts") || instruction.word.ends_with("es")
                                  : instruction.condition == "mi" || instruction.condition == "pl";
  const auto widen = [&](Int value) {
    return is_signed ? Int{static_cast<std::int32_t>(static_cast<std::uint32_t>(value))} : value;
  };
  const Int step = known->second.step;
  const Int start = widen(*known->second.start) + moving.number;
  const Int bound = widen(*fixed);
  return first_pass(start, step, bound, [&](Int pass) {
    const Int value = start + step * pass;
    std::optional<bool> taken;
    if (compares)
      taken = order_holds(instruction.word, swapped ? bound : value, swapped ? value : bound);
    else if (instruction.condition == "z" || instruction.condition == "nz")
      taken = (value == 0) == (instruction.condition == "z");
    else if (is_signed)
      taken = (value < 0) == (instruction.condition == "mi");
    return taken && *taken == leaves_by_branch;
  });
}

}  // namespace

std::optional<bool> is_taken(const AsmInstruction& branch, const std::pair<AsmValue, AsmValue>& compared) {
  if (branch.kind != AsmKind::compare) return condition_holds(branch.condition, compared.first);
  const auto a = compared.first.known(), b = compared.second.known();
  return a && b ? compare_holds(branch.word, *a, *b) : std::nullopt;
}

void AsmLoopHead::may_change(const std::string& name) {
  const AsmValue value = entry_.value(name);
  roles_[name] = value.kind == ValueKind::unknown && !value.top_known ? Role::induction : Role::keeps_value;
}

AsmState AsmLoopHead::state() const {
  AsmState state = entry_;
  for (const auto& [name, role] : roles_) {
    if (role == Role::address) {
      AsmValue value = AsmValue::small();
      value.top = entry_.value(name).top_known ? entry_.value(name).top : 0;
      state.set(name, std::move(value));
    }
    if (role == Role::induction) state.set(name, {ValueKind::induction, 0, name, false, 0});
    if (role == Role::unknown) state.forget(name);
  }
  return state;
}

// Returns true if the value at the end of a pass confirms the role, and otherwise weakens the role. A role is
// never strengthened, so repeated passes terminate.
bool AsmLoopHead::confirm(const std::string& name, Role& role, const AsmValue& at_end) {
  const AsmValue& entry = entry_.value(name);
  switch (role) {
    case Role::keeps_value:
      if (at_end == entry) return true;
      role = is_address(entry) && is_address(at_end) ? Role::address : Role::induction;
      return false;
    case Role::address:
      if (at_end.kind != ValueKind::induction && at_end.size_field() == (entry.top_known ? entry.top : 0))
        return true;
      role = Role::unknown;
      return false;
    case Role::induction:
      if (at_end.kind == ValueKind::induction && at_end.base == name) {
        inductions_[name] = {entry.known(), at_end.number};
        return true;
      }
      role = Role::unknown;
      return false;
    case Role::unknown:
      break;
  }
  return true;
}

bool AsmLoopHead::holds_after(const AsmState& end) {
  inductions_.clear();
  const AsmState head = state();
  // Adds names whose changes only the pass reveals: registers changed by called functions, and slots used for
  // the first time.
  for (const auto* side : {&end, &head})
    for (const auto& [name, value] : side->values())
      if (!roles_.contains(name) && end.value(name) != head.value(name)) may_change(name);
  bool holds = true;
  for (auto& [name, role] : roles_) holds &= confirm(name, role, end.value(name));
  return holds;
}

AsmState AsmLoopHead::after(const AsmState& end, Int trips) const {
  AsmState state = end;
  for (const auto& [name, value] : end.values()) {
    if (value.kind != ValueKind::induction) continue;
    const auto known = inductions_.find(value.base);
    if (known == inductions_.end()) continue;
    const auto& [start, step] = known->second;
    state.set(name, start ? AsmValue::of(*start + step * (trips - 1) + value.number) : AsmValue{});
  }
  return state;
}

AsmExit first_exit(const AsmText& text, const AsmFlow& flow, const AsmLoop& loop, const AsmLoopHead& head) {
  AsmExit exit;
  for (const auto& [at, compared] : head.exits) {
    const std::size_t branch = flow.next(at)[0];
    const bool leaves_by_branch = branch == AsmFlow::outside || !loop.inside[branch];
    const auto pass = pass_of_exit(text.code[at], compared, leaves_by_branch, head);
    if (!pass || (exit.leave_at != AsmFlow::outside && *pass + 1 >= exit.trips)) continue;
    exit = {*pass + 1, at};
  }
  return exit;
}

std::size_t nearest_exit(const AsmText& text, const AsmFlow& flow, const AsmLoop& loop,
                         const AsmLoop* outer) {
  std::size_t best = AsmFlow::outside;
  int best_rank = -1;
  for (std::size_t i = 0; i < text.code.size(); ++i) {
    if (!loop.inside[i] || !flow.branches(i)) continue;
    for (const std::size_t to : flow.next(i)) {
      if (to != AsmFlow::outside && loop.inside[to]) continue;
      const int rank = to == AsmFlow::outside ? 0 : outer != nullptr && outer->inside[to] ? 2 : 1;
      if (rank > best_rank || (rank == best_rank && flow.innermost(i) == &loop)) {
        best = i;
        best_rank = rank;
      }
    }
  }
  return best;
}

std::map<std::string, std::optional<Int>> reloaded_slots(const AsmText& text, const AssemblyFacts& facts) {
  std::map<std::string, std::optional<Int>> slots;
  HashSet<std::string> written, differing;
  const auto slot_of = [](const AsmInstruction& i, std::size_t base) {
    const bool on_stack =
        i.operands[base].text == "r22" && i.operands[base + 1].kind == AsmOperand::Kind::number;
    return on_stack ? fmt::format("[{}]", i.operands[base + 1].number) : std::string();
  };
  for (const AsmInstruction& i : text.code) {
    if (i.kind == AsmKind::operation && i.operands[0].text == "r22") return {};
    if (i.kind == AsmKind::store) written.insert(slot_of(i, 0));
    if (i.kind != AsmKind::load || i.operands[0].kind != AsmOperand::Kind::reg) continue;
    const auto slot = slot_of(i, 1);
    if (slot.empty()) continue;
    const auto given = facts.registers.find(i.operands[0].text);
    const auto value = given == facts.registers.end() ? std::nullopt : std::optional(given->second);
    const auto [known, added] = slots.emplace(slot, value);
    if (!added && known->second != value) differing.insert(slot);
  }
  for (const auto& slot : written) slots.erase(slot);
  for (const auto& slot : differing)
    if (slots.contains(slot)) slots[slot] = std::nullopt;
  return slots;
}

}  // namespace nestor::io
