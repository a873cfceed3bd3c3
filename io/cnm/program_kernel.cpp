#include "io/cnm/program_kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/cnm/lexer.h"
#include "io/cnm/mlir_region.h"
#include "io/cnm/mlir_types.h"
#include "io/cnm/mlir_values.h"

namespace nestor::io {
namespace {

constexpr SizeRange dim_counts = {1, cnm::max_dims};
constexpr SizeRange operand_counts = {1, 32};
constexpr SizeRange term_counts = {0, 16};  ///< one for each dim of an operand
constexpr SizeRange pad_counts = {2, 2 * term_counts.high};
constexpr IntRange pad_range = {0, cnm::max_count};
constexpr SizeRange step_counts = {0, 1000};

std::string term_text(const cnm::AffineExpr& expr) {
  std::string text;
  const auto add = [&](const std::string& term) { text += (text.empty() ? "" : "+") + term; };
  for (std::size_t d = 0; d < expr.factors.size(); ++d) {
    if (expr.factors[d] == 0) continue;
    add(expr.factors[d] == 1 ? fmt::format("d{}", d) : fmt::format("{}*d{}", expr.factors[d], d));
  }
  if (expr.constant != 0 || text.empty()) add(fmt::format("{}", expr.constant));
  return text;
}

// Builds a region from the names of its operations.
class RegionOrder {
 public:
  RegionOrder(cnm::Kernel& kernel, bool reads_output) : kernel_(kernel) {
    for (std::size_t i = 0; i + 1 < kernel.operands.size(); ++i) add(i, kernel.operands[i].type);
    if (reads_output) add(kernel.operands.size() - 1, output().type);
  }

  void convert(const std::string& word) {
    auto other = std::find_if(pending_.begin(), pending_.end(),
                              [&](const Pending& value) { return value.type != output().type; });
    if (other == pending_.end()) other = pending_.begin();
    if (other == pending_.end()) return;
    *other = push({cnm::RegionStep::Kind::convert, cnm::Op::add, output().type, word, {other->value}});
  }

  void operate(const ArithWord& word, const std::string& text) {
    std::vector<Pending> arguments;
    // The operation selects one of the two values that the previous comparison compared.
    if (word.op == cnm::Op::select && !pending_.empty()) {
      arguments.push_back(pending_.front());
      pending_.erase(pending_.begin());
      arguments.insert(arguments.end(), compared_.begin(), compared_.end());
    }
    while (arguments.size() < word.arguments) {
      if (pending_.empty()) add_constant(arguments.empty() ? output().type : arguments.back().type);
      arguments.push_back(pending_.front());
      pending_.erase(pending_.begin());
    }
    cnm::RegionStep step{cnm::RegionStep::Kind::operation, word.op, arguments.back().type, text, {}};
    for (const Pending& argument : arguments) step.arguments.push_back(argument.value);
    if (word.compares) compared_ = arguments;
    pending_.insert(pending_.begin(), push(std::move(step)));
  }

  void finish() {
    if (pending_.empty()) add_constant(output().type);
    kernel_.yields = {pending_.front().value};
    note_reads(kernel_);
  }

 private:
  struct Pending {
    std::size_t value = 0;  ///< index as an argument of steps
    cnm::Type type = cnm::Type::i32;
  };
  const cnm::KernelOperand& output() const { return kernel_.operands.back(); }
  void add(std::size_t value, cnm::Type type) { pending_.push_back({value, type}); }
  Pending push(cnm::RegionStep step) {
    const cnm::Type type = step.type;
    kernel_.region.push_back(std::move(step));
    return {kernel_.operands.size() + kernel_.region.size() - 1, type};
  }
  void add_constant(cnm::Type type) {
    pending_.push_back(push({cnm::RegionStep::Kind::constant, cnm::Op::add, type, "0", {}}));
  }

  cnm::Kernel& kernel_;
  std::vector<Pending> pending_;  ///< values that no step uses yet
  std::vector<Pending> compared_;
};

// The fields of a kernel. A file with an operation's kernel states its operands by value.
class KernelFields {
 public:
  KernelFields(cnm::ProgramOperation& operation, const cnm::KernelProgram& program, const ValueNames& names)
      : operation_(operation), kernel_(*operation.kernel), program_(program), names_(names) {}

