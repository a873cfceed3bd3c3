#include "io/cnm/mlir.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/split.h"
#include "io/checked_reader.h"
#include "io/cnm/mlir_dialects.h"
#include "io/cnm/mlir_linalg.h"

namespace nestor::io {
namespace {

using Shapes = std::map<std::string, ShapedType>;

class MlirParser {
 public:
  MlirParser(std::string_view text, const std::string& file, const Shapes& shapes,
             const std::string& function)
      : text_(without_locations(text)), lexer_(text_, file, "//"), shapes_(shapes), wanted_(function) {}

  Result<MlirFile> run() {
    while (lexer_.peek().text.starts_with('#')) alias();  // MLIR prints aliases before the module
    const bool module = lexer_.accept("module") || lexer_.accept("builtin.module");
    if (module) {
      if (lexer_.peek().text.starts_with('@')) lexer_.next();
      if (lexer_.accept("attributes")) skip_attributes(lexer_);
      lexer_.expect("{");
    }
    while (!lexer_.at_end() && !lexer_.is("}")) {
      if (lexer_.peek().text.starts_with('#'))
        alias();
      else if (lexer_.is("func.func") || lexer_.is("util.func"))
        function();
      else if (lexer_.is("ml_program.global") || lexer_.is("memref.global") || lexer_.is("util.global"))
        skip_global(lexer_);
      else
        refuse(lexer_.peek(), "'func.func' or a map such as '#m = affine_map<...>'");
    }
    if (module) lexer_.expect("}");
    while (lexer_.peek().text.starts_with('#')) alias();  // aliases of locations
    if (!lexer_.failed() && !lexer_.at_end()) lexer_.fail_here("the end");
    if (!lexer_.failed() && file_.programs.empty()) lexer_.fail_here(nothing_found());
    if (lexer_.failed()) return lexer_.error();
    return std::move(file_);
  }

 private:
  std::string nothing_found() const {
    if (wanted_.empty()) return "a function with a linalg operation";
    return fmt::format("a function with a linalg operation named {}{}", quote(wanted_),
                       suggestion(wanted_, {functions_.begin(), functions_.end()}));
  }

  void alias() {
    const auto name = std::string(lexer_.next().text);
    lexer_.expect("=");
    if (lexer_.peek().first_on_line) return;  // an alias of a location
    if (!lexer_.accept("affine_map")) return skip_global(lexer_);
    aliases_[name] = read_affine_map(lexer_);
  }

  void function() {
    lexer_.next();
    if (!lexer_.accept("private")) lexer_.accept("public");
    const Token token = lexer_.next();
    if (!token.text.starts_with('@')) return lexer_.fail_at(token, "a function's name such as @kernel");
    const std::string name(token.text.substr(1));
    functions_.push_back(name);
    MlirValues values(lexer_, shapes_);
    lexer_.expect("(");
    while (!lexer_.at_end() && !lexer_.is(")")) {
      if (!lexer_.peek().text.starts_with('%')) return skip_global(lexer_, 1);  // skips a declaration
      const Token argument = lexer_.next();
      if (values.is_known(std::string(argument.text)))
        lexer_.fail_at(argument, "a name that is not used yet");
      lexer_.expect(":");
      ShapedType type = read_shaped_type(lexer_);
      if (!lexer_.failed()) values.define_argument(argument, std::move(type));
      skip_attributes(lexer_);
      if (!lexer_.accept(",")) break;
    }
    lexer_.expect(")");
    if (lexer_.accept("->")) skip_results(lexer_);
    if (lexer_.accept("attributes")) skip_attributes(lexer_);
    lexer_.expect("{");
    while (!lexer_.at_end() && !lexer_.is("}")) statement(values);
    lexer_.expect("}");
    if (lexer_.failed() || (!wanted_.empty() && wanted_ != name)) return;
    auto [program, places] = values.finish(name);
    for (std::size_t i = 0; i < places.size() && !lexer_.failed(); ++i)
      if (const auto& kernel = program.operations[i].kernel)
        if (const auto fault = cnm::find_fault(*kernel); !fault.empty()) lexer_.fail(places[i], fault);
    if (places.empty()) return;
    file_.programs.push_back(std::move(program));
    file_.places.push_back(std::move(places));
  }

