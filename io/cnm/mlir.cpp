#include "io/cnm/mlir.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/tables/hash_table.h"
#include "io/checked_reader.h"
#include "io/cnm/mlir_dialects.h"
#include "io/cnm/mlir_region.h"
#include "io/cnm/mlir_types.h"

namespace nestor::io {
namespace {

using cnm::AffineExpr;
using cnm::Kernel;
using cnm::KernelOperand;

constexpr auto named_operations = std::to_array<std::string_view>(
    {"matvec", "vecmat", "matmul", "matmul_transpose_a", "matmul_transpose_b", "batch_matmul", "batch_matvec",
     "dot", "add", "sub", "mul", "div", "max", "min", "reduce", "fill"});
constexpr std::array<std::string_view, 3> library_calls = {"hst", "sel", "scan"};

struct Argument {
  std::string name;
  ShapedType type;
};

class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : lexer_(text, file, "//") {}

  Result<Kernel> run() {
    while (lexer_.peek().text.starts_with('#')) alias();  // as MLIR prints them, before the module
    const bool module = lexer_.accept("module") || lexer_.accept("builtin.module");
    if (module) {
      if (lexer_.peek().text.starts_with('@')) lexer_.next();
      if (lexer_.accept("attributes")) skip_attributes(lexer_);
      lexer_.expect("{");
    }
    while (!lexer_.at_end() && !lexer_.is("}")) {
      if (lexer_.peek().text.starts_with('#'))
        alias();
      else if (lexer_.is("func.func"))
        function();
      else if (lexer_.is("ml_program.global") || lexer_.is("memref.global"))
        skip_global(lexer_);
      else
        lexer_.fail_here("'func.func' or a map, as '#m = affine_map<...>'");
    }
    if (module) lexer_.expect("}");
    if (!lexer_.failed() && !lexer_.at_end()) lexer_.fail_here("the end");
    if (!lexer_.failed() && !found_) lexer_.fail_here("a function with a linalg operation");
    if (!lexer_.failed())
      if (const auto fault = cnm::find_fault(kernel_); !fault.empty()) lexer_.fail(operation_, fault);
    if (lexer_.failed()) return lexer_.error();
    return std::move(kernel_);
  }

 private:
  void alias() {
    const auto name = std::string(lexer_.next().text);
    lexer_.expect("=");
    lexer_.expect("affine_map");
    aliases_[name] = read_affine_map(lexer_);
  }

  void function() {
    lexer_.next();
    if (!lexer_.accept("private")) lexer_.accept("public");
    const Token name = lexer_.next();
    if (!name.text.starts_with('@')) return lexer_.fail_at(name, "a function's name, as @kernel");
    if (!found_) kernel_.name = std::string(name.text.substr(1));
    types_.clear();
    constants_.clear();
    const bool another = found_;
    lexer_.expect("(");
    while (!lexer_.at_end() && !lexer_.is(")")) {
      const auto value = lexer_.word("an argument, as %0");
      lexer_.expect(":");
      types_[value] = read_shaped_type(lexer_);
      skip_attributes(lexer_);
      if (!lexer_.accept(",")) break;
    }
    lexer_.expect(")");
    if (lexer_.accept("->")) skip_results(lexer_);
    if (lexer_.accept("attributes")) skip_attributes(lexer_);
    lexer_.expect("{");
    fills_.clear();
    while (!lexer_.at_end() && !lexer_.is("}")) statement(another);
    lexer_.expect("}");
    if (!lexer_.failed() && !found_ && !fills_.empty()) fill_alone();
  }

