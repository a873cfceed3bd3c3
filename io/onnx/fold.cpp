#include "io/onnx/fold.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace nestor::io::onnx_import {
namespace {

// Reals beyond the range of Int (infinities, sentinels) are clamped. Models use them for the ends of slices,
// which are clamped anyway.
Int to_integer(double value) {
  constexpr double limit = 9.2e18;
  if (std::isnan(value)) return 0;
  return static_cast<Int>(std::clamp(value, -limit, limit));
}

std::optional<Int> fold_integers(std::string_view op, Int a, Int b) {
  if (op == "Add" || op == "Sum") return checked_add(a, b);
  if (op == "Sub") {
    if (b == std::numeric_limits<Int>::min()) return std::nullopt;
    return checked_add(a, -b);
  }
  if (op == "Mul") return checked_multiply(a, b);
  if (op == "Min") return std::min(a, b);
  if (op == "Max") return std::max(a, b);
  if (op == "Equal") return a == b ? 1 : 0;
  if (op == "Less") return a < b ? 1 : 0;
  if (op == "LessOrEqual") return a <= b ? 1 : 0;
  if (op == "Greater") return a > b ? 1 : 0;
  if (op == "GreaterOrEqual") return a >= b ? 1 : 0;
  if (op == "And") return a != 0 && b != 0 ? 1 : 0;
  if (op == "Or") return a != 0 || b != 0 ? 1 : 0;
  if (b == 0 || (b == -1 && a == std::numeric_limits<Int>::min())) return std::nullopt;
  if (op == "Div") return a / b;
  if (op == "Mod") {
    const Int rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  }
  return std::nullopt;
}

std::optional<double> fold_reals(std::string_view op, double a, double b) {
  if (op == "Add" || op == "Sum") return a + b;
  if (op == "Sub") return a - b;
  if (op == "Mul") return a * b;
  if (op == "Div") return b == 0 ? std::nullopt : std::optional(a / b);
  if (op == "Pow") return std::pow(a, b);
  if (op == "Min") return std::min(a, b);
  if (op == "Max") return std::max(a, b);
  return std::nullopt;
}

std::optional<double> fold_real(std::string_view op, double a) {
  if (op == "Identity") return a;
  if (op == "Floor") return std::floor(a);
  if (op == "Ceil") return std::ceil(a);
  if (op == "Round") return std::nearbyint(a);
  if (op == "Sqrt") return a < 0 ? std::nullopt : std::optional(std::sqrt(a));
  if (op == "Neg") return -a;
  if (op == "Abs") return std::fabs(a);
  return std::nullopt;
}

std::optional<Int> fold_integer(std::string_view op, Int a) {
  if (op == "Identity") return a;
  if (op == "Not") return a == 0 ? 1 : 0;
  if (op == "Sign") return (a > 0 ? 1 : 0) - (a < 0 ? 1 : 0);
  if (a == std::numeric_limits<Int>::min()) return std::nullopt;
  if (op == "Neg") return -a;
  if (op == "Abs") return a < 0 ? -a : a;
  return std::nullopt;
}

// Applies `apply` pairwise; a list of one element is broadcast. Tensors with more than one dimension are not
// broadcast, because models compute shapes with lists.
template <typename Value, typename Apply>
bool combine(const std::vector<Value>& a, const std::vector<Value>& b, std::vector<Value>& out, Apply apply) {
  if (a.empty() || b.empty() || (a.size() != b.size() && a.size() != 1 && b.size() != 1)) return false;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const auto value = apply(a[a.size() == 1 ? 0 : i], b[b.size() == 1 ? 0 : i]);
    if (!value) return false;
    out.push_back(*value);
  }
  return true;
}

std::optional<Constant> fold_unary(std::string_view op, const Constant& input) {
  Constant result;
  result.real = input.real;
  for (const double value : input.reals) {
    const auto folded = fold_real(op, value);
    if (!folded) return std::nullopt;
    result.reals.push_back(*folded);
  }
  for (const Int value : input.integers) {
    const auto folded = fold_integer(op, value);
    if (!folded) return std::nullopt;
    result.integers.push_back(*folded);
  }
  return result;
}