  void statement(MlirValues& values) {
    const Token first = lexer_.peek();
    std::vector<std::string> results;
    Token what = first;
    if (first.text.starts_with('%')) {
      results = defined_names(values);
      lexer_.expect("=");
      what = lexer_.next();
    } else {
      lexer_.next();
    }
    if (lexer_.failed()) return;
    if (what.text == "return" || what.text == "func.return" || what.text == "util.return")
      return returned(values);
    if (what.text.starts_with("linalg.") && lowering_advice(what.text).empty())
      return LinalgReader(lexer_, aliases_, values).run(what, results);
    if (what.text == "affine.for") return read_affine_nest(lexer_, what, values);
    if (what.text == "memref.copy") return LinalgReader(lexer_, aliases_, values).run_copy(what);
    if (what.text == "cf.assert") return skip_global(lexer_);  // the operations themselves check sizes
    if (what.text == "memref.dealloc") {
      take_until_type(lexer_);
      read_shaped_type(lexer_);
      return;
    }
    if (results.size() == 1 && defines(first, what, values)) return;
    refuse(what, "a linalg operation, tensor.empty, memref.alloc, arith.constant or return");
  }

  void refuse(const Token& token, std::string_view expected) {
    if (const auto advice = lowering_advice(token.text); !advice.empty())
      return lexer_.fail(token.where, advice);
    lexer_.fail_at(token, expected);
  }

  // Reads the names on the left of "=": "%0", "%0:2" or "%0, %1".
  std::vector<std::string> defined_names(const MlirValues& values) {
    std::vector<std::string> names;
    do {
      const Token token = lexer_.peek();
      const auto name = lexer_.word("a value such as %0");
      if (values.is_known(name)) lexer_.fail_at(token, "a name that is not used yet");
      if (!lexer_.accept(":")) {
        names.push_back(name);
        continue;
      }
      const Int count = lexer_.number("results", 1, 16);
      for (Int i = 0; i < count; ++i) names.push_back(fmt::format("{}#{}", name, i));
    } while (lexer_.accept(",") && names.size() < 16);
    return names;
  }

  // Reads a statement that defines one value and is not an operation of the program. Returns false for any
  // other statement.
  bool defines(const Token& result, const Token& what, MlirValues& values) {
    const auto word = what.text;
    if (word == "arith.constant") {
      constant(result, values);
    } else if (word == "tensor.empty" || word == "memref.alloc" || word == "memref.alloca" ||
               word == "bufferization.alloc_tensor") {
      allocation(result, values);
    } else if (word == "arith.cmpi") {  // compares sizes for cf.assert
      take_until_type(lexer_);
      read_shaped_type(lexer_);
    } else if (word == "memref.get_global" || word == "util.global.load") {
      take_until_type(lexer_);
      values.define_global(result, read_shaped_type(lexer_));
    } else if (word == "tensor.dim" || word == "memref.dim") {
      extent(result, values);
    } else if (word == "tensor.pad") {
      pad(result, what, values);
    } else if (is_view(word)) {
      const Token source = lexer_.peek();
      ShapedType type = read_view(lexer_);
      if (!lexer_.failed())
        values.define_view(result, source, std::move(type), word.find("_shape") != std::string_view::npos);
    } else {
      return false;
    }
    return true;
  }

  void constant(const Token& result, MlirValues& values) {
    if (lexer_.is("true") || lexer_.is("false")) {  // a value of type i1, which no operand has
      lexer_.next();
      return;
    }
    auto text = take_until_type(lexer_);
    const ShapedType type = read_shaped_type(lexer_);
    if (!lexer_.failed()) values.define_constant(result, type, std::move(text));
  }

  // Reads "(%n) {..} : tensor<?x4xf32>".
  void allocation(const Token& result, MlirValues& values) {
    std::vector<SsaValue> sizes;
    if (lexer_.accept("(")) {
      while (!lexer_.at_end() && !lexer_.is(")")) {
        std::string name;
        const Token token = MlirValues::take_name(lexer_, name);
        if (!lexer_.failed()) sizes.push_back(values.find(token, name));
        if (!lexer_.accept(",")) break;
      }
      lexer_.expect(")");
    }
    take_until_type(lexer_);
    ShapedType type = read_shaped_type(lexer_);
    if (!lexer_.failed()) values.define_empty(result, std::move(type), sizes);
  }