  // `another`: an operation stands in a function before this one.
  void statement(bool another) {
    const Token first = lexer_.next();
    Token what = first;
    std::string defined;
    if (first.text.starts_with('%')) {
      defined = std::string(first.text);
      lexer_.expect("=");
      what = lexer_.next();
    }
    if (what.text == "return" || what.text == "func.return") {
      while (!lexer_.at_end() && !lexer_.is("}")) lexer_.next();
    } else if (what.text == "arith.constant" && (lexer_.is("true") || lexer_.is("false"))) {
      lexer_.next();  // of type i1, which no operand has
    } else if (what.text == "tensor.empty" || what.text == "memref.alloc" || what.text == "arith.constant") {
      const std::string text = take_until_type(lexer_);
      types_[defined] = read_shaped_type(lexer_);
      if (what.text == "arith.constant") constants_[defined] = text;
    } else if (what.text.starts_with("linalg.") && lowering_advice(what.text).empty()) {
      if (another) lexer_.fail(what.where, "a second function with an operation, expected one in a file");
      operation(what);
      if (!defined.empty() && !outputs_.empty()) types_[defined] = outputs_.front().type;
    } else if (is_view(what.text)) {
      view(defined);
    } else if (const auto advice = lowering_advice(what.text); !advice.empty()) {
      lexer_.fail(what.where, advice);
    } else {
      lexer_.fail_at(what, "a linalg operation, tensor.empty, memref.alloc, arith.constant or return");
    }
  }

  void view(const std::string& defined) {
    const Token source = lexer_.peek();
    const auto known = types_.find(std::string(source.text));
    if (known == types_.end()) return lexer_.fail_at(source, "a value that is defined");
    const ShapedType type = read_view(lexer_);
    if (!lexer_.failed() && !same_elements(type, known->second))
      return lexer_.fail(source.where, fmt::format("the view of {} holds other elements", source.text));
    types_[defined] = type;
  }

  void operation(const Token& token) {
    const auto word = token.text.substr(7);
    const bool fill = word == "fill";
    if (found_ && !fill) return lexer_.fail(token.where, "a second operation, expected one a function");
    inputs_.clear();
    outputs_.clear();
    if (word == "generic") return generic(token);
    if (std::find(named_operations.begin(), named_operations.end(), word) == named_operations.end())
      return lexer_.fail(
          token.where,
          fmt::format("no linalg operation {}{}; mlir-opt --linalg-generalize-named-ops writes "
                      "others as linalg.generic, which is read",
                      quote(word), suggestion(word, {named_operations.begin(), named_operations.end()})));
    std::string reducer = "addi";
    if (word == "reduce" && lexer_.accept("{")) {
      const Token op = lexer_.next();
      if (!op.text.starts_with("arith.") || !arith_word(op.text.substr(6)))
        return lexer_.fail_at(op, "an arith operation");
      reducer = std::string(op.text.substr(6));
      lexer_.expect("}");
    }
    read_arguments();
    std::vector<Int> summed;
    if (lexer_.accept("dimensions")) {
      lexer_.expect("=");
      lexer_.expect("[");
      do summed.push_back(lexer_.number("a dim", 0, static_cast<Int>(cnm::max_dims) - 1));
      while (lexer_.accept(",") && summed.size() < cnm::max_dims);
      lexer_.expect("]");
    }
    if (lexer_.accept("->")) read_shaped_type(lexer_);
    if (!lexer_.failed() && fill) fills_.push_back({token.where, inputs_, outputs_});
    if (lexer_.failed() || fill) return;
    operation_ = token.where;
    found_ = true;
    make_generic(std::string(word), reducer, summed);
  }

  // ins(%a, %b : t, t) outs(%c : t)
  void read_arguments() {
    if (lexer_.accept("ins")) inputs_ = argument_list();
    lexer_.expect("outs");
    outputs_ = argument_list();
  }
  std::vector<Argument> argument_list() {
    std::vector<Argument> list;
    lexer_.expect("(");
    std::vector<Token> tokens;
    do {
      tokens.push_back(lexer_.peek());
      list.push_back({lexer_.word("an operand, as %0"), {}});
      if (!types_.contains(list.back().name) && !lexer_.failed()) {
        std::vector<std::string_view> names;
        for (const auto& [name, type] : types_) names.push_back(name);
        lexer_.fail_at(tokens.back(), "a value that is defined" + suggestion(list.back().name, names));
      }
    } while (lexer_.accept(",") && list.size() < 16);
    lexer_.expect(":");
    for (std::size_t i = 0; i < list.size() && !lexer_.failed(); ++i) {
      if (i > 0) lexer_.expect(",");
      list[i].type = read_shaped_type(lexer_);
      const ShapedType& known = types_[list[i].name];
      if (!lexer_.failed() && (known.dims != list[i].type.dims || known.element != list[i].type.element))
        lexer_.fail(tokens[i].where,
                    fmt::format("operand {} is of another type than where it was defined", list[i].name));
    }
    lexer_.expect(")");
    return list;
  }

