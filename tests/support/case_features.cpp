#include "support/case_features.h"

#include "support/random_cases.h"
#include "support/setting.h"

namespace nestor::tests {
namespace {

using Features = std::array<bool, static_cast<std::size_t>(Feature::count_)>;

constexpr std::array<const char*, static_cast<std::size_t>(Feature::count_)> feature_names = {
    "bypass",
    "uneven blocks",
    "double buffering",
    "returning partial sums",
    "two-iteration loop",
    "stride",
    "dilation",
    "batch",
    "spatial reduction",
    "four memories in a chain"};

/// Marks the features that one operand's chain of memories has.
void mark_chain(const Architecture& machine, const LayerShape& layer, const Mapping& mapping, Operand operand,
                Features& has) {
  const auto mark = [&](Feature feature) { has[static_cast<std::size_t>(feature)] = true; };
  const std::size_t x = index_of(operand);
  std::size_t used = 0;
  std::size_t end = 0;  // index one past the block of the current memory
  bool reduced = false;
  bool returns = false;
  for (const std::uint8_t m : chain_of(operand, machine)) {
    const std::size_t begin = end;
    while (end < mapping.loops.size() && mapping.loops[end].at[x] == m)
      reduced |= layer.is_reduction(mapping.loops[end++].dim);
    const bool ends = m == machine.home(operand) || m == machine.innermost(operand);
    if (end == begin && !ends) mark(Feature::bypass);
    if (end > begin || ends) ++used;
    if (m == machine.innermost(operand)) break;
    if (end > begin && mapping.loops[end - 1].factor == 2) mark(Feature::two_iteration_loop);
    if (end > begin && reduced) returns = true;
  }
  if (operand == Operand::O && returns) mark(Feature::returning_partial_sums);
  if (used >= 4) mark(Feature::four_memories);
}

void mark_features(const Architecture& machine, const LayerShape& layer, const Mapping& mapping,
                   Features& has) {
  const auto mark = [&](Feature feature, bool present) { has[static_cast<std::size_t>(feature)] |= present; };
  for (const Operand operand : all_operands) mark_chain(machine, layer, mapping, operand, has);
  for (const Loop& loop : mapping.loops)
    mark(Feature::uneven_blocks, loop.at[0] != loop.at[1] || loop.at[1] != loop.at[2]);
  for (const OperandSet operands : mapping.double_buffered)
    mark(Feature::double_buffering, !operands.empty());
  const auto spans = [&](Dim dim) { return layer.bound(dim) > 1; };
  mark(Feature::stride, (layer.stride[0] > 1 && spans(Dim::P)) || (layer.stride[1] > 1 && spans(Dim::Q)));
  mark(Feature::dilation,
       (layer.dilation[0] > 1 && spans(Dim::R)) || (layer.dilation[1] > 1 && spans(Dim::S)));
  mark(Feature::batch, spans(Dim::N));
  const std::size_t output_macro = machine.innermost(Operand::O);
  for (std::size_t a = 0; a < machine.memories[output_macro].axes_above; ++a)
    for (const Dim dim : all_dims)
      mark(Feature::spatial_reduction, layer.is_reduction(dim) && mapping.spatial[a][index_of(dim)] > 1);
}

}  // namespace

void FeatureCount::add(const Architecture& machine, const LayerShape& layer,
                       std::span<const Mapping> mappings) {
  Features has{};
  for (const Mapping& mapping : mappings) mark_features(machine, layer, mapping, has);
  for (std::size_t f = 0; f < has.size(); ++f) cases_with_[f] += has[f] ? 1U : 0U;
  ++cases_;
}

std::string FeatureCount::below_five_per_cent() const {
  std::string text;
  if (cases_ < fewest_cases_that_tell) return text;
  for (std::size_t f = 0; f < cases_with_.size(); ++f)
    if (20 * cases_with_[f] < cases_)
      text += std::string(feature_names[f]) + " " + std::to_string(cases_with_[f]) + " of " +
              std::to_string(cases_) + "; ";
  return text;
}

std::string FeatureCount::to_string() const {
  std::string text;
  for (std::size_t f = 0; f < cases_with_.size(); ++f)
    text += std::string(f == 0 ? "" : ", ") + feature_names[f] + " " +
            std::to_string(cases_ == 0 ? 0 : 100 * cases_with_[f] / cases_) + " %";
  return text;
}

}  // namespace nestor::tests
