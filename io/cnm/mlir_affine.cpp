#include <fmt/format.h>

#include <algorithm>

#include "io/checked_reader.h"
#include "io/cnm/mlir_dialects.h"
#include "io/cnm/mlir_linalg.h"

namespace nestor::io {
namespace {

using cnm::AffineExpr;

constexpr std::size_t most_accesses = 32;

// Reader of a perfect loop nest. Its loops run from 0 to constants; its body has loads, arith operations and
// stores of single elements. While the body is read, the loads are operands of a draft kernel with
// `most_accesses` operands. The final operands replace them at the end.
class AffineNestReader {
 public:
  AffineNestReader(Lexer& lexer, const Token& token, MlirValues& values)
      : lexer_(lexer), where_(token.where), values_(values), body_(lexer, where_, draft_, values) {
    draft_.operands.resize(most_accesses);
  }

  void run() {
    do head();
    while (lexer_.accept("affine.for") && !lexer_.failed());
    while (!lexer_.at_end() && !lexer_.is("}")) statement();
    for (std::size_t d = 0; d < loops_.size() && !lexer_.failed(); ++d) {
      lexer_.accept("affine.yield");
      if (!lexer_.accept("}")) return refuse_imperfect(lexer_.peek());
      skip_attributes(lexer_);
    }
    if (!lexer_.failed()) finish();
  }

 private:
  struct Access {
    Token token;
    std::string name;  // name of the buffer
    SsaValue buffer;
    std::vector<AffineExpr> map;
    std::size_t stored = 0;  // for a store: the stored value, as an argument of the draft
  };

  void refuse_imperfect(const Token& token) {
    lexer_.fail(
        token.where,
        "an imperfect nest of affine.for, expected loads, arith and stores only in the innermost loop");
  }

  // Reads "%i = 0 to 8 {" after "affine.for".
  void head() {
    const Token name = lexer_.peek();
    loops_.push_back(lexer_.word("a loop's variable such as %i"));
    lexer_.expect("=");
    if (!lexer_.accept("0")) return lexer_.fail_here("a loop from 0");
    lexer_.expect("to");
    if (lexer_.peek().kind != TokenKind::number) return lexer_.fail_here("a constant number of trips");
    draft_.extents.push_back(lexer_.number("trips", 1, cnm::max_count));
    if (lexer_.accept("step") && !lexer_.accept("1")) return lexer_.fail_here("a step of 1");
    if (lexer_.is("iter_args")) return lexer_.fail_here("a loop without iter_args, whose sum is in a buffer");
    if (loops_.size() > cnm::max_dims)
      return lexer_.fail(name.where, fmt::format("more than {} loops", cnm::max_dims));
    lexer_.expect("{");
  }

  // Reads "%m[%i, %k + 1] : memref<...>".
  Access access() {
    Access access;
    access.token = MlirValues::take_name(lexer_, access.name);
    if (!lexer_.failed()) access.buffer = values_.find(access.token, access.name);
    lexer_.expect("[");
    while (!lexer_.at_end() && !lexer_.is("]")) {
      access.map.push_back(read_affine_sum(lexer_, loops_));
      if (!lexer_.accept(",")) break;
    }
    lexer_.expect("]");
    skip_attributes(lexer_);
    lexer_.expect(":");
    const ShapedType type = read_shaped_type(lexer_);
    if (!lexer_.failed() && !is_compatible(type, access.buffer.type))
      lexer_.fail(access.token.where, fmt::format("the type of {} differs from its definition", access.name));
    if (!lexer_.failed() && access.map.size() != access.buffer.type.dims.size())
      lexer_.fail(access.token.where, fmt::format("{} has {} dims, found {} indices", access.name,
                                                  access.buffer.type.dims.size(), access.map.size()));
    if (!lexer_.failed() && loads_.size() + stores_.size() >= most_accesses)
      lexer_.fail(access.token.where, fmt::format("more than {} loads and stores", most_accesses));
    return access;
  }

  void statement() {
    const Token first = lexer_.next();
    if (first.text == "affine.yield") return;
    if (first.text == "affine.store" || first.text == "memref.store") {
      const std::size_t stored = body_.value();
      lexer_.expect(",");
      stores_.push_back(access());
      stores_.back().stored = stored;
      return;
    }
    if (first.text == "affine.for") return refuse_imperfect(first);
    if (!first.text.starts_with('%')) return refuse(first);
    lexer_.expect("=");
    const Token what = lexer_.next();
    if (what.text == "affine.load" || what.text == "memref.load") {
      loads_.push_back(access());
      for (const Access& store : stores_)
        if (store.buffer.store == loads_.back().buffer.store && !lexer_.failed())
          return lexer_.fail(what.where, fmt::format("a load of {} after its store", store.name));
      return body_.bind(std::string(first.text), loads_.size() - 1);
    }
    if (!what.text.starts_with("arith.")) return refuse(what);
    body_.step(std::string(first.text), what);
  }

