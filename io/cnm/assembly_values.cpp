#include "io/cnm/assembly_values.h"

#include <fmt/format.h>

#include "io/checked_reader.h"

namespace nestor::io {
namespace {

constexpr Int word_mask = 0xffffffff;
constexpr Int small_limit = Int{1} << 24;

Int as_signed(Int value) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(value)); }
Int wrap(Int value) { return value & word_mask; }

std::string slot_name(Int offset) { return fmt::format("[{}]", offset); }
std::string reg_name(Int number) { return fmt::format("r{}", number); }

// Returns the internal name of a stack slot that --regs specifies as "r22-24"; nothing for any other name.
std::optional<std::string> given_slot(const std::string& name) {
  if (!name.starts_with("r22-") && !name.starts_with("r22+")) return std::nullopt;
  const auto offset = to_integer(std::string_view(name).substr(name[3] == '+' ? 4 : 3));
  return offset && *offset > -1'000'000 && *offset < 1'000'000 ? std::optional(slot_name(*offset))
                                                               : std::nullopt;
}

AsmValue add(const AsmValue& a, const AsmValue& b, Int sign) {
  using Kind = AsmValue::Kind;
  if (a.known() && b.known()) return AsmValue::of(*a.known() + sign * *b.known());
  if (b.kind == Kind::number && (a.kind == Kind::address || a.kind == Kind::induction)) {
    AsmValue result = a;
    result.number += sign * as_signed(b.number);
    return result;
  }
  if (sign > 0 && a.kind == Kind::number && (b.kind == Kind::address || b.kind == Kind::induction))
    return add(b, a, 1);
  // Adds a number to an address below 2^24: the lower 24 bits remain an address, and the number's top byte is
  // added.
  const AsmValue* address = a.top_known || a.kind == Kind::address   ? &a
                            : b.top_known || b.kind == Kind::address ? &b
                                                                     : nullptr;
  if (address == nullptr) return {};
  const AsmValue& other = address == &a ? b : a;
  if (other.kind == Kind::number && (sign > 0 || address == &a)) {
    AsmValue result = AsmValue::small();
    const Int top = address->top_known ? address->top : 0;
    const Int low = as_signed(other.number) % small_limit;
    const bool within = low >= 0 ? other.number < small_limit : as_signed(other.number) > -small_limit;
    result.top = (top + (within ? 0 : sign * (wrap(other.number) >> 24))) & 255;
    return result;
  }
  return {};
}

}  // namespace

AsmValue AsmValue::of(Int number) { return {Kind::number, wrap(number), {}, false, 0}; }
AsmValue AsmValue::at(std::string base, Int offset) {
  return {Kind::address, offset, std::move(base), false, 0};
}
AsmValue AsmValue::small() { return {Kind::unknown, 0, {}, true, 0}; }

std::optional<Int> AsmValue::known() const {
  if (kind == Kind::number) return number;
  return std::nullopt;
}

std::optional<Int> AsmValue::size_field() const {
  if (kind == Kind::number) return number >> 24;
  if (top_known) return top;
  if (kind == Kind::address) return 0;
  return std::nullopt;
}

AsmState::AsmState(const AssemblyFacts& facts, const AsmText& text)
    : text_(&text), arguments_symbol_(facts.arguments_symbol) {
  // By default, the registers of a fragment contain addresses of buffers.
  for (Int number = 0; number <= 23; ++number) values_[reg_name(number)] = AsmValue::small();
  values_["r22"] = AsmValue::at("stack", 0);
  for (const auto& [name, value] : facts.registers)
    values_[given_slot(name).value_or(name)] = AsmValue::of(value);
}

MaybeError check_facts(const AssemblyFacts& facts, const AsmText& text, const std::string& file) {
  for (const auto& [label, trips] : facts.trips)
    if (!text.labels.contains(label))
      return usage_error(fmt::format("--trips: no label '{}' in {}", label, file));
  for (const auto& [label, share] : facts.shares)
    if (!text.labels.contains(label))
      return usage_error(fmt::format("--branch: no label '{}' in {}", label, file));
  for (const auto& [name, value] : facts.registers) {
    bool is_place = given_slot(name).has_value();
    for (Int number = 0; number <= 23; ++number) is_place = is_place || name == reg_name(number);
    if (!is_place)
      return usage_error(
          fmt::format("--regs: expected r0 to r23, or a stack slot such as r22-24, found {}", quote(name)));
  }
  return std::nullopt;
}