  static std::string plain_name(std::string_view name) {
    std::string text(name.substr(name.starts_with('%') ? 1 : 0));
    if (text.empty() || (text[0] >= '0' && text[0] <= '9')) text = "v" + text;
    return text;
  }

  void add_operand(const Argument& argument, std::vector<AffineExpr> map, bool output) {
    KernelOperand operand;
    operand.name = plain_name(argument.name);
    operand.type = argument.type.element;
    operand.dims = argument.type.dims;
    operand.map = std::move(map);
    operand.output = output;
    for (const auto& other : kernel_.operands)
      if (other.name == operand.name && !lexer_.failed())
        lexer_.fail(operation_,
                    fmt::format("operand '{}' is used twice, expected one operand for input and output: let "
                                "the region use the output's argument",
                                argument.name));
    if (operand.map.size() != operand.dims.size() && !lexer_.failed())
      lexer_.fail(operation_, fmt::format("operand '{}' has {} dims, its map has {}", argument.name,
                                          operand.dims.size(), operand.map.size()));
    kernel_.operands.push_back(std::move(operand));
  }

  // Extents from operands whose map has a dim alone.
  void find_extents(std::size_t dims) {
    kernel_.extents.assign(dims, 0);
    for (const auto& operand : kernel_.operands)
      for (std::size_t i = 0; i < operand.map.size() && i < operand.dims.size(); ++i) {
        const auto& factors = operand.map[i].factors;
        const auto used = std::count_if(factors.begin(), factors.end(), [](Int f) { return f != 0; });
        for (std::size_t d = 0; d < dims; ++d) {
          if (used != 1 || factors[d] != 1 || operand.map[i].constant != 0) continue;
          Int& extent = kernel_.extents[d];
          if (extent != 0 && extent != operand.dims[i] && !lexer_.failed())
            lexer_.fail(operation_, fmt::format("dim d{} goes to {} in one operand and to {} in '{}'", d,
                                                extent, operand.dims[i], operand.name));
          extent = operand.dims[i];
        }
      }
  }

  AffineMap map_here() {
    if (lexer_.peek().text.starts_with('#')) {
      const Token token = lexer_.next();
      const auto known = aliases_.find(std::string(token.text));
      if (known != aliases_.end()) return known->second;
      std::vector<std::string_view> names;
      for (const auto& [name, map] : aliases_) names.push_back(name);
      lexer_.fail_at(token, "a map that is defined" + suggestion(token.text, names));
      return {};
    }
    lexer_.expect("affine_map");
    return read_affine_map(lexer_);
  }

  void generic(const Token& token) {
    operation_ = token.where;
    found_ = true;
    std::vector<AffineMap> maps;
    std::vector<bool> reduction;
    lexer_.expect("{");
    while (!lexer_.at_end() && !lexer_.is("}")) {
      const auto key = lexer_.word("an attribute");
      if (lexer_.accept("=")) {
        if (key == "indexing_maps") {
          lexer_.expect("[");
          do maps.push_back(map_here());
          while (lexer_.accept(",") && maps.size() < 32);
          lexer_.expect("]");
        } else if (key == "iterator_types") {
          lexer_.expect("[");
          do reduction.push_back(iterator());
          while (lexer_.accept(",") && reduction.size() <= cnm::max_dims);
          lexer_.expect("]");
        } else if (key == "library_call") {
          library_call();
        } else {
          skip_attribute(lexer_);
        }
      }
      if (!lexer_.accept(",")) break;
    }
    lexer_.expect("}");
    read_arguments();
    if (lexer_.failed()) return;
    if (maps.size() != inputs_.size() + outputs_.size())
      return lexer_.fail(
          operation_, fmt::format("{} maps for {} operands", maps.size(), inputs_.size() + outputs_.size()));
    for (const AffineMap& map : maps)
      if (map.dims != reduction.size())
        return lexer_.fail(operation_,
                           fmt::format("a map of {} dims, {} iterators", map.dims, reduction.size()));
    kernel_.reduction = std::move(reduction);
    for (std::size_t i = 0; i < inputs_.size(); ++i) add_operand(inputs_[i], maps[i].exprs, false);
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      add_operand(outputs_[i], maps[inputs_.size() + i].exprs, true);
    find_extents(kernel_.reduction.size());
    read_region(lexer_, operation_, kernel_);
    if (lexer_.accept("->")) read_shaped_type(lexer_);
  }