  void describe(Fields& fields) {
    fields.integers("dims", kernel_.extents, dim_counts, {1, cnm::max_count}, required,
                    "Extents of the loops, outermost first.");
    std::vector<Int> reduction(kernel_.reduction.begin(), kernel_.reduction.end());
    const std::size_t dims = kernel_.extents.size();
    fields.integers("reduction", reduction, dims == 0 ? dim_counts : SizeRange{dims, dims}, {0, 1}, required,
                    "1 for each dim over which the results are summed up, 0 for the others.");
    kernel_.reduction.assign(reduction.begin(), reduction.end());
    add_operands(fields);
    add_region(fields);
    add_pads(fields);
  }

 private:
  void add_operands(Fields& fields) {
    const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
      for (const Node& item : read_list(node, label, operand_counts.low, operand_counts.high, reading)) {
        auto& operand = kernel_.operands.emplace_back();
        read_fields(item, "operand", reading, [&](Fields& inner) { describe_operand(inner, operand); });
        if (reading.failed()) return;
        shapes_.push_back(operand.dims);
        if (operand.map.size() == operand.dims.size()) continue;
        operand.dims.clear();  // a view: the dims of the kernel determine its extents
        for (const auto& expr : operand.map) operand.dims.push_back(cnm::reach(expr, kernel_.extents));
      }
      const auto is_output = [](const cnm::KernelOperand& operand) { return operand.output; };
      if (reading.failed()) return;
      if (std::find_if(kernel_.operands.begin(), kernel_.operands.end(), is_output) !=
          std::prev(kernel_.operands.end()))
        reading.fail(node, "operands: expected inputs followed by one output");
    };
    const auto write = [&] {
      Json json = Json::array();
      for (std::size_t i = 0; i < kernel_.operands.size(); ++i) {
        auto operand = kernel_.operands[i];
        operand.name = program_.values[operation_.operands[i]].name;
        json.push_back(write_fields([&](Fields& inner) { describe_operand(inner, operand); }));
      }
      return json;
    };
    const auto schema = [&] {
      cnm::KernelOperand operand;
      return list_schema(operand_counts, schema_of([&](Fields& inner) { describe_operand(inner, operand); }));
    };
    fields.field({"operands", required, read, [] {}, write, schema, "The inputs, then the output."});
  }

  void describe_operand(Fields& fields, cnm::KernelOperand& operand) {
    fields.field({"value", required,
                  [&](const Node& node, const std::string& label, Reading& reading) {
                    const auto name = read_title(node, label, reading);
                    if (!reading.failed()) read_shape(node, name, operand, reading);
                  },
                  [] {}, [&] { return Json(operand.name); }, [] { return title_schema(); },
                  "Name of a value."});
    const auto read_terms = [&](const Node& node, const std::string& label, Reading& reading) {
      for (const Node& term : read_list(node, label, term_counts.low, term_counts.high, reading))
        operand.map.push_back(read_term(term, reading));
    };
    const auto write_terms = [&] {
      Json terms = Json::array();
      for (const auto& expr : operand.map) terms.push_back(term_text(expr));
      return terms;
    };
    fields.field({"map", required, read_terms, [] {}, write_terms,
                  [] { return list_schema(term_counts, text_schema()); },
                  "The index of each dimension of the operand: `2*d1+d3`, or `0`."});
    fields.flag("out", operand.output, written(false), "True for the output.");
  }

  // Finds the value of an operand and its shape.
  void read_shape(const Node& node, const std::string& name, cnm::KernelOperand& operand, Reading& reading) {
    const auto value = names_.find(name);
    if (value == names_.end()) return reading.fail(node, fmt::format("no value {}", quote(name)));
    const std::string type = "tensor<" + program_.values[value->second].type + ">";
    Lexer lexer(type, "", "//");
    const ShapedType shape = read_shaped_type(lexer);
    if (lexer.failed() || shape.scalar)
      return reading.fail(node,
                          fmt::format("{} has no type, expected a type such as 16x32xf32", quote(name)));
    operand.name = operand_name(kernel_, name);
    operand.type = shape.element;
    operand.dims = shape.dims;
    operation_.operands.push_back(value->second);
  }

