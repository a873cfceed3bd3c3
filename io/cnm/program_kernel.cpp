#include "io/cnm/program_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/cnm/lexer.h"
#include "io/cnm/mlir_region.h"
#include "io/cnm/mlir_types.h"

namespace nestor::io {
namespace {

constexpr std::size_t most_kernel_operands = 32;
constexpr std::size_t most_operand_dims = 16;  ///< dims of an operand
constexpr std::size_t most_region_steps = 1000;

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

}  // namespace

Json kernel_json(const cnm::KernelProgram& program, const cnm::ProgramOperation& operation) {
  const cnm::Kernel& kernel = *operation.kernel;
  Json json = {{"dims", kernel.extents}, {"reduction", Json::array()}};
  for (const bool reduced : kernel.reduction) json["reduction"].push_back(reduced ? 1 : 0);
  auto operands = Json::array();
  for (std::size_t i = 0; i < kernel.operands.size(); ++i) {
    auto map = Json::array();
    for (const auto& expr : kernel.operands[i].map) map.push_back(term_text(expr));
    operands.push_back({{"value", program.values[operation.operands[i]].name},
                        {"map", std::move(map)},
                        {"out", kernel.operands[i].output}});
  }
  json["operands"] = std::move(operands);
  auto region = Json::array();
  for (const auto& step : kernel.region)
    if (step.kind != cnm::RegionStep::Kind::constant)
      region.push_back(step.text.substr(0, step.text.find(' ')));
  json["region"] = std::move(region);
  if (std::any_of(operation.pads.begin(), operation.pads.end(), [](Int pad) { return pad != 0; }))
    json["pads"] = operation.pads;
  return json;
}

namespace {

class KernelReader {
 public:
  KernelReader(const cnm::KernelProgram& program, const HashMap<std::string, std::size_t>& names,
               cnm::ProgramOperation& operation, Reading& reading)
      : program_(program), names_(names), operation_(operation), reading_(reading) {}

  void run(const Node& node) {
    constexpr std::array<std::string_view, 5> keys = {"dims", "reduction", "operands", "region", "pads"};
    const MapReader reader(node, "kernel", keys, reading_);
    kernel_.name = operation_.name;
    for (const Node& extent : reader.list("dims", 1, cnm::max_dims))
      kernel_.extents.push_back(read_integer(extent, "an extent", {1, cnm::max_count}, reading_));
    for (const Node& reduced : reader.list("reduction", kernel_.extents.size(), kernel_.extents.size()))
      kernel_.reduction.push_back(read_integer(reduced, "reduction", {0, 1}, reading_) == 1);
    for (const Node& operand : reader.list("operands", 1, most_kernel_operands)) read_operand(operand);
    const auto region = reader.list("region", 0, most_region_steps);
    if (const auto pads = reader.find("pads")) read_pads(*pads);
    if (reading_.failed()) return;
    if (!kernel_.operands.back().output || kernel_.operands.size() - 1 != inputs_)
      return reading_.fail(node, "operands: expected inputs followed by one output");
    read_region(region);
    if (reading_.failed()) return;
    if (const auto fault = cnm::find_fault(kernel_); !fault.empty()) return reading_.fail(node, fault);
    operation_.kernel = std::move(kernel_);
  }

 private:
  void read_operand(const Node& node) {
    constexpr std::array<std::string_view, 3> keys = {"value", "map", "out"};
    const MapReader reader(node, "operand", keys, reading_);
    cnm::KernelOperand operand;
    operand.name = reader.title("value");
    operand.output = reader.flag("out", false);
    const auto value = names_.find(operand.name);
    if (reading_.failed()) return;
    if (value == names_.end()) return reading_.fail(node, fmt::format("no value {}", quote(operand.name)));
    const std::string type = "tensor<" + program_.values[value->second].type + ">";
    Lexer lexer(type, "", "//");
    const ShapedType shape = read_shaped_type(lexer);
    if (lexer.failed() || shape.scalar)
      return reading_.fail(
          node, fmt::format("{} has no type, expected a type such as 16x32xf32", quote(operand.name)));
    operand.type = shape.element;
    operand.dims = shape.dims;
    shapes_.push_back(shape.dims);
    for (const Node& term : reader.list("map", 0, most_operand_dims)) operand.map.push_back(read_term(term));
    if (operand.map.size() != operand.dims.size()) {  // the operand is a view; the dims determine its extents
      operand.dims.clear();
      for (const auto& expr : operand.map) operand.dims.push_back(cnm::reach(expr, kernel_.extents));
    }
    inputs_ += operand.output ? 0 : 1;
    operation_.operands.push_back(value->second);
    kernel_.operands.push_back(std::move(operand));
  }

