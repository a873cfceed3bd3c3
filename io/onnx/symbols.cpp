#include "io/onnx/symbols.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <vector>

namespace nestor::io::onnx_import {
namespace {

constexpr Int largest_extent = Int{1} << 40;

// Exporters write an unknown extent without a value or as -1; both get a generated name.
std::string symbol_of(const ::onnx::ValueInfoProto& input, int axis) {
  const auto& dim = input.type().tensor_type().shape().dim(axis);
  if (dim.has_dim_param() && !dim.dim_param().empty()) return dim.dim_param();
  if (dim.has_dim_value() && dim.dim_value() != unknown_dim) return {};
  return fmt::format("{}[{}]", input.name(), axis);
}

// True for the usual names of a batch, which exporters may put in any position, such as the second dimension
// of a key-value cache.
bool names_a_batch(const std::string& symbol) {
  static constexpr std::array<std::string_view, 6> names = {"batch", "batch_size", "N", "n", "B", "bs"};
  return std::find(names.begin(), names.end(), symbol) != names.end();
}

}  // namespace

Result<Symbols> Symbols::from(const OnnxOptions& options) {
  Symbols symbols;
  const auto check = [](std::string_view what, Int value) -> MaybeError {
    if (value >= 1 && value <= largest_extent) return std::nullopt;
    return usage_error(fmt::format("{} is {}; expected 1 to {}", what, value, largest_extent));
  };
  if (options.batch) {
    if (auto error = check("--batch", *options.batch)) return *error;
    symbols.batch_ = options.batch;
  }
  for (const DimBinding& binding : options.dims) {
    if (auto error = check(fmt::format("--dim {}", binding.name), binding.value)) return *error;
    if (!symbols.bound_.emplace(binding.name, binding.value).second) {
      return usage_error(fmt::format("--dim {} is given twice", binding.name));
    }
  }
  return symbols;
}

void Symbols::note(const ::onnx::ValueInfoProto& input) {
  for (int axis = 0; axis < input.type().tensor_type().shape().dim_size(); ++axis) {
    const std::string symbol = symbol_of(input, axis);
    if (symbol.empty()) continue;
    const bool leads = axis == 0 || names_a_batch(symbol);
    const auto [place, fresh] = leads_everywhere_.emplace(symbol, leads);
    if (!fresh) place->second = place->second && leads;
  }
}

bool Symbols::is_batch(const std::string& symbol) const {
  const auto place = leads_everywhere_.find(symbol);
  return place != leads_everywhere_.end() && place->second && !bound_.contains(symbol);
}

std::optional<Int> Symbols::value_of(const std::string& symbol) const {
  if (const auto place = bound_.find(symbol); place != bound_.end()) return place->second;
  if (is_batch(symbol)) return batch_.value_or(1);
  return std::nullopt;
}

Result<std::optional<Shape>> Symbols::input_shape(const ::onnx::ValueInfoProto& input,
                                                  const std::string& file) const {
  if (!input.type().tensor_type().has_shape()) return std::optional<Shape>();
  Shape shape;
  const auto& dims = input.type().tensor_type().shape().dim();
  for (int axis = 0; axis < dims.size(); ++axis) {
    const std::string symbol = symbol_of(input, axis);
    if (symbol.empty()) {
      const Int extent = dims[axis].dim_value();
      if (extent < 1 || extent > largest_extent) {
        return input_error({file}, fmt::format("dimension {} of input '{}' is {}; expected 1 to {}", axis,
                                               input.name(), extent, largest_extent));
      }
      shape.push_back(extent);
      continue;
    }
    const auto value = value_of(symbol);
    if (!value) {
      return input_error({file},
                         fmt::format("dimension {} of input '{}' is the symbol '{}', which has no value; "
                                     "bind it with --dim '{}=VALUE'",
                                     axis, input.name(), symbol, symbol));
    }
    shape.push_back(*value);
  }
  return std::optional<Shape>(std::move(shape));
}

std::optional<Shape> Symbols::stated_shape(const ::onnx::TypeProto& type) const {
  if (!type.tensor_type().has_shape()) return std::nullopt;
  Shape shape;
  for (const auto& dim : type.tensor_type().shape().dim()) {
    Int extent = unknown_dim;
    if (dim.has_dim_value()) {
      if (dim.dim_value() >= 0 && dim.dim_value() <= largest_extent) extent = dim.dim_value();
    } else if (dim.has_dim_param()) {
      extent = value_of(dim.dim_param()).value_or(unknown_dim);
    }
    shape.push_back(extent);
  }
  return shape;
}

MaybeError Symbols::check_all_used() const {
  std::vector<std::string_view> names;
  bool batch_exists = false;
  for (const auto& [symbol, leads] : leads_everywhere_) {
    names.emplace_back(symbol);
    batch_exists = batch_exists || is_batch(symbol);
  }
  for (const auto& [name, value] : bound_) {
    if (leads_everywhere_.contains(name)) continue;
    return usage_error(fmt::format("--dim {}: no input has a symbolic dimension of this name{}", name,
                                   suggestion(name, names)));
  }
  if (batch_ && *batch_ != 1 && !batch_exists) {
    return usage_error(fmt::format(
        "--batch {}: the model's inputs have no symbolic leading dimension, so its batch is fixed", *batch_));
  }
  return std::nullopt;
}

}  // namespace nestor::io::onnx_import