  void refuse(const Token& token) {
    if (const auto advice = lowering_advice(token.text); !advice.empty())
      return lexer_.fail(token.where, advice);
    lexer_.fail_at(token, "affine.load, an arith operation or affine.store");
  }

  static bool uses(const Access& access, std::size_t dim) {
    return std::any_of(access.map.begin(), access.map.end(),
                       [&](const AffineExpr& expr) { return expr.factors[dim] != 0; });
  }

  // Checks that a loop whose variable alone is the index of a dim covers this dim completely, as a kernel
  // requires.
  bool covers_buffer(const Access& access) {
    for (std::size_t k = 0; k < access.map.size(); ++k)
      for (std::size_t d = 0; d < loops_.size(); ++d) {
        AffineExpr alone{std::vector<Int>(loops_.size(), 0), 0};
        alone.factors[d] = 1;
        if (access.map[k] != alone || access.buffer.type.dims[k] == draft_.extents[d]) continue;
        lexer_.fail(access.token.where,
                    fmt::format("{} has {} elements in dim {}, of which {} uses {}: expected all of them, "
                                "for example of a memref.subview",
                                access.name, access.buffer.type.dims[k], k, loops_[d], draft_.extents[d]));
        return false;
      }
    return true;
  }

  // Returns the operand for an access. Its map refers to the loops that were open when the access was read.
  // In a perfect nest, these are all loops.
  cnm::KernelOperand operand_of(const Access& access, bool output, const cnm::Kernel& kernel) const {
    cnm::KernelOperand operand;
    operand.name = operand_name(kernel, access.name);
    operand.type = access.buffer.type.element;
    operand.dims = access.buffer.type.dims;
    operand.map = access.map;
    operand.output = output;
    return operand;
  }

  bool take_inputs(cnm::Kernel& kernel, std::vector<SsaValue>& inputs, std::vector<std::size_t>& place) {
    std::vector<std::size_t> of_output(loads_.size(), stores_.size());
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      const Access& load = loads_[i];
      for (std::size_t s = 0; s < stores_.size(); ++s) {
        if (stores_[s].buffer.store != load.buffer.store) continue;
        if (stores_[s].map != load.map) {
          lexer_.fail(load.token.where,
                      fmt::format("a load of an element of {} that differs from the stored one", load.name));
          return false;
        }
        of_output[i] = s;
      }
      if (of_output[i] < stores_.size()) continue;
      std::size_t at = 0;
      while (at < inputs.size() &&
             (inputs[at].store != load.buffer.store || kernel.operands[at].map != load.map))
        ++at;
      if (at == inputs.size()) {
        kernel.operands.push_back(operand_of(load, false, kernel));
        inputs.push_back(load.buffer);
        if (values_.is_empty(load.buffer)) lexer_.fail_at(load.token, "a value that has been written");
      }
      place[i] = at;
    }
    for (std::size_t i = 0; i < loads_.size(); ++i)
      if (of_output[i] < stores_.size()) place[i] = inputs.size() + of_output[i];
    return !lexer_.failed();
  }

  void finish() {
    if (stores_.empty()) return lexer_.fail(where_, "a nest of affine.for without a store");
    for (const auto* accesses : {&loads_, &stores_})
      for (const Access& access : *accesses)
        if (!covers_buffer(access)) return;
    cnm::Kernel kernel;
    kernel.extents = draft_.extents;
    for (std::size_t d = 0; d < loops_.size(); ++d) {
      kernel.reduction.push_back(!uses(stores_[0], d));
      for (const Access& store : stores_)
        if (uses(store, d) == kernel.reduction[d])
          return lexer_.fail(store.token.where, "stores that use different loops than the first");
    }
    std::vector<SsaValue> inputs;
    std::vector<std::size_t> place(most_accesses, 0);
    if (!take_inputs(kernel, inputs, place)) return;
    for (const Access& store : stores_) kernel.operands.push_back(operand_of(store, true, kernel));
    const auto placed = [&](std::size_t argument) {
      return argument < most_accesses ? place[argument] : argument - most_accesses + kernel.operands.size();
    };
    kernel.region = draft_.region;
    for (cnm::RegionStep& step : kernel.region)
      for (std::size_t& argument : step.arguments) argument = placed(argument);
    std::vector<MlirValues::Written> outputs;
    for (const Access& store : stores_) kernel.yields.push_back(placed(store.stored));
    note_reads(kernel);
    for (std::size_t s = 0; s < stores_.size(); ++s)
      outputs.push_back({stores_[s].buffer, {}, kernel.operands[inputs.size() + s].read});
    cnm::ProgramOperation operation;
    operation.kernel = std::move(kernel);
    values_.add_operation(where_, std::move(operation), inputs, outputs, false);
  }

  Lexer& lexer_;
  SourceLocation where_;
  MlirValues& values_;
  cnm::Kernel draft_;
  RegionReader body_;
  std::vector<std::string> loops_;
  std::vector<Access> loads_, stores_;
};

}  // namespace

void read_affine_nest(Lexer& lexer, const Token& token, MlirValues& values) {
  AffineNestReader(lexer, token, values).run();
}

}  // namespace nestor::io