  // Reads the pads of the input that is accessed in windows. There is a pad before and after each of its last
  // dims.
  void read_pads(const Node& node) {
    const auto has_window = [](const cnm::AffineExpr& expr) {
      return expr.factors.size() -
                 static_cast<std::size_t>(std::count(expr.factors.begin(), expr.factors.end(), 0)) >
             1;
    };
    for (const Node& pad : read_list(node, "pads", 2, 2 * most_operand_dims, reading_))
      operation_.pads.push_back(read_integer(pad, "a pad", {0, cnm::max_count}, reading_));
    if (reading_.failed()) return;
    const std::size_t axes = operation_.pads.size() / 2;
    const auto image = std::find_if(
        kernel_.operands.begin(), kernel_.operands.end(),
        [&](const auto& operand) { return std::any_of(operand.map.begin(), operand.map.end(), has_window); });
    const auto refuse = [&] {
      reading_.fail(node, "pads: expected a number before and after each dim of an input with windows");
    };
    if (operation_.pads.size() % 2 != 0 || image == kernel_.operands.end()) return refuse();
    const auto& shape = shapes_[static_cast<std::size_t>(image - kernel_.operands.begin())];
    if (axes > std::min(shape.size(), image->dims.size())) return refuse();
    cnm::extend_by_pads(*image, shape, operation_.pads, kernel_.extents);
  }

  cnm::AffineExpr read_term(const Node& term) {
    std::vector<std::string> dims;
    for (std::size_t d = 0; d < kernel_.extents.size(); ++d) dims.push_back(fmt::format("d{}", d));
    const std::string text(term.text());
    Lexer lexer(text, "", "//");
    auto sum = read_affine_sum(lexer, dims);
    if (lexer.failed() || !lexer.at_end())
      reading_.fail(term, fmt::format("map: expected a term such as 2*d1+d3, found {}", term.describe()));
    return sum;
  }

  void read_region(const std::vector<Node>& region) {
    const auto inputs = HashSet<std::size_t>(operation_.operands.begin(), operation_.operands.end() - 1);
    operation_.updates = operation_.reads.size() > inputs.size();
    const bool reduces =
        std::find(kernel_.reduction.begin(), kernel_.reduction.end(), true) != kernel_.reduction.end();
    RegionOrder order(kernel_, reduces || operation_.updates);
    for (const Node& item : region) {
      const std::string text(item.text());
      const auto word = arith_word(text);
      if (!word)
        return reading_.fail(item, fmt::format("region: expected an arith operation, found {}{}",
                                               item.describe(), suggestion(text, arith_words())));
      if (word->converts)
        order.convert(text);
      else
        order.operate(*word, text);
    }
    order.finish();
  }

  const cnm::KernelProgram& program_;
  const HashMap<std::string, std::size_t>& names_;
  cnm::ProgramOperation& operation_;
  Reading& reading_;
  cnm::Kernel kernel_;
  std::vector<std::vector<Int>> shapes_;  ///< shapes of the operands' values
  std::size_t inputs_ = 0;
};

}  // namespace

void read_kernel(const Node& node, const cnm::KernelProgram& program,
                 const HashMap<std::string, std::size_t>& names, cnm::ProgramOperation& operation,
                 Reading& reading) {
  KernelReader(program, names, operation, reading).run(node);
}

}  // namespace nestor::io
