// Known contents of a DPU's registers and stack slots while a kernel is read: numbers, addresses of symbols,
// induction registers of the current loop, or only the top byte (which holds the size of a transfer). Private
// to io/cnm.
#pragma once

#include <optional>
#include <string>

#include "base/tables/hash_table.h"
#include "io/cnm/assembly.h"
#include "io/cnm/assembly_text.h"

namespace nestor::io {

struct AsmValue {
  enum class Kind : std::uint8_t { unknown, number, address, induction } kind = Kind::unknown;
  Int number = 0;          ///< the number; the offset from the symbol; what was added since the loop's head
  std::string base{};      ///< symbol, or the induction register's name
  bool top_known = false;  ///< the lower 24 bits are some address, the upper eight are `top`
  Int top = 0;

  static AsmValue of(Int number);
  static AsmValue at(std::string base, Int offset);
  /// An address below 2^24.
  static AsmValue small();
  std::optional<Int> known() const;
  /// The size field of a transfer from it.
  std::optional<Int> size_field() const;
  friend bool operator==(const AsmValue&, const AsmValue&) = default;
};

class AsmState {
 public:
  /// `text` outlives it.
  AsmState(const AssemblyFacts& facts, const AsmText& text);

  AsmValue get(const AsmOperand& operand) const;
  void set(const std::string& name, AsmValue value) { values_[name] = std::move(value); }
  const HashMap<std::string, AsmValue>& values() const { return values_; }
  AsmValue value(const std::string& name) const;
  void forget(const std::string& name) { values_.erase(name); }

  /// The function that a call or a jump through a register leads to; empty if it is not known.
  std::string function(const AsmOperand& operand) const;
  /// Carries out one instruction; `names` gathers what it writes if it is not null.
  void apply(const AsmInstruction& instruction, const AssemblyFacts& facts, HashSet<std::string>* names);

 private:
  void write(const AsmOperand& target, AsmValue value, HashSet<std::string>* names);
  void load(const AsmInstruction& instruction, const AssemblyFacts& facts, HashSet<std::string>* names);
  void store(const AsmInstruction& instruction, HashSet<std::string>* names);
  void call(const AsmInstruction& instruction, HashSet<std::string>* names);

  const AsmText* text_;
  HashMap<std::string, AsmValue> values_;  ///< registers as "r5", stack slots as "[-24]"
  std::string arguments_symbol_;
};

/// That labels of `facts` are in the text, and registers are some: "r14", or the stack slot "r22-24".
MaybeError check_facts(const AssemblyFacts& facts, const AsmText& text, const std::string& file);

/// What the flags of an operation's result say of its condition; nothing if the result is not known.
std::optional<bool> condition_holds(const std::string& condition, const AsmValue& result);
/// Of a compare ("jltu"): does it branch?
std::optional<bool> compare_holds(const std::string& word, Int a, Int b);

}  // namespace nestor::io
