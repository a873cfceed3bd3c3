#include "io/cnm/mlir_linalg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/checked_reader.h"
#include "io/cnm/mlir_dialects.h"

namespace nestor::io {
namespace {

using cnm::AffineExpr;

constexpr std::array<std::string_view, 3> library_calls = {"hst", "sel", "scan"};
constexpr std::size_t most_linalg_operands = 64;

// Returns the dim if the expression is just that dim.
std::optional<std::size_t> lone_dim(const AffineExpr& expr) {
  std::optional<std::size_t> dim;
  for (std::size_t d = 0; d < expr.factors.size(); ++d) {
    if (expr.factors[d] == 0) continue;
    if (dim || expr.factors[d] != 1) return std::nullopt;
    dim = d;
  }
  return expr.constant == 0 ? dim : std::nullopt;
}

bool is_permutation(std::vector<Int> dims, std::size_t count) {
  std::sort(dims.begin(), dims.end());
  for (std::size_t d = 0; d < dims.size(); ++d)
    if (dims[d] != static_cast<Int>(d)) return false;
  return dims.size() == count;
}

}  // namespace

void LinalgReader::run(const Token& token, const std::vector<std::string>& results) {
  where_ = token.where;
  const auto word = token.text.substr(7);
  if (word != "generic") {
    const auto known = named_operations();
    if (std::find(known.begin(), known.end(), word) == known.end())
      return lexer_.fail(token.where,
                         fmt::format("no linalg operation {}{}; mlir-opt --linalg-generalize-named-ops "
                                     "converts others to linalg.generic, which is supported",
                                     quote(word), suggestion(word, known)));
  }
  if (lexer_.accept("indexing_maps")) read_attribute("indexing_maps");
  read_head(word);
  if (lexer_.accept("ins")) inputs_ = argument_list();
  lexer_.expect("outs");
  outputs_ = argument_list();
  while (!lexer_.failed() && (lexer_.is("dimensions") || lexer_.is("permutation")))
    read_attribute(std::string(lexer_.next().text));
  if (lexer_.accept("attrs")) {
    lexer_.expect("=");
    skip_attributes(lexer_);
  }
  if (lexer_.failed()) return;
  if (word == "fill")
    fill();
  else if (word == "generic")
    generic();
  else
    named(word);
  if (lexer_.accept("->")) skip_results(lexer_);
  finish(results, word == "fill");
}

// Reads "%a, %b : T to U" after "memref.copy".
void LinalgReader::run_copy(const Token& token) {
  where_ = token.where;
  for (auto* const list : {&inputs_, &outputs_}) {
    if (list == &outputs_) lexer_.expect(",");
    list->emplace_back();
    list->back().token = MlirValues::take_name(lexer_, list->back().name);
    if (!lexer_.failed()) list->back().value = values_.find(list->back().token, list->back().name);
  }
  skip_attributes(lexer_);
  lexer_.expect(":");
  read_shaped_type(lexer_);
  lexer_.expect("to");
  read_shaped_type(lexer_);
  if (lexer_.failed()) return;
  named("copy");
  finish({}, false);
}

// Reads "{ arith.op }", the short form of reduce and map, or attributes.
void LinalgReader::read_head(std::string_view word) {
  if (!lexer_.accept("{")) return;
  if ((word == "reduce" || word == "map") && !lexer_.is("}")) {
    const Token op = lexer_.next();
    if (!op.text.starts_with("arith.") || !arith_word(op.text.substr(6)))
      return lexer_.fail_at(op, "an arith operation");
    attributes_.reducer = std::string(op.text.substr(6));
    skip_attributes(lexer_);
    return lexer_.expect("}");
  }
  while (!lexer_.at_end() && !lexer_.is("}")) {
    read_attribute(lexer_.word("an attribute"));
    if (!lexer_.accept(",")) break;
  }
  lexer_.expect("}");
}

void LinalgReader::read_attribute(const std::string& key) {
  if (!lexer_.accept("=")) return;
  if (key == "indexing_maps") {
    lexer_.expect("[");
    do maps_.push_back(map_here());
    while (lexer_.accept(",") && maps_.size() < 2 * most_linalg_operands);
    lexer_.expect("]");
  } else if (key == "iterator_types") {
    lexer_.expect("[");
    if (!lexer_.is("]")) {
      do kernel_.reduction.push_back(iterator());
      while (lexer_.accept(",") && kernel_.reduction.size() <= cnm::max_dims);
    }
    lexer_.expect("]");
  } else if (key == "library_call") {
    library_call();
  } else if (key == "strides" || key == "dilations") {
    auto& values = key == "strides" ? attributes_.strides : attributes_.dilations;
    const Token first = lexer_.peek();
    const auto read = numbers(1, 1'000'000);
    if (read.size() == 1)
      values.assign(2, read[0]);
    else if (read.size() == 2)
      values = read;
    else
      lexer_.fail_at(first, "one or two numbers");
  } else if (key == "dimensions" || key == "permutation") {
    attributes_.dims = numbers(0, static_cast<Int>(cnm::max_dims) - 1);
  } else {
    skip_attribute(lexer_);
  }
}

// Reads "[1, 2]", "dense<1> : vector<2xi64>", "dense<[1, 2]> : tensor<2xi64>" or "array<i64: 1, 2>".
std::vector<Int> LinalgReader::numbers(Int low, Int high) {
  std::vector<Int> list;
  const bool dense = lexer_.accept("dense");
  const bool array = !dense && lexer_.accept("array");
  if (dense || array) lexer_.expect("<");
  if (array) {
    read_element_type(lexer_);
    lexer_.accept(":");
  }
  const bool bracket = lexer_.accept("[");
  while (!lexer_.at_end() && !lexer_.is("]") && !lexer_.is(">") && list.size() < cnm::max_dims) {
    list.push_back(lexer_.number("a number", low, high));
    if (!lexer_.accept(",")) break;
  }
  if (bracket) lexer_.expect("]");
  if (dense || array) lexer_.expect(">");
  if (dense && lexer_.accept(":")) {
    lexer_.next();
    lexer_.expect("<");
    lexer_.raw_until('>');
    lexer_.expect(">");
  }
  return list;
}

// Reads "(%a, %b : t, u)".
std::vector<LinalgReader::Argument> LinalgReader::argument_list() {
  std::vector<Argument> list;
  lexer_.expect("(");
  do {
    Argument argument;
    if (lexer_.peek().kind != TokenKind::word) {
      lexer_.fail_here("an operand such as %0");
      break;
    }
    argument.token = MlirValues::take_name(lexer_, argument.name);
    if (!lexer_.failed()) argument.value = values_.find(argument.token, argument.name);
    list.push_back(std::move(argument));
  } while (lexer_.accept(",") && list.size() < most_linalg_operands);
  lexer_.expect(":");
  for (std::size_t i = 0; i < list.size() && !lexer_.failed(); ++i) {
    if (i > 0) lexer_.expect(",");
    const ShapedType type = read_shaped_type(lexer_);
    if (!lexer_.failed() && !is_compatible(type, list[i].value.type))
      lexer_.fail(list[i].token.where,
                  fmt::format("the type of operand {} differs from its definition", list[i].name));
  }
  lexer_.expect(")");
  return list;
}

AffineMap LinalgReader::map_here() {
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

bool LinalgReader::iterator() {
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

void LinalgReader::library_call() {
  const Token token = lexer_.next();
  if (token.text.empty()) return;  // Polygeist prints an empty name
  if (std::find(library_calls.begin(), library_calls.end(), token.text) == library_calls.end())
    return lexer_.fail_at(token, "\"hst\", \"sel\" or \"scan\"");
  kernel_.library_call = std::string(token.text);
}

void LinalgReader::add_operand(const Argument& argument, std::vector<AffineExpr> map, bool output) {
  cnm::KernelOperand operand;
  operand.name = operand_name(kernel_, argument.name);
  operand.type = argument.value.type.element;
  operand.dims = argument.value.type.dims;
  operand.map = std::move(map);
  operand.output = output;
  kernel_.operands.push_back(std::move(operand));
}

// Returns the region argument of an input. Adds an operand for the input unless it is a number, specifies
// only a shape, or equals an earlier input.
BlockArgument LinalgReader::input_argument(const Argument& input, const std::vector<AffineExpr>& map,
                                           bool window) {
  BlockArgument argument;
  argument.type = input.value.type.element;
  if (window || (values_.is_empty(input.value) && !values_.is_number(input.value))) return argument;
  if (values_.is_number(input.value)) {
    argument.number = values_.number(input.value);
    return argument;
  }
  for (std::size_t i = 0; i < used_.size(); ++i)
    if (used_[i].store == input.value.store && kernel_.operands[i].map == map &&
        kernel_.operands[i].dims == input.value.type.dims) {
      argument.operand = i;
      return argument;
    }
  argument.operand = used_.size();
  add_operand(input, map, false);
  used_.push_back(input.value);
  return argument;
}

// Adds the operands of the kernel and the arguments of its region: inputs, then outputs.
void LinalgReader::add_operands(const std::vector<std::vector<AffineExpr>>& maps, std::string_view word) {
  const std::size_t inputs = inputs_.size();
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const Argument& operand = i < inputs ? inputs_[i] : outputs_[i - inputs];
    if (maps[i].size() != operand.value.type.dims.size())
      return lexer_.fail(where_, fmt::format("operand '{}' has {} dims, its map has {}", operand.name,
                                             operand.value.type.dims.size(), maps[i].size()));
    shapes_.push_back({operand.name.substr(1), operand.value.type.dims, maps[i]});
  }
  // For each input: an output with the same buffer and map. Such an input has no operand of its own.
  std::vector<std::optional<std::size_t>> in_place(inputs);
  for (std::size_t i = 0; i < inputs; ++i)
    for (std::size_t o = 0; o < outputs_.size(); ++o)
      if (inputs_[i].value.type.memref && inputs_[i].value.store == outputs_[o].value.store &&
          maps[i] == maps[inputs + o] && inputs_[i].value.type.dims == outputs_[o].value.type.dims)
        in_place[i] = o;
  for (std::size_t i = 0; i < inputs; ++i)
    arguments_.push_back(in_place[i] ? BlockArgument{}
                                     : input_argument(inputs_[i], maps[i], is_window(word, i)));
  for (std::size_t i = 0; i < inputs; ++i)
    if (in_place[i]) arguments_[i].operand = used_.size() + *in_place[i];
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    arguments_.push_back({used_.size() + o, std::nullopt, outputs_[o].value.type.element});
    add_operand(outputs_[o], maps[inputs + o], true);
  }
}

// Finds the extent of every dim from an operand with an index that is just this dim.
void LinalgReader::find_extents() {
  kernel_.extents.assign(kernel_.reduction.size(), 0);
  for (const auto& [name, dims, map] : shapes_)
    for (std::size_t i = 0; i < map.size(); ++i) {
      const auto d = lone_dim(map[i]);
      if (!d) continue;
      Int& extent = kernel_.extents[*d];
      if (extent != 0 && extent != dims[i])
        return lexer_.fail(where_, fmt::format("dim d{} has extent {} in one operand and {} in '{}'", *d,
                                               extent, dims[i], name));
      extent = dims[i];
    }
}

void LinalgReader::generic() {
  const auto maps = given_maps(inputs_.size() + outputs_.size());
  if (lexer_.failed()) return;
  add_operands(maps, "generic");
  if (lexer_.failed()) return;
  find_extents();
  RegionReader(lexer_, where_, kernel_, values_).run(arguments_, false);
}

// Returns the maps of an operation, one for each operand.
std::vector<std::vector<AffineExpr>> LinalgReader::given_maps(std::size_t operands) {
  std::vector<std::vector<AffineExpr>> maps;
  if (maps_.size() != operands)
    lexer_.fail(where_, fmt::format("{} maps for {} operands", maps_.size(), operands));
  for (AffineMap& map : maps_) {
    if (map.dims != kernel_.reduction.size())
      lexer_.fail(where_, fmt::format("a map of {} dims, {} iterators", map.dims, kernel_.reduction.size()));
    maps.push_back(std::move(map.exprs));
  }
  return maps;
}

// Converts a named operation to maps and a region.
void LinalgReader::named(std::string_view word) {
  const std::size_t input_rank = inputs_.empty() ? 0 : inputs_[0].value.type.dims.size();
  const auto shape =
      shape_of_named(word, attributes_, input_rank, outputs_[0].value.type.dims.size(), inputs_.size());
  if (!shape) return lexer_.fail(where_, fmt::format("linalg.{} is not supported", word));
  if (inputs_.size() + 1 != shape->maps.size() || outputs_.size() != 1)
    return lexer_.fail(where_, fmt::format("linalg.{} with {} inputs and {} outputs, expected {} and 1", word,
                                           inputs_.size(), outputs_.size(), shape->maps.size() - 1));
  if (word == "transpose" && !is_permutation(attributes_.dims, shape->reduction.size()))
    return lexer_.fail(where_, fmt::format("expected a permutation of {} dims", shape->reduction.size()));
  kernel_.reduction = shape->reduction;
  const auto maps = maps_.empty() ? shape->maps : given_maps(shape->maps.size());
  if (lexer_.failed()) return;
  add_operands(maps, word);
  if (lexer_.failed()) return;
  find_extents();
  if (lexer_.is("(") && (word == "reduce" || word == "map")) {
    if (word == "map") arguments_.pop_back();
    RegionReader(lexer_, where_, kernel_, values_).run(arguments_, true);
    return;
  }
  if (attributes_.reducer.empty() && word == "reduce") attributes_.reducer = "addi";
  if (attributes_.reducer.empty() && word == "map") return lexer_.fail_here("a region");
  std::vector<std::size_t> inputs;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (is_window(word, i)) continue;
    const BlockArgument& argument = arguments_[i];
    if (!argument.operand && !argument.number)
      return lexer_.fail_at(inputs_[i].token, "a value that has been written");
    inputs.push_back(argument.operand.value_or(kernel_.operands.size() + kernel_.region.size()));
    if (argument.number)
      kernel_.region.push_back(
          {cnm::RegionStep::Kind::constant, cnm::Op::add, argument.type, *argument.number, {}});
  }
  const auto reducer = arith_word(attributes_.reducer);
  if (word == "map" && reducer && reducer->arguments != inputs.size())
    return lexer_.fail(where_, fmt::format("{} takes {} inputs", attributes_.reducer, reducer->arguments));
  if ((word == "map" || word == "reduce") && (reducer->compares || reducer->converts))
    return lexer_.fail(where_, fmt::format("{} in the short form, expected a region", attributes_.reducer));
  add_region_of_named(word, attributes_.reducer, outputs_[0].value.type.element, std::move(inputs), kernel_);
}

