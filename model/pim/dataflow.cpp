#include "model/pim/dataflow.h"

#include "base/enum_words.h"

namespace nestor::pim {
namespace {

// True if R or S is on one axis, and K is on another axis without R and S.
bool rows_against_channels(const PimMachine& machine, const PimMapping& mapping) {
  bool kernel = false;
  bool channels = false;
  for (std::size_t a = 0; a < machine.axes.size(); ++a) {
    const Extents& factors = mapping.nest.spatial[a];
    const bool taps = factors[index_of(Dim::R)] > 1 || factors[index_of(Dim::S)] > 1;
    kernel |= taps;
    channels |= !taps && factors[index_of(Dim::K)] > 1;
  }
  return kernel && channels;
}

// Returns the number of steps during which an operand's innermost content is unchanged: the product of the
// factors of all loops inside the innermost relevant loop.
Int steps_stationary(const LayerShape& layer, const PimMapping& mapping, Operand operand) {
  Int steps = 1;
  const auto& loops = mapping.nest.loops;
  for (std::size_t i = loops.size(); i > 0; --i) {
    const Loop& loop = loops[i - 1];
    if (layer.is_relevant(loop.dim, operand)) break;
    steps *= loop.factor;
  }
  return steps;
}

}  // namespace

Dataflow dataflow_of(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping) {
  if (rows_against_channels(machine, mapping)) return Dataflow::row_stationary;
  const Int input = steps_stationary(layer, mapping, Operand::I);
  const Int weight = steps_stationary(layer, mapping, Operand::W);
  const Int output = steps_stationary(layer, mapping, Operand::O);
  if (weight > input && weight > output) return Dataflow::weight_stationary;
  if (output > input && output > weight) return Dataflow::output_stationary;
  if (input > weight && input > output) return Dataflow::input_stationary;
  return Dataflow::mixed;
}

std::string_view to_string(Dataflow dataflow) {
  constexpr auto names = enum_words<Dataflow>({{Dataflow::weight_stationary, "weight stationary"},
                                               {Dataflow::output_stationary, "output stationary"},
                                               {Dataflow::input_stationary, "input stationary"},
                                               {Dataflow::row_stationary, "row stationary"},
                                               {Dataflow::mixed, "mixed"}});
  return names.word(dataflow);
}

}  // namespace nestor::pim
