// Known contents of a DPU's registers and stack slots during the analysis of a kernel: numbers, addresses of
// symbols, induction registers of the current loop, or only the top byte, which contains the size of a
// transfer. Private to io/cnm.
#pragma once

#include <optional>
#include <string>

#include "base/tables/hash_table.h"
#include "io/cnm/assembly.h"
#include "io/cnm/assembly_text.h"

namespace nestor::io {

struct AsmValue {
  enum class Kind : std::uint8_t { unknown, number, address, induction } kind = Kind::unknown;
  Int number = 0;      ///< the number, the offset from the symbol, or the sum added since the loop's head
  std::string base{};  ///< name of the symbol or of the induction register
  /// True if the lower 24 bits of the value are an unknown address, and its upper eight bits are `top`.
  bool top_known = false;
  Int top = 0;

  static AsmValue of(Int number);
  static AsmValue at(std::string base, Int offset);
  /// Returns an unknown address below 2^24.
  static AsmValue small();
  std::optional<Int> known() const;
  /// Returns the size field of a transfer that uses this value.
  std::optional<Int> size_field() const;
  friend bool operator==(const AsmValue&, const AsmValue&) = default;
};

class AsmState {
 public:
  /// `text` must outlive the state.
  AsmState(const AssemblyFacts& facts, const AsmText& text);

  AsmValue get(const AsmOperand& operand) const;
  void set(const std::string& name, AsmValue value) { values_[name] = std::move(value); }
  const HashMap<std::string, AsmValue>& values() const { return values_; }
  AsmValue value(const std::string& name) const;
  void forget(const std::string& name) { values_.erase(name); }

  /// Returns the target function of a call or jump through a register; empty if unknown.
  std::string function(const AsmOperand& operand) const;
  /// Executes one instruction. Adds the registers and stack slots that it writes to `names`, unless `names`
  /// is null.
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

/// Checks that the labels of `facts.trips` are in the text, and that the names in `facts.registers` are those
/// of registers ("r14") or stack slots ("r22-24").
MaybeError check_facts(const AssemblyFacts& facts, const AsmText& text, const std::string& file);

/// Returns whether an operation's result satisfies its condition; nothing if the result is unknown.
std::optional<bool> condition_holds(const std::string& condition, const AsmValue& result);
/// Returns whether a compare ("jltu") branches.
std::optional<bool> compare_holds(const std::string& word, Int a, Int b);

}  // namespace nestor::io