AsmValue AsmState::value(const std::string& name) const {
  const auto known = values_.find(name);
  return known == values_.end() ? AsmValue{} : known->second;
}

AsmValue AsmState::get(const AsmOperand& operand) const {
  switch (operand.kind) {
    case AsmOperand::Kind::number:
      return AsmValue::of(operand.number);
    case AsmOperand::Kind::symbol:
      return AsmValue::at(operand.text, operand.number);
    case AsmOperand::Kind::pair:
      return {};
    case AsmOperand::Kind::reg:
      break;
  }
  if (operand.text == "one") return AsmValue::of(1);
  if (operand.text == "lneg" || operand.text == "mneg") return {};
  if (operand.text[0] != 'r') return AsmValue::of(0);  // zero, or a multiple of tasklet 0's id
  return value(operand.text);
}

std::string AsmState::function(const AsmOperand& operand) const {
  const AsmValue target = get(operand);
  return target.kind == AsmValue::Kind::address && target.number == 0 ? target.base : std::string();
}

void AsmState::write(const AsmOperand& target, AsmValue value, HashSet<std::string>* names) {
  if (target.kind == AsmOperand::Kind::pair) {
    for (const Int number : {target.number, target.number + 1}) {
      forget(reg_name(number));
      if (names != nullptr) names->insert(reg_name(number));
    }
    return;
  }
  if (target.text[0] != 'r') return;
  if (names != nullptr) names->insert(target.text);
  values_[target.text] = std::move(value);
}

void AsmState::load(const AsmInstruction& i, const AssemblyFacts& facts, HashSet<std::string>* names) {
  const AsmValue place = add(get(i.operands[1]), get(i.operands[2]), 1);
  AsmValue loaded;
  if (place.kind == AsmValue::Kind::address && i.operands[0].kind == AsmOperand::Kind::reg) {
    const auto table = text_->functions.find(place.base);
    if (place.base == "stack") {
      loaded = value(slot_name(place.number));
    } else if (table != text_->functions.end()) {
      const auto entry = table->second.find(place.number);
      if (i.word == "lw" && entry != table->second.end()) loaded = AsmValue::at(entry->second, 0);
    } else {
      if (arguments_symbol_.empty() && !facts.arguments.empty()) arguments_symbol_ = place.base;
      const Int index = place.number / 4;
      if (place.base == arguments_symbol_ && i.word == "lw" && place.number >= 0 && place.number % 4 == 0 &&
          index < static_cast<Int>(facts.arguments.size()))
        loaded = AsmValue::of(facts.arguments[static_cast<std::size_t>(index)]);
    }
  }
  if (i.operands[0].kind == AsmOperand::Kind::pair && place.kind == AsmValue::Kind::address &&
      place.base == "stack") {
    const Int number = i.operands[0].number;
    write(i.operands[0], {}, names);
    values_[reg_name(number)] = value(slot_name(place.number + 4));
    values_[reg_name(number + 1)] = value(slot_name(place.number));
    return;
  }
  write(i.operands[0], loaded, names);
}

void AsmState::store(const AsmInstruction& i, HashSet<std::string>* names) {
  const AsmValue place = add(get(i.operands[0]), get(i.operands[1]), 1);
  if (place.kind != AsmValue::Kind::address || place.base != "stack") return;
  const auto put = [&](Int offset, AsmValue value) {
    values_[slot_name(offset)] = std::move(value);
    if (names != nullptr) names->insert(slot_name(offset));
  };
  if (i.operands[2].kind == AsmOperand::Kind::pair) {
    put(place.number + 4, value(reg_name(i.operands[2].number)));
    put(place.number, value(reg_name(i.operands[2].number + 1)));
  } else {
    put(place.number, i.word == "sw" ? get(i.operands[2]) : AsmValue{});
  }
}

