// Builder of a network from named definitions, shared by the Verilog and BLIF readers. A reader names inputs
// and outputs, and defines names with postfix expressions in any order. build() checks that every name is
// defined once and without cycles, orders the definitions, and converts operators to XOR3 and MAJ3 gates. The
// builder does not recurse, so only the file's size limits the nesting.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/tables/hash_table.h"
#include "base/tables/name_store.h"
#include "io/error.h"
#include "io/netlist/postfix.h"
#include "model/simd/logic_network.h"

namespace nestor::io {

/// Line and column, from 1.
struct TextPosition {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

class NetworkBuilder {
 public:
  explicit NetworkBuilder(std::string file) : file_(std::move(file)) {}

  /// Returns the symbol of a name. If the name is new, `where` becomes its first mention.
  SymbolId symbol(std::string_view name, TextPosition where);
  bool is_known(std::string_view name) const { return index_.count(name) != 0; }

  MaybeError add_input(SymbolId symbol, TextPosition where);
  MaybeError add_output(SymbolId symbol, TextPosition where);
  /// Defines a symbol by a well-formed expression, in which every operator except `invert` has at least two
  /// operands.
  MaybeError define(SymbolId symbol, std::span<const PostfixToken> expression, TextPosition where);
  void set_model_name(std::string_view model) { model_name_ = model; }

  Result<simd::LogicNetwork> build();

  Error error(TextPosition where, std::string message) const;

 private:
  enum class State : std::uint8_t { waiting, active, done };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  struct Symbol {
    std::string_view name;  ///< refers to names_
    TextPosition first_mention;
    /// Position of the definition or input declaration of the symbol; line 0 if there is none yet.
    TextPosition driven_at;
    std::uint32_t definition = none;  ///< index into definitions_
    State state = State::waiting;
    bool input = false;
    bool output = false;
    simd::Signal signal;  ///< valid once the state is done
  };
  struct Definition {
    SymbolId symbol = 0;
    std::size_t begin = 0;  ///< range of its tokens in tokens_
    std::size_t end = 0;
  };

  std::span<const PostfixToken> tokens_of(const Definition& definition) const;
  MaybeError mark_driven(SymbolId symbol, TextPosition where);
  MaybeError resolve(SymbolId root);
  void emit(const Definition& definition);
  simd::Signal emit_operators(std::span<const PostfixToken> tokens);
  simd::Signal signal_of(PostfixToken token) const;
  simd::Signal add_gate(simd::GateKind kind, simd::Signal a, simd::Signal b, simd::Signal c);
  void name_gates();

  std::string file_;
  std::string model_name_;
  NameStore names_;
  std::vector<Symbol> symbols_;
  HashMap<std::string_view, SymbolId> index_;
  std::vector<SymbolId> inputs_;
  std::vector<SymbolId> outputs_;
  std::vector<Definition> definitions_;
  std::vector<PostfixToken> tokens_;
  std::vector<SymbolId> pending_;  ///< stack of resolve()
  simd::LogicNetwork network_;
};

}  // namespace nestor::io
