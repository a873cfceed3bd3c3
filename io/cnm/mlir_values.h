// Values of an MLIR function while it is read: the meaning of every name, the content of every buffer, and
// the operations so far, which become a program. Private to io/cnm.
//
// Each tensor or buffer is a store with a content; a view is another name of a store. An operation that
// writes to a store creates a new content. A fill whose result is only overwritten is free; it is not an
// operation of the program.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/cnm/lexer.h"
#include "io/cnm/mlir_types.h"
#include "model/cnm/kernel_program.h"

namespace nestor::io {

/// The store and type that a name refers to.
struct SsaValue {
  std::size_t store = 0;
  ShapedType type;  ///< type under this name, without open extents
};

/// Returns a unique name for an operand of a kernel: the value's name without `%`, with `_` for `#`.
std::string operand_name(const cnm::Kernel& kernel, std::string_view value);

class MlirValues {
 public:
  MlirValues(Lexer& lexer, const std::map<std::string, ShapedType>& shapes)
      : lexer_(lexer), shapes_(shapes) {}

  /// Reads a name, with the "#" suffix of an operation that has several results.
  static Token take_name(Lexer& lexer, std::string& name);

  void define_argument(const Token& token, ShapedType type);
  void define_constant(const Token& token, const ShapedType& type, std::string text);
  /// Defines a constant whose elements are stored in a global, as memref.get_global does.
  void define_global(const Token& token, const ShapedType& type);
  /// Defines the result of tensor.empty or memref.alloc; `sizes` are the values of the open extents.
  void define_empty(const Token& token, ShapedType type, const std::vector<SsaValue>& sizes);
  /// Defines a known number, such as the result of tensor.dim.
  void define_number(const Token& token, Int number);
  /// Defines another name of the store of `source`.
  void define_view(const Token& token, const Token& source, ShapedType type, bool reshapes);

  bool is_known(const std::string& name) const { return names_.contains(name); }
  /// Returns the value of a name; reports an error if it is unknown.
  SsaValue find(const Token& token, const std::string& name);
  /// Returns the text of a scalar constant, or null if the name is not one.
  const std::string* number_of(const std::string& name) const;
  std::optional<cnm::Type> element_of(const std::string& name) const;
  std::vector<std::string_view> names() const;
  bool is_empty(const SsaValue& value) const { return !stores_[value.store].content.has_value(); }
  bool is_number(const SsaValue& value) const { return stores_[value.store].number.has_value(); }
  const std::string& number(const SsaValue& value) const { return *stores_[value.store].number; }

  struct Written {
    SsaValue output;
    std::string result;  ///< name that the operation defines; empty for memrefs
    bool read = false;   ///< the operation uses the previous content of the output
  };
  /// Adds the next operation of the text. `inputs` contains the values of the kernel's input operands.
  void add_operation(const SourceLocation& where, cnm::ProgramOperation operation,
                     const std::vector<SsaValue>& inputs, const std::vector<Written>& outputs, bool fill);
  void return_value(const SsaValue& value);

  struct Finished {
    cnm::KernelProgram program;
    std::vector<SourceLocation> places;  ///< positions of the operations
  };
  /// Returns the function as a program, with operations named `function`.1, .2, ...
  Finished finish(const std::string& function);

 private:
  struct Store {
    std::string name;
    ShapedType type;
    bool argument = false;
    bool constant = false;
    std::optional<std::size_t> content;  ///< index of the value in the store
    std::optional<std::string> number;   ///< text of a scalar constant
  };
  struct Value {
    std::size_t store = 0;
    std::optional<std::size_t> maker;  ///< index of the operation that writes the value
    bool used = false;
  };
  struct Draft {
    cnm::ProgramOperation operation;
    SourceLocation where;
    bool fill = false;
    bool covered = false;  ///< a later operation overwrites the result
    bool read = false;
  };

  void close(const Token& token, const ShapedType& type);
  std::size_t add_store(const Token& token, Store store);
  std::size_t use(std::size_t store);
  std::size_t add_value(std::size_t store, std::optional<std::size_t> maker);
  bool is_dropped(std::size_t operation) const {
    return drafts_[operation].fill && drafts_[operation].covered && !drafts_[operation].read;
  }
  std::vector<std::size_t> place_values(cnm::KernelProgram& program);

  Lexer& lexer_;
  const std::map<std::string, ShapedType>& shapes_;  ///< from --shape
  std::map<std::string, SsaValue> names_;            // sorted by name for suggestions
  std::vector<Store> stores_;
  std::vector<Value> values_;
  std::vector<Draft> drafts_;
  std::vector<std::size_t> returned_;
};

}  // namespace nestor::io