  cnm::AffineExpr read_term(const Node& term, Reading& reading) const {
    std::vector<std::string> dims;
    for (std::size_t d = 0; d < kernel_.extents.size(); ++d) dims.push_back(fmt::format("d{}", d));
    const std::string text(term.text());
    Lexer lexer(text, "", "//");
    auto sum = read_affine_sum(lexer, dims);
    if (lexer.failed() || !lexer.at_end())
      reading.fail(term, fmt::format("map: expected a term such as 2*d1+d3, found {}", term.describe()));
    return sum;
  }

  void add_region(Fields& fields) {
    const auto write = [&] {
      Json words = Json::array();
      for (const auto& step : kernel_.region)
        if (step.kind != cnm::RegionStep::Kind::constant)
          words.push_back(step.text.substr(0, step.text.find(' ')));
      return words;
    };
    fields.field({"region", required,
                  [&](const Node& node, const std::string& label, Reading& reading) {
                    read_region(read_list(node, label, step_counts.low, step_counts.high, reading), reading);
                  },
                  [] {}, write, [] { return list_schema(step_counts, words_schema(arith_words())); },
                  "The operations of `arith` on one element of each operand, without their arguments."});
  }

  void read_region(const std::vector<Node>& words, Reading& reading) {
    if (reading.failed()) return;
    const auto inputs = HashSet<std::size_t>(operation_.operands.begin(), operation_.operands.end() - 1);
    operation_.updates = operation_.reads.size() > inputs.size();
    const bool reduces =
        std::find(kernel_.reduction.begin(), kernel_.reduction.end(), true) != kernel_.reduction.end();
    RegionOrder order(kernel_, reduces || operation_.updates);
    for (const Node& item : words) {
      const std::string text(item.text());
      const auto word = arith_word(text);
      if (!word)
        return reading.fail(item, fmt::format("region: expected an arith operation, found {}{}",
                                              item.describe(), suggestion(text, arith_words())));
      if (word->converts)
        order.convert(text);
      else
        order.operate(*word, text);
    }
    order.finish();
  }

  void add_pads(Fields& fields) {
    const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
      operation_.pads = read_integers(node, label, pad_counts.low, pad_counts.high, pad_range, reading);
      if (!reading.failed()) extend_image(node, reading);
    };
    const auto write = [&] {
      const auto& pads = operation_.pads;
      return std::any_of(pads.begin(), pads.end(), [](Int pad) { return pad != 0; }) ? Json(pads) : Json();
    };
    fields.field({"pads", optional, read, [] {}, write,
                  [] { return list_schema(pad_counts, integer_schema(pad_range)); },
                  "Pads before each of the last dimensions of the input with windows, then those after them; "
                  "absent if all are 0."});
  }

  // Extends the input that is accessed in windows by its pads.
  void extend_image(const Node& node, Reading& reading) {
    const auto has_window = [](const cnm::AffineExpr& expr) {
      return expr.factors.size() -
                 static_cast<std::size_t>(std::count(expr.factors.begin(), expr.factors.end(), 0)) >
             1;
    };
    const std::size_t axes = operation_.pads.size() / 2;
    const auto image = std::find_if(
        kernel_.operands.begin(), kernel_.operands.end(),
        [&](const auto& operand) { return std::any_of(operand.map.begin(), operand.map.end(), has_window); });
    const auto refuse = [&] {
      reading.fail(node, "pads: expected a number before and after each dim of an input with windows");
    };
    if (operation_.pads.size() % 2 != 0 || image == kernel_.operands.end()) return refuse();
    const auto& shape = shapes_[static_cast<std::size_t>(image - kernel_.operands.begin())];
    if (axes > std::min(shape.size(), image->dims.size())) return refuse();
    cnm::extend_by_pads(*image, shape, operation_.pads, kernel_.extents);
  }

  cnm::ProgramOperation& operation_;
  cnm::Kernel& kernel_;
  const cnm::KernelProgram& program_;
  const ValueNames& names_;
  std::vector<std::vector<Int>> shapes_;  ///< shapes of the operands' values
};

}  // namespace

void describe_kernel(Fields& fields, cnm::ProgramOperation& operation, const cnm::KernelProgram& program,
                     const ValueNames& names) {
  KernelFields(operation, program, names).describe(fields);
}

}  // namespace nestor::io
