// Parser of the MLIR text of a kernel in a result: one linalg.generic in a function, in a fixed notation.
#include <algorithm>
#include <set>

#include "check/cnm/model.h"

namespace nestor::check::cnm {
namespace {

constexpr std::size_t most_dims = 8;

class Text {
 public:
  explicit Text(const std::string& text) : text_(text) {}

  /// Moves past `piece` and returns true if the text continues with it. The number of blanks may differ.
  bool accept(const std::string& piece) {
    std::size_t at = after_blanks(at_);
    for (const char letter : piece) {
      if (letter == ' ') {
        at = after_blanks(at);
        continue;
      }
      if (at == text_.size() || text_[at] != letter) return false;
      ++at;
    }
    at_ = at;
    return true;
  }
  void expect(const std::string& piece) {
    if (!accept(piece)) throw Unreadable("its kernel is invalid: expected '" + piece + "'");
  }
  std::string word() {
    at_ = after_blanks(at_);
    const std::size_t end = std::min(text_.find_first_of(" \n,:;()<>[]{}=*+", at_), text_.size());
    if (end == at_) throw Unreadable("its kernel is invalid: expected a word");
    const auto word = text_.substr(at_, end - at_);
    at_ = end;
    return word;
  }
  /// Returns the text up to the next blank, line break or colon. Moves past `letter`, which must follow.
  std::string up_to(char letter) {
    at_ = after_blanks(at_);
    const std::size_t end = std::min(text_.find_first_of(" \n:", at_), text_.size());
    const auto words = text_.substr(at_, end - at_);
    at_ = end;
    expect(std::string(1, letter));
    return words;
  }
  Int number() {
    const auto digits = word();
    if (digits.size() > 15 || digits.find_first_not_of("0123456789") != std::string::npos)
      throw Unreadable("its kernel is invalid: expected a number");
    return std::stoll(digits);
  }

