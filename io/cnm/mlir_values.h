// The values of an MLIR function while it is read: what every name stands for, what every buffer holds, and
// the operations so far, which become a program. Private to io/cnm.
//
// A tensor, and a buffer, is a store with a content; a view is another name of its store. An operation that
// writes a store gives it a new content. A fill whose result other operations only write over is free, and
// no operation of the program.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/cnm/lexer.h"
#include "io/cnm/mlir_types.h"
#include "model/cnm/kernel_program.h"

namespace nestor::io {

/// What a name stands for.
struct NamedValue {
  std::size_t store = 0;
  ShapedType type;  ///< under this name, without open extents
};

/// A name for an operand of a kernel that no other one has: the value's, without signs.
std::string operand_name(const cnm::Kernel& kernel, std::string_view value);

class MlirValues {
 public:
  MlirValues(Lexer& lexer, const std::map<std::string, ShapedType>& shapes)
      : lexer_(lexer), shapes_(shapes) {}

  /// A name, with what "#" adds where an operation has several results.
  static Token take_name(Lexer& lexer, std::string& name);

  void define_argument(const Token& token, ShapedType type);
  void define_constant(const Token& token, const ShapedType& type, std::string text);
  /// A constant whose elements are elsewhere, as memref.get_global.
  void define_global(const Token& token, const ShapedType& type);
  /// tensor.empty or memref.alloc; `sizes` name the open extents.
  void define_empty(const Token& token, ShapedType type, const std::vector<NamedValue>& sizes);
  /// A number that is known, as tensor.dim gives one.
  void define_number(const Token& token, Int number);
  /// Another name of what `source` stands for.
  void define_view(const Token& token, const Token& source, ShapedType type, bool reshapes);

  bool is_known(const std::string& name) const { return names_.contains(name); }
  /// What the name stands for; fails if nothing.
  NamedValue find(const Token& token, const std::string& name);
  /// The text of a scalar constant.
  const std::string* number_of(const std::string& name) const;
  std::optional<cnm::Type> element_of(const std::string& name) const;
  std::vector<std::string_view> names() const;
  bool is_empty(const NamedValue& value) const { return !stores_[value.store].content.has_value(); }
  bool is_number(const NamedValue& value) const { return stores_[value.store].number.has_value(); }
  const std::string& number(const NamedValue& value) const { return *stores_[value.store].number; }

  struct Written {
    NamedValue output;
    std::string result;  ///< of an operation on tensors: the name that it defines
    bool read = false;   ///< the operation uses what the output holds
  };
  /// An operation in text order. `inputs`: by operand of the kernel, without its outputs.
  void add_operation(const SourceLocation& where, cnm::ProgramOperation operation,
                     const std::vector<NamedValue>& inputs, const std::vector<Written>& outputs, bool fill);
  void return_value(const NamedValue& value);

  struct Finished {
    cnm::KernelProgram program;
    std::vector<SourceLocation> places;  ///< of its operations
  };
  /// The function as a program; operations are `function`.1, .2, ...
  Finished finish(const std::string& function);

 private:
  struct Store {
    std::string name;
    ShapedType type;
    bool argument = false;
    bool constant = false;
    std::optional<std::size_t> content;  ///< a value
    std::optional<std::string> number;   ///< of a scalar constant
  };
  struct Value {
    std::size_t store = 0;
    std::optional<std::size_t> maker;  ///< an operation
    bool used = false;
  };
  struct Draft {
    cnm::ProgramOperation operation;
    SourceLocation where;
    bool fill = false;
    bool covered = false;  ///< an operation writes over it
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
  const std::map<std::string, ShapedType>& shapes_;  ///< of --shape
  std::map<std::string, NamedValue> names_;          // in order, as suggestions are looked for
  std::vector<Store> stores_;
  std::vector<Value> values_;
  std::vector<Draft> drafts_;
  std::vector<std::size_t> returned_;
};

}  // namespace nestor::io