std::optional<Constant> fold_binary(std::string_view op, const Constant& a, const Constant& b) {
  if (a.real != b.real) return std::nullopt;
  Constant result;
  result.real = a.real;
  const bool folded = a.real ? combine(a.reals, b.reals, result.reals,
                                       [&](double x, double y) { return fold_reals(op, x, y); })
                             : combine(a.integers, b.integers, result.integers,
                                       [&](Int x, Int y) { return fold_integers(op, x, y); });
  if (!folded) return std::nullopt;
  return result;
}

std::optional<Constant> fold_where(const Constant& condition, const Constant& yes, const Constant& no) {
  if (condition.real || yes.real || no.real) return std::nullopt;
  const std::size_t size = std::max({condition.size(), yes.size(), no.size()});
  Constant result;
  const auto at = [&](const Constant& list, std::size_t i) {
    return list.integers[list.size() == 1 ? 0 : i];
  };
  for (const Constant* list : {&condition, &yes, &no}) {
    if (list->size() != size && list->size() != 1) return std::nullopt;
  }
  for (std::size_t i = 0; i < size; ++i)
    result.integers.push_back(at(condition, i) != 0 ? at(yes, i) : at(no, i));
  return result;
}

// True if every operand has at most one dimension or the shape of the first operand. Other operands cannot be
// folded.
bool lists_only(const NodeView& node) {
  for (std::size_t i = 0; i < node.input_count(); ++i) {
    const Shape* shape = node.shape(i);
    if (shape == nullptr || (shape->size() > 1 && *shape != *node.shape(0))) return false;
  }
  return true;
}

}  // namespace

void fold_elementwise(NodeView& node) {
  const Constant* first = node.constant(0);
  if (first == nullptr || node.failed()) return;
  const std::string& op = node.node().op;
  std::optional<Constant> result;
  if (node.input_count() == 1) {
    result = fold_unary(op, *first);
  } else if (lists_only(node)) {
    result = *first;
    for (std::size_t i = 1; i < node.input_count(); ++i) {
      if (node.constant(i) == nullptr) return;
    }
    if (op == "Where") {
      if (node.input_count() == 3) result = fold_where(*first, *node.constant(1), *node.constant(2));
    } else {
      for (std::size_t i = 1; i < node.input_count() && result; ++i) {
        result = fold_binary(op, *result, *node.constant(i));
      }
    }
  }
  if (result) node.set_value(0, std::move(*result));
}

void fold_cast(NodeView& node, std::int32_t type) {
  const Constant* input = node.constant(0);
  if (input == nullptr || node.failed()) return;
  Constant result;
  result.real = type == float_type || type == double_type || type == float16_type || type == bfloat16_type;
  if (!result.real && !quantised_bits(type)) return;
  for (const double value : input->reals) {
    if (result.real) {
      result.reals.push_back(value);
    } else {
      result.integers.push_back(type == bool_type ? static_cast<Int>(value != 0) : to_integer(value));
    }
  }
  for (const Int value : input->integers) {
    if (result.real) {
      result.reals.push_back(static_cast<double>(value));
    } else {
      result.integers.push_back(type == bool_type ? static_cast<Int>(value != 0) : value);
    }
  }
  node.set_value(0, std::move(result));
}

void fold_copy(NodeView& node) {
  const Constant* input = node.constant(0);
  if (input != nullptr && !node.failed()) node.set_value(0, *input);
}

void fold_reduce(NodeView& node) {
  const Constant* input = node.constant(0);
  const Shape* shape = node.shape(0);
  if (input == nullptr || node.failed() || input->real || input->integers.empty() || shape->size() > 1)
    return;
  const std::string& op = node.node().op;
  const std::string_view step = op == "ReduceSum"    ? "Add"
                                : op == "ReduceProd" ? "Mul"
                                : op == "ReduceMax"  ? "Max"
                                : op == "ReduceMin"  ? "Min"
                                                     : "";
  std::optional<Int> value = input->integers.front();
  for (std::size_t i = 1; i < input->integers.size() && value; ++i) {
    value = fold_integers(step, *value, input->integers[i]);
  }
  if (value && !step.empty()) node.set_value(0, {.real = false, .integers = {*value}, .reals = {}});
}

}  // namespace nestor::io::onnx_import