void AsmState::call(const AsmInstruction& i, HashSet<std::string>* names) {
  const std::string function = this->function(i.operands[1]);
  const auto a = value("r0").known(), b = value("r1").known();
  for (Int r = 0; r <= 13; ++r) {
    forget(reg_name(r));
    if (names != nullptr) names->insert(reg_name(r));
  }
  if (names != nullptr) names->insert("r23");
  if (function == "__mulsi3" && a && b)
    values_["r0"] = AsmValue::of(
        static_cast<Int>(static_cast<std::uint64_t>(*a) * static_cast<std::uint64_t>(*b) & word_mask));
  if (function == "__udiv32" && a && b && *b != 0) {
    values_["r0"] = AsmValue::of(*a / *b);
    values_["r1"] = AsmValue::of(*a % *b);
  }
  if (function == "mem_alloc") values_["r0"] = AsmValue::small();
}

void AsmState::apply(const AsmInstruction& i, const AssemblyFacts& facts, HashSet<std::string>* names) {
  switch (i.kind) {
    case AsmKind::load:
      return load(i, facts, names);
    case AsmKind::store:
      return store(i, names);
    case AsmKind::call:
      return call(i, names);
    case AsmKind::operation:
      break;
    default:
      return;
  }
  const std::string& w = i.word;
  const AsmValue a = get(i.operands[1]);
  const AsmValue b = i.operands.size() > 2 ? get(i.operands[2]) : AsmValue{};
  if (w == "move") return write(i.operands[0], a, names);
  if (w == "add" || w == "sub") return write(i.operands[0], add(a, b, w == "add" ? 1 : -1), names);
  const auto x = a.known(), y = b.known();
  if (w == "lsl_add" || w == "lsl_sub" || w == "lsr_add") {
    const Int places = i.operands.size() > 3 ? get(i.operands[3]).known().value_or(-1) : -1;
    if (!y || places < 0 || places > 31) return write(i.operands[0], {}, names);
    const AsmValue shifted = AsmValue::of(w == "lsr_add" ? *y >> places : *y << places);
    return write(i.operands[0], add(a, shifted, w == "lsl_sub" ? -1 : 1), names);
  }
  if (w == "or" && ((x && *x == 0) || (y && *y == 0)))
    return write(i.operands[0], x && *x == 0 ? b : a, names);
  AsmValue result;
  if (x && y) {
    const Int shift = *y & 31;
    if (w == "rsub") result = AsmValue::of(*y - *x);
    if (w == "and") result = AsmValue::of(*x & *y);
    if (w == "andn") result = AsmValue::of(~*x & *y);
    if (w == "or") result = AsmValue::of(*x | *y);
    if (w == "xor") result = AsmValue::of(*x ^ *y);
    if (w == "lsl") result = AsmValue::of(*x << shift);
    if (w == "lsr") result = AsmValue::of(*x >> shift);
    if (w == "asr") result = AsmValue::of(as_signed(*x) >> shift);
    if (w == "mul_ul_ul") result = AsmValue::of((*x & 0xffff) * (*y & 0xffff));
  } else if (x && i.operands.size() == 2) {
    if (w == "extub") result = AsmValue::of(*x & 0xff);
    if (w == "extuh") result = AsmValue::of(*x & 0xffff);
    if (w == "extsb") result = AsmValue::of(static_cast<std::int8_t>(*x & 0xff));
    if (w == "extsh") result = AsmValue::of(static_cast<std::int16_t>(*x & 0xffff));
  }
  write(i.operands[0], result, names);
}

std::optional<bool> condition_holds(const std::string& condition, const AsmValue& result) {
  if (condition == "true") return true;
  const auto value = result.known();
  if (!value) return std::nullopt;
  if (condition == "z") return *value == 0;
  if (condition == "nz") return *value != 0;
  if (condition == "mi") return as_signed(*value) < 0;
  if (condition == "pl") return as_signed(*value) >= 0;
  if (condition == "e") return *value % 2 == 0;
  if (condition == "o") return *value % 2 != 0;
  return std::nullopt;
}

std::optional<bool> compare_holds(const std::string& word, Int a, Int b) {
  const Int x = as_signed(a), y = as_signed(b);
  a = wrap(a);
  b = wrap(b);
  if (word == "jeq") return a == b;
  if (word == "jneq") return a != b;
  if (word == "jltu") return a < b;
  if (word == "jleu") return a <= b;
  if (word == "jgtu") return a > b;
  if (word == "jgeu") return a >= b;
  if (word == "jlts") return x < y;
  if (word == "jles") return x <= y;
  if (word == "jgts") return x > y;
  if (word == "jges") return x >= y;
  return std::nullopt;
}

}  // namespace nestor::io
