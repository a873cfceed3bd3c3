#include "io/cnm/mlir_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/checked.h"
#include "io/checked_reader.h"
#include "io/cnm/mlir_dialects.h"

namespace nestor::io {
namespace {

std::string without_percent(std::string_view name) {
  return std::string(name.substr(name.starts_with('%') ? 1 : 0));
}

std::string type_text(const ShapedType& type) {
  std::string text;
  for (const Int extent : type.dims) text += fmt::format("{}x", extent);
  return text + std::string(cnm::element_types.word(type.element));
}

std::optional<Int> bytes_of(const ShapedType& type) {
  std::optional<Int> bytes = cnm::bytes_of(type.element);
  for (const Int extent : type.dims)
    if (bytes) bytes = checked_multiply(*bytes, extent);
  return bytes && *bytes <= cnm::max_count ? bytes : std::nullopt;
}

bool is_open(const ShapedType& type) {
  return std::find(type.dims.begin(), type.dims.end(), open_extent) != type.dims.end();
}

void add_once(std::vector<std::size_t>& list, std::size_t value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

// Computes the only open extent of a type from another type with the same number of elements.
void infer_extent(ShapedType& type, const ShapedType& source) {
  std::optional<Int> elements = 1, known = 1;
  for (const Int extent : source.dims)
    if (elements) elements = checked_multiply(*elements, extent);
  for (const Int extent : type.dims)
    if (known && extent != open_extent) known = checked_multiply(*known, extent);
  if (!elements || !known || *elements % *known != 0) return;
  if (std::count(type.dims.begin(), type.dims.end(), open_extent) == 1)
    *std::find(type.dims.begin(), type.dims.end(), open_extent) = *elements / *known;
}

}  // namespace

std::string operand_name(const cnm::Kernel& kernel, std::string_view value) {
  std::string name = without_percent(value);
  std::replace(name.begin(), name.end(), '#', '_');
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name = "v" + name;
  const auto is_taken = [&](const std::string& text) {
    return std::any_of(kernel.operands.begin(), kernel.operands.end(),
                       [&](const auto& operand) { return operand.name == text; });
  };
  std::string fresh = name;
  for (int copy = 2; is_taken(fresh); ++copy) fresh = fmt::format("{}_{}", name, copy);
  return fresh;
}

Token MlirValues::take_name(Lexer& lexer, std::string& name) {
  Token token = lexer.peek();
  name = lexer.word("a value such as %0");
  const auto& part = lexer.peek().text;
  const auto digits = part.substr(part.empty() ? 0 : 1);
  if (part.starts_with('#') && !digits.empty() && to_integer(digits)) name += lexer.next().text;
  return token;
}

void MlirValues::close(const Token& token, const ShapedType& type) {
  if (is_open(type))
    lexer_.fail(
        token.where,
        fmt::format("an extent of {} is unknown, expected static extents of the arguments that determine it",
                    token.text));
  else if (!bytes_of(type))
    lexer_.fail(token.where, fmt::format("the number of elements of {} is too large", token.text));
}

std::size_t MlirValues::add_store(const Token& token, Store store) {
  close(token, store.type);
  store.name = without_percent(store.name.empty() ? token.text : std::string_view(store.name));
  names_["%" + store.name] = {stores_.size(), store.type};
  stores_.push_back(std::move(store));
  return stores_.size() - 1;
}

std::size_t MlirValues::add_value(std::size_t store, std::optional<std::size_t> maker) {
  values_.push_back({store, maker});
  stores_[store].content = values_.size() - 1;
  return values_.size() - 1;
}

void MlirValues::define_argument(const Token& token, ShapedType type) {
  if (const auto shape = shapes_.find(without_percent(token.text)); shape != shapes_.end()) {
    bool fits = shape->second.dims.size() == type.dims.size();
    for (std::size_t i = 0; fits && i < type.dims.size(); ++i)
      fits = type.dims[i] == open_extent || type.dims[i] == shape->second.dims[i];
    if (!fits)
      return lexer_.fail(token.where,
                         fmt::format("the extents of {} in --shape differ from its type", token.text));
    type.dims = shape->second.dims;
  }
  Store store;
  store.type = std::move(type);
  store.argument = true;
  const auto at = add_store(token, std::move(store));
  add_value(at, std::nullopt);
}

void MlirValues::define_constant(const Token& token, const ShapedType& type, std::string text) {
  Store store;
  store.type = type;
  store.constant = true;
  const bool scalar = type.scalar;
  if (scalar) store.number = std::move(text);
  const auto at = add_store(token, std::move(store));
  if (!scalar) add_value(at, std::nullopt);
}

void MlirValues::define_global(const Token& token, const ShapedType& type) {
  define_constant(token, type, {});
}

void MlirValues::define_empty(const Token& token, ShapedType type, const std::vector<SsaValue>& sizes) {
  std::size_t next = 0;
  for (Int& extent : type.dims) {
    if (extent != open_extent || next >= sizes.size()) continue;
    const auto& number = stores_[sizes[next++].store].number;
    const auto value = number ? to_integer(*number) : std::nullopt;
    if (value && *value >= 1 && *value <= cnm::max_count) extent = *value;
  }
  Store store;
  store.type = std::move(type);
  add_store(token, std::move(store));
}

void MlirValues::define_number(const Token& token, Int number) {
  Store store;
  store.type = {{}, cnm::Type::index, true};
  store.number = fmt::format("{}", number);
  add_store(token, std::move(store));
}

void MlirValues::define_view(const Token& token, const Token& source, ShapedType type, bool reshapes) {
  std::string name(source.text);
  const SsaValue known = find(source, name);
  if (lexer_.failed()) return;
  if (reshapes)
    infer_extent(type, known.type);
  else if (type.dims.size() == known.type.dims.size())
    for (std::size_t i = 0; i < type.dims.size(); ++i)
      if (type.dims[i] == open_extent) type.dims[i] = known.type.dims[i];
  close(token, type);
  if (!lexer_.failed() && !same_elements(type, known.type))
    lexer_.fail(source.where, fmt::format("the view of {} contains other elements", source.text));
  names_[std::string(token.text)] = {known.store, std::move(type)};
}

SsaValue MlirValues::find(const Token& token, const std::string& name) {
  const auto known = names_.find(name);
  if (known != names_.end()) return known->second;
  if (!lexer_.failed()) lexer_.fail_at(token, "a value that is defined" + suggestion(name, names()));
  return {};
}

std::vector<std::string_view> MlirValues::names() const {
  std::vector<std::string_view> list;
  for (const auto& [name, value] : names_) list.push_back(name);
  return list;
}

const std::string* MlirValues::number_of(const std::string& name) const {
  const auto known = names_.find(name);
  if (known == names_.end()) return nullptr;
  const auto& number = stores_[known->second.store].number;
  return number ? &*number : nullptr;
}

std::optional<cnm::Type> MlirValues::element_of(const std::string& name) const {
  const auto known = names_.find(name);
  return known == names_.end() ? std::nullopt : std::optional(known->second.type.element);
}

std::size_t MlirValues::use(std::size_t store) {
  const auto content = stores_[store].content.value_or(0);
  if (const auto maker = values_[content].maker) drafts_[*maker].read = true;
  return content;
}

void MlirValues::add_operation(const SourceLocation& where, cnm::ProgramOperation operation,
                               const std::vector<SsaValue>& inputs, const std::vector<Written>& outputs,
                               bool fill) {
  for (const SsaValue& input : inputs) {
    const auto value = use(input.store);
    operation.operands.push_back(value);
    add_once(operation.reads, value);
  }
  for (const Written& output : outputs) {
    Store& store = stores_[output.output.store];
    const auto maker = store.content ? values_[*store.content].maker : std::nullopt;
    const bool filled = maker && drafts_[*maker].fill;
    if (filled && !fill) drafts_[*maker].covered = true;
    if (!output.read || filled) continue;
    operation.updates = true;
    if (store.content) add_once(operation.reads, *store.content);
  }
  for (const Written& output : outputs) {
    auto at = output.output.store;
    if (!output.result.empty()) {
      Store made;
      made.type = output.output.type;
      made.name = output.result;
      at = add_store({}, std::move(made));
    }
    const auto value = add_value(at, drafts_.size());
    operation.operands.push_back(value);
    operation.writes.push_back(value);
  }
  drafts_.push_back({std::move(operation), where, fill});
}

void MlirValues::return_value(const SsaValue& value) {
  if (!stores_[value.store].content) return;
  returned_.push_back(use(value.store));
}

// Marks, names and numbers the values that the program uses. Returns the position of each value in the
// program.
std::vector<std::size_t> MlirValues::place_values(cnm::KernelProgram& program) {
  for (std::size_t i = 0; i < drafts_.size(); ++i) {
    if (is_dropped(i)) continue;
    for (const auto value : drafts_[i].operation.reads) values_[value].used = true;
    for (const auto value : drafts_[i].operation.writes) values_[value].used = true;
  }
  for (const auto value : returned_) values_[value].used = true;
  std::vector<std::size_t> place(values_.size()), times(stores_.size());
  std::vector<std::string> names(values_.size());
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (!values_[i].used) continue;
    const auto time = ++times[values_[i].store];
    names[i] = stores_[values_[i].store].name + (time > 1 ? fmt::format("#{}", time) : std::string());
  }
  const auto add_all = [&](auto&& belongs, std::vector<std::size_t>* list) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (!values_[i].used || !belongs(values_[i])) continue;
      const ShapedType& type = stores_[values_[i].store].type;
      place[i] = program.values.size();
      if (list != nullptr) list->push_back(place[i]);
      program.values.push_back({names[i], type_text(type), bytes_of(type).value_or(0)});
    }
  };
  add_all([&](const Value& v) { return !v.maker && stores_[v.store].argument; }, &program.inputs);
  add_all([&](const Value& v) { return !v.maker && stores_[v.store].constant; }, &program.constants);
  add_all([](const Value& v) { return v.maker.has_value(); }, nullptr);
  return place;
}

MlirValues::Finished MlirValues::finish(const std::string& function) {
  Finished finished;
  auto& [program, places] = finished;
  program.name = function;
  for (const Store& store : stores_)  // results that a caller reads from its buffers
    if (store.argument && store.content && values_[*store.content].maker)
      add_once(returned_, use(values_[*store.content].store));
  const auto place = place_values(program);
  for (std::size_t i = 0; i < drafts_.size(); ++i) {
    if (is_dropped(i)) continue;
    auto& operation = drafts_[i].operation;
    operation.name = fmt::format("{}.{}", function, program.operations.size() + 1);
    for (auto* const list : {&operation.reads, &operation.writes, &operation.operands})
      for (std::size_t& value : *list) value = place[value];
    if (operation.kernel) operation.kernel->name = operation.name;
    program.operations.push_back(std::move(operation));
    places.push_back(drafts_[i].where);
  }
  for (const auto value : returned_) add_once(program.outputs, place[value]);
  return finished;
}

}  // namespace nestor::io