// For a fill with a number, the region contains the number. Any other value is an operand of one element.
void LinalgReader::fill() {
  if (inputs_.size() != 1 || outputs_.size() != 1 || !inputs_[0].value.type.dims.empty())
    return lexer_.fail(where_, "linalg.fill: expected one value and one output");
  const std::size_t dims = outputs_[0].value.type.dims.size();
  kernel_.reduction.assign(dims, false);
  std::vector<AffineExpr> map(dims, {std::vector<Int>(dims, 0), 0});
  for (std::size_t d = 0; d < dims; ++d) map[d].factors[d] = 1;
  add_operands({{}, std::move(map)}, "fill");
  if (lexer_.failed()) return;
  const auto& value = arguments_[0];
  if (value.number)
    kernel_.region = {{cnm::RegionStep::Kind::constant, cnm::Op::add, value.type, *value.number, {}}};
  kernel_.yields = {value.operand.value_or(kernel_.operands.size())};
  find_extents();
}

void LinalgReader::finish(const std::vector<std::string>& results, bool fill) {
  if (lexer_.failed()) return;
  if (!results.empty() && results.size() != outputs_.size())
    return lexer_.fail(where_, fmt::format("{} results of {} outputs", results.size(), outputs_.size()));
  std::vector<MlirValues::Written> written;
  for (std::size_t o = 0; o < outputs_.size(); ++o)
    written.push_back({outputs_[o].value, results.empty() ? std::string() : results[o],
                       kernel_.operands[used_.size() + o].read});
  cnm::ProgramOperation operation;
  operation.kernel = std::move(kernel_);
  values_.add_operation(where_, std::move(operation), used_, written, fill);
}

}  // namespace nestor::io