  // Reads "%a, %c0 : tensor<4x?xf32>".
  void extent(const Token& result, MlirValues& values) {
    std::string name, index;
    const Token token = MlirValues::take_name(lexer_, name);
    lexer_.expect(",");
    const Token at = MlirValues::take_name(lexer_, index);
    lexer_.expect(":");
    read_shaped_type(lexer_);
    if (lexer_.failed()) return;
    const auto value = values.find(token, name);
    const auto* const number = values.number_of(index);
    const auto d = number != nullptr ? to_integer(*number) : std::nullopt;
    if (lexer_.failed()) return;
    if (!d || *d < 0 || *d >= static_cast<Int>(value.type.dims.size()))
      return lexer_.fail_at(at, fmt::format("a constant dim of {}", name));
    values.define_number(result, value.type.dims[static_cast<std::size_t>(*d)]);
  }

  // Reads "%a low[0, 1] high[0, 1] { ... } : T to U". The host does the padding.
  void pad(const Token& result, const Token& what, MlirValues& values) {
    lexer_.accept("nofold");
    std::string name;
    const Token token = MlirValues::take_name(lexer_, name);
    take_until_type(lexer_);
    read_shaped_type(lexer_);
    lexer_.expect("to");
    ShapedType type = read_shaped_type(lexer_);
    if (lexer_.failed()) return;
    const auto source = values.find(token, name);
    if (lexer_.failed()) return;
    if (type.dims.size() == source.type.dims.size() && !source.type.dims.empty())
      if (type.dims[0] == open_extent) type.dims[0] = source.type.dims[0];  // the batch is not padded
    if (values.is_empty(source)) return lexer_.fail_at(token, "a value that has been written");
    cnm::ProgramOperation operation;
    operation.host = "pad";
    values.define_empty(result, std::move(type), {});
    values.add_operation(what.where, std::move(operation), {source},
                         {{values.find(result, std::string(result.text)), {}, false}}, false);
  }

  void returned(MlirValues& values) {
    while (!lexer_.at_end() && lexer_.peek().text.starts_with('%')) {
      std::string name;
      const Token token = MlirValues::take_name(lexer_, name);
      const SsaValue value = lexer_.failed() ? SsaValue{} : values.find(token, name);
      if (lexer_.failed()) return;
      values.return_value(value);
      if (!lexer_.accept(",")) break;
    }
    while (!lexer_.at_end() && !lexer_.is("}")) lexer_.next();
  }

  std::string text_;
  Lexer lexer_;
  const Shapes& shapes_;
  const std::string& wanted_;
  AffineMaps aliases_;
  std::vector<std::string> functions_;
  MlirFile file_;
};

Result<Shapes> read_shapes(const std::vector<std::string>& texts) {
  Shapes shapes;
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    ShapedType type;
    bool good = equals != std::string::npos && equals > 0 && equals + 1 < text.size();
    for (const auto part : split_list(good ? std::string_view(text).substr(equals + 1) : "", 'x')) {
      const auto extent = to_integer(part);
      good = good && extent && *extent >= 1 && *extent <= cnm::max_count;
      type.dims.push_back(extent.value_or(1));
    }
    if (!good)
      return usage_error(
          fmt::format("--shape: expected ARG=EXTENTS, such as a=4x128, found {}", quote(text)));
    shapes[text.substr(text[0] == '%' ? 1 : 0, equals - (text[0] == '%' ? 1 : 0))] = std::move(type);
  }
  return shapes;
}

}  // namespace

Result<MlirFile> parse_mlir_programs(std::string_view text, const std::string& file,
                                     const MlirChoices& choices) {
  const auto shapes = read_shapes(choices.shapes);
  if (!shapes) return shapes.error();
  return MlirParser(text, file, *shapes, choices.function).run();
}

Result<cnm::Kernel> single_kernel(MlirFile file) {
  if (file.programs.size() > 1)
    return input_error(file.places[1][0], "a second function with an operation, expected one per file");
  auto& operations = file.programs[0].operations;
  if (operations.size() > 1)
    return input_error(file.places[0][1], "a second operation, expected one per function");
  if (!operations[0].kernel)
    return input_error(file.places[0][0], "an operation that only the host runs, expected a kernel");
  operations[0].kernel->name = file.programs[0].name;
  return std::move(*operations[0].kernel);
}

Result<cnm::Kernel> parse_mlir(std::string_view text, const std::string& file) {
  auto read = parse_mlir_programs(text, file);
  if (!read) return read.error();
  return single_kernel(std::move(*read));
}

}  // namespace nestor::io