  bool iterator() {
    const Token token = lexer_.next();
    auto word = token.text;
    if (word == "#linalg.iterator_type") {
      lexer_.expect("<");
      word = lexer_.next().text;
      lexer_.expect(">");
    }
    if (word != "parallel" && word != "reduction") lexer_.fail_at(token, "\"parallel\" or \"reduction\"");
    return word == "reduction";
  }

  void library_call() {
    const Token token = lexer_.next();
    if (std::find(library_calls.begin(), library_calls.end(), token.text) == library_calls.end())
      return lexer_.fail_at(token, "\"hst\", \"sel\" or \"scan\"");
    kernel_.library_call = std::string(token.text);
  }

  // What zeroes an output before another operation is free; by itself it is an operation like others. A
  // number is known in the region, another value is an operand of one element.
  void fill_alone() {
    operation_ = fills_.front().where;
    if (fills_.size() > 1) return lexer_.fail(fills_[1].where, "a second operation, expected one a function");
    const auto& [where, inputs, outputs] = fills_.front();
    if (inputs.size() != 1 || outputs.size() != 1 || !inputs[0].type.dims.empty())
      return lexer_.fail(operation_, "linalg.fill: expected one value and one output");
    found_ = true;
    const std::size_t dims = outputs[0].type.dims.size();
    kernel_.reduction.assign(dims, false);
    const auto number = constants_.find(inputs[0].name);
    if (number == constants_.end())
      add_operand(inputs[0], {}, false);
    else
      kernel_.region = {
          {cnm::RegionStep::Kind::constant, cnm::Op::add, inputs[0].type.element, number->second, {}}};
    std::vector<AffineExpr> map;
    for (std::size_t d = 0; d < dims; ++d) {
      map.push_back({std::vector<Int>(dims, 0), 0});
      map.back().factors[d] = 1;
    }
    add_operand(outputs[0], std::move(map), true);
    kernel_.yields = {number == constants_.end() ? 0 : kernel_.operands.size()};
    find_extents(dims);
  }

  // What a named operation says, as maps and a region.
  void make_generic(const std::string& word, const std::string& reducer, const std::vector<Int>& summed) {
    const NamedShape shape = shape_of_named(word, inputs_.empty() ? 0 : inputs_[0].type.dims.size(), summed);
    if (inputs_.size() + outputs_.size() != shape.operands.size() || outputs_.size() != 1)
      return lexer_.fail(operation_,
                         fmt::format("linalg.{} with {} inputs and {} outputs, expected {} and 1", word,
                                     inputs_.size(), outputs_.size(), shape.operands.size() - 1));
    kernel_.reduction = shape.reduction;
    for (std::size_t i = 0; i < shape.operands.size(); ++i) {
      std::vector<AffineExpr> map;
      for (const std::size_t d : shape.operands[i]) {
        AffineExpr expr{std::vector<Int>(shape.dims, 0), 0};
        expr.factors[d] = 1;
        map.push_back(std::move(expr));
      }
      add_operand(i < inputs_.size() ? inputs_[i] : outputs_[0], std::move(map), i >= inputs_.size());
    }
    if (lexer_.failed()) return;
    find_extents(shape.dims);
    add_region_of_named(word, reducer, outputs_[0].type.element, kernel_);
  }

  Lexer lexer_;
  Kernel kernel_;
  // In order, as suggestions are looked for.
  std::map<std::string, AffineMap> aliases_;
  std::map<std::string, ShapedType> types_;
  HashMap<std::string, std::string> constants_;
  struct Fill {
    SourceLocation where;
    std::vector<Argument> inputs, outputs;
  };
  std::vector<Fill> fills_;  // of the function at hand
  std::vector<Argument> inputs_, outputs_;
  SourceLocation operation_;
  bool found_ = false;
};

}  // namespace

Result<Kernel> parse_mlir(std::string_view text, const std::string& file) { return Parser(text, file).run(); }

}  // namespace nestor::io
