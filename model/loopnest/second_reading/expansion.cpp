#include "model/loopnest/second_reading/expansion.h"

namespace nestor::verify {

Stations stations_of(Operand operand, const Hierarchy& machine, const Mapping& mapping) {
  const std::size_t x = index_of(operand);
  const std::size_t home = machine.home(operand);
  const std::size_t innermost = machine.innermost(operand);
  Stations stations;
  std::size_t passed = 0;  // number of loops in blocks further out
  for (std::size_t m = home; m <= innermost; ++m) {
    const std::size_t outside = passed;
    while (passed < mapping.loops.size() && mapping.loops[passed].at[x] == m) ++passed;
    if (m == home || m == innermost || passed > outside)
      stations.push_back({m, outside, mapping.double_buffered[m].contains(operand)});
  }
  return stations;
}

WideExtents remainder(const LayerShape& layer, const Mapping& mapping, std::size_t loops_outside,
                      std::size_t axes_outside) {
  WideExtents left{};
  for (std::size_t d = 0; d < dim_count; ++d) left[d] = layer.bounds[d];
  for (std::size_t i = 0; i < loops_outside; ++i)
    left[index_of(mapping.loops[i].dim)] /= mapping.loops[i].factor;
  for (std::size_t a = 0; a < axes_outside; ++a)
    for (std::size_t d = 0; d < dim_count; ++d) left[d] /= mapping.spatial[a][d];
  return left;
}

Wide elements(Operand operand, const WideExtents& extents, const LayerShape& layer) {
  const auto extent = [&](Dim dim) { return extents[index_of(dim)]; };
  // Returns the number of inputs that a window of `out` outputs and `taps` kernel taps spans.
  const auto span = [&](Dim out, Dim taps, std::size_t axis) {
    return (extent(out) - 1) * layer.stride[axis] + (extent(taps) - 1) * layer.dilation[axis] + 1;
  };
  // Returns a window's span if both dimensions of a direction are relevant; otherwise the extent of the
  // relevant dimension, or 1 if neither is relevant.
  const auto along = [&](Dim out, Dim taps, std::size_t axis) -> Wide {
    const bool sees_out = layer.is_relevant(out, operand);
    const bool sees_taps = layer.is_relevant(taps, operand);
    if (sees_out && sees_taps) return span(out, taps, axis);
    return sees_out ? extent(out) : sees_taps ? extent(taps) : 1;
  };
  Wide count = along(Dim::P, Dim::R, 0) * along(Dim::Q, Dim::S, 1);
  for (const Dim dim : {Dim::N, Dim::K, Dim::C, Dim::G})
    if (layer.is_relevant(dim, operand)) count *= extent(dim);
  return count;
}

Wide lanes(const Mapping& mapping, std::size_t begin, std::size_t end) {
  Wide product = 1;
  for (std::size_t a = begin; a < end; ++a)
    for (const Int factor : mapping.spatial[a]) product *= factor;
  return product;
}

bool reduces_across(const LayerShape& layer, const Mapping& mapping, std::size_t end) {
  for (std::size_t a = 0; a < end; ++a)
    for (const Dim dim : all_dims)
      if (layer.is_reduction(dim) && mapping.spatial[a][index_of(dim)] > 1) return true;
  return false;
}

bool reduces_outside(const LayerShape& layer, const Mapping& mapping, std::size_t end) {
  for (std::size_t i = 0; i < end; ++i)
    if (layer.is_reduction(mapping.loops[i].dim)) return true;
  return false;
}

Wide stored_width(Operand operand, const Stations& stations, std::size_t s, const LayerShape& layer,
                  const Hierarchy& machine, const Mapping& mapping) {
  if (operand == Operand::I) return layer.bits.input;
  if (operand == Operand::W) return layer.bits.weight;
  if (s + 1 == stations.size()) return layer.bits.partial_sum;
  const bool open_in_time = reduces_outside(layer, mapping, stations[s + 1].loops_outside);
  const bool open_in_space = reduces_across(layer, mapping, machine.memories[stations[s].memory].axes_above);
  return open_in_time || open_in_space ? layer.bits.partial_sum : layer.bits.output;
}

Wide moved_width(Operand operand, const Station& station, const LayerShape& layer, const Mapping& mapping) {
  if (operand == Operand::I) return layer.bits.input;
  if (operand == Operand::W) return layer.bits.weight;
  return reduces_outside(layer, mapping, station.loops_outside) ? layer.bits.partial_sum : layer.bits.output;
}

Wide stored_bits(Operand operand, const Stations& stations, std::size_t s, const LayerShape& layer,
                 const Hierarchy& machine, const Mapping& mapping) {
  const std::size_t axes_above = machine.memories[stations[s].memory].axes_above;
  return elements(operand, remainder(layer, mapping, stations[s].loops_outside, axes_above), layer) *
         stored_width(operand, stations, s, layer, machine, mapping);
}

}  // namespace nestor::verify