 private:
  std::size_t after_blanks(std::size_t at) const {
    while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\n')) ++at;
    return at;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

// Returns the name of an arith operation in the table of slots.
std::string operation_of(const std::string& word) {
  for (const std::string op :
       {"add", "sub", "mul", "div", "min", "max", "and", "or", "xor", "shl", "shr", "cmp"})
    for (const std::string ending : {"i", "f", "si", "ui", "imumf", "numf"})
      if (word == op + ending) return op;
  if (word == "select") return word;
  if (word == "negf") return "sub";
  for (const std::string move : {"extsi", "extui", "extf", "trunci", "truncf"})
    if (word == move) return "move";
  throw Unreadable("its kernel has an unknown operation");
}

class Reader {
 public:
  Reader(const std::string& text, const CnmMachine& machine, Int k) : text_(text), machine_(machine), k_(k) {}

  Kernel run() {
    text_.expect("module {");
    text_.expect("func.func @");
    kernel_.name = text_.word();
    text_.expect("(");
    while (!text_.accept(")")) argument();
    text_.expect("{");
    constexpr const char* generic = "linalg.generic {indexing_maps = [";
    if (!text_.accept(generic)) {
      window();
      text_.expect(generic);
    }
    while (!text_.accept("]")) index_map();
    text_.expect(", iterator_types = [");
    while (!text_.accept("]")) iterator();
    if (text_.accept(", library_call = \"")) {
      kernel_.library_call = text_.word();
      if (!kernel_.library_call.ends_with('"')) throw Unreadable("its library call has no name");
      kernel_.library_call.pop_back();
    }
    text_.expect("}");
    operands("ins(", false);
    operands("outs(", true);
    for (CnmOperand& operand : kernel_.operands) {
      operand.load = slots("load", operand.type);
      operand.store = slots("store", operand.type);
      operand.move = slots("move", operand.type);
    }
    kernel_.add = slots("add", "index");
    kernel_.move = slots("move", "index");
    kernel_.address = slots("lsladd", "index");
    region();
    text_.expect("} return } }");
    find_extents();
    forget_window();
    return std::move(kernel_);
  }

 private:
  Int slots(const std::string& op, const std::string& type) const {
    const auto found = machine_.slots.find(op + "." + type);
    return found == machine_.slots.end() ? unknown : found->second.of(k_);
  }

  void shape(Tuple& dims, std::string& type) {
    text_.expect("memref<");
    type = text_.word();
    for (auto x = type.find('x'); x != std::string::npos && x < type.find_first_not_of("0123456789x");
         x = type.find('x')) {
      const auto extent = type.substr(0, x);
      dims.push_back(Text(extent).number());
      type.erase(0, x + 1);
    }
    bytes_of(type);
    text_.expect(">");
  }
  void argument() {
    const auto name = text_.word();
    text_.expect(":");
    auto& [dims, type] = arguments_[name];
    shape(dims, type);
    text_.accept(",");
  }

  // Reads an operand that is only a shape. It determines the extent of each dim that is never an index by
  // itself in another operand.
  void window() {
    window_ = text_.word();
    text_.expect("= memref.alloc() :");
    if (arguments_.contains(window_)) throw Unreadable("two operands of its kernel have the same name");
    auto& [dims, type] = arguments_[window_];
    shape(dims, type);
  }
  void forget_window() {
    if (window_.empty()) return;
    auto& operands = kernel_.operands;
    const auto found = std::find_if(operands.begin(), operands.end(),
                                    [&](const CnmOperand& operand) { return operand.name == window_; });
    if (found == operands.end() || found->is_used || found->is_output)
      throw Unreadable("its kernel computes with an operand that is only a shape");
    const auto place = static_cast<std::size_t>(found - operands.begin());
    const auto move_up = [place](std::vector<std::size_t>& values) {
      for (std::size_t& value : values)
        if (value > place) --value;
    };
    move_up(kernel_.yields);
    for (auto& operation : kernel_.region) move_up(operation.arguments);
    operands.erase(found);
  }

  void index_map() {
    text_.expect("affine_map<(");
    std::size_t dims = 0;
    while (!text_.accept(")")) {
      text_.expect("d" + std::to_string(dims++));
      text_.accept(",");
    }
    if (dims == 0 || dims > most_dims || (!maps_.empty() && dims != dims_))
      throw Unreadable("the maps of its kernel have different numbers of dims");
    dims_ = dims;
    text_.expect("-> (");
    std::vector<Index> map;
    while (!text_.accept(")")) {
      map.push_back({Tuple(dims, 0), 0});
      do {
        if (!text_.accept("d")) {
          map.back().constant = plus(map.back().constant, text_.number());
          continue;
        }
        const auto d = static_cast<std::size_t>(text_.number());
        if (d >= dims) throw Unreadable("its kernel has a map of a dim that does not exist");
        Int& factor = map.back().factors[d];
        factor = plus(factor, text_.accept("*") ? text_.number() : Int{1});
      } while (text_.accept("+"));
      text_.accept(",");
    }
    text_.expect(">");
    text_.accept(",");
    maps_.push_back(std::move(map));
  }
  void iterator() {
    text_.expect("\"");
    const bool reduces = text_.accept("reduction\"");
    if (!reduces) text_.expect("parallel\"");
    kernel_.reduction.push_back(reduces);
    text_.accept(",");
  }

  void operands(const std::string& opening, bool are_outputs) {
    const std::size_t first = kernel_.operands.size();
    if (!text_.accept(opening)) {
      if (are_outputs) throw Unreadable("its kernel has no outputs");
      return;
    }
    do {
      CnmOperand operand;
      operand.name = text_.word();
      operand.is_output = are_outputs;
      if (kernel_.operands.size() == maps_.size()) throw Unreadable("an operand of its kernel has no map");
      operand.map = maps_[kernel_.operands.size()];
      kernel_.operands.push_back(std::move(operand));
    } while (text_.accept(","));
    text_.expect(":");
    for (std::size_t i = first; i < kernel_.operands.size(); ++i) {
      CnmOperand& operand = kernel_.operands[i];
      shape(operand.dims, operand.type);
      operand.bytes = bytes_of(operand.type);
      if (arguments_[operand.name] != std::pair(operand.dims, operand.type))
        throw Unreadable("an operand's shape or type differs from that of its argument");
      if (operand.dims.size() != operand.map.size())
        throw Unreadable("an operand does not have an index for each dim");
      if (i + 1 < kernel_.operands.size()) text_.expect(",");
    }
    text_.expect(")");
  }

  std::size_t value() {
    const auto found = values_.find(text_.word());
    if (found == values_.end()) throw Unreadable("its region uses a value that does not exist");
    if (found->second < kernel_.operands.size()) kernel_.operands[found->second].is_used = true;
    return found->second;
  }
  void region() {
    text_.expect("{ ^bb0(");
    do {
      values_.emplace(text_.word(), values_.size());
      text_.expect(":");
      text_.word();
    } while (text_.accept(","));
    text_.expect("):");
    if (values_.size() != kernel_.operands.size() || maps_.size() != kernel_.operands.size())
      throw Unreadable("its kernel does not have one map and value for each operand");
    while (!text_.accept("linalg.yield")) step();
    do kernel_.yields.push_back(value());
    while (text_.accept(","));
    text_.expect(":");
    do text_.word();
    while (text_.accept(","));
    const auto outputs = std::count_if(kernel_.operands.begin(), kernel_.operands.end(),
                                       [](const CnmOperand& operand) { return operand.is_output; });
    if (static_cast<std::size_t>(outputs) != kernel_.yields.size())
      throw Unreadable("its region does not yield one value for each output");
  }
  void step() {
    const auto name = text_.word();
    text_.expect("= arith.");
    const auto word = text_.word();
    Kernel::Operation operation;
    if (word == "constant") {
      operation.is_number = true;
      operation.number = text_.up_to(':');
      text_.word();
    } else {
      const auto op = operation.name = operation_of(word);
      if (op == "cmp") {
        text_.word();
        text_.expect(",");
      }
      do {
        const std::size_t used = value();
        operation.arguments.push_back(used);
        if (used < kernel_.operands.size())
          kernel_.operands[used].is_argument = kernel_.operands[used].is_output;
      } while (text_.accept(","));
      text_.expect(":");
      auto type = text_.word();
      if (op == "move") {
        text_.expect("to");
        type = text_.word();
      }
      operation.slots = slots(op, type);
    }
    values_[name] = kernel_.operands.size() + kernel_.region.size();
    kernel_.region.push_back(operation);
  }

  // Determines the extent of each dim from an index that is this dim alone. Checks that no index exceeds the
  // extents of its operand.
  void find_extents() {
    if (kernel_.reduction.size() != dims_) throw Unreadable("its kernel does not have a kind for each dim");
    std::set<std::string> names;
    kernel_.extents.assign(dims_, 0);
    for (CnmOperand& operand : kernel_.operands) {
      if (!names.insert(operand.name).second) require_other_map(operand);
      for (std::size_t d = 0; d < dims_; ++d) operand.is_summed |= kernel_.reduction[d] && !operand.uses(d);
      for (std::size_t k = 0; k < operand.map.size(); ++k)
        for (std::size_t d = 0; d < dims_; ++d) {
          Index alone{Tuple(dims_, 0), 0};
          alone.factors[d] = 1;
          if (operand.map[k].factors == alone.factors && operand.map[k].constant == 0 &&
              kernel_.extents[d] == 0)
            kernel_.extents[d] = operand.dims[k];
        }
    }
    for (const Int extent : kernel_.extents)
      if (extent < 1) throw NotChecked("a dim of its kernel is not an index by itself");
    for (const CnmOperand& operand : kernel_.operands)
      for (std::size_t k = 0; k < operand.map.size(); ++k)
        if (plus(operand.map[k].reach(kernel_.extents), operand.map[k].constant) > operand.dims[k])
          throw Unreadable("a map of its kernel reaches outside an operand");
  }

  // An operand that occurs twice has different maps; otherwise it is a single operand.
  void require_other_map(const CnmOperand& again) {
    for (const CnmOperand& operand : kernel_.operands) {
      const bool is_same = operand.name == again.name && operand.map == again.map;
      if (&operand != &again && is_same) throw Unreadable("an operand of its kernel occurs twice");
    }
    kernel_.repeats_operand = true;
  }

  Text text_;
  const CnmMachine& machine_;
  Int k_;
  Kernel kernel_;
  std::size_t dims_ = 0;
  std::map<std::string, std::pair<Tuple, std::string>> arguments_;
  std::string window_;  // name of the window operand, or empty
  std::vector<std::vector<Index>> maps_;
  std::map<std::string, std::size_t> values_;
};

}  // namespace

Int bytes_of(const std::string& type) {
  static const std::map<std::string, Int> bytes = {{"i8", 1},  {"i16", 2}, {"i32", 4},
                                                   {"i64", 8}, {"f16", 2}, {"bf16", 2},
                                                   {"f32", 4}, {"f64", 8}, {"index", 4}};
  const auto found = bytes.find(type);
  if (found == bytes.end()) throw Unreadable("it has elements of an unknown type");
  return found->second;
}

void require_provable(const Kernel& kernel) {
  if (!kernel.library_call.empty()) throw NotChecked("its kernel calls a library program");
  if (kernel.repeats_operand) throw NotChecked("an operand of its kernel occurs twice");
}

Kernel read_kernel(const std::string& text, const CnmMachine& machine, Int k) {
  return Reader(text, machine, k).run();
}

}  // namespace nestor::check::cnm
