// Conversion of an evaluated sequence to instructions. Values get rows when they are stored and release them
// after their last read. Values saved to the pool are stored in the pool array with the lowest number that
// has a free row.
#pragma once

#include "model/simd/evaluator.h"
#include "model/simd/schedule.h"
#include "model/simd/stop.h"

namespace nestor::simd {

/// Returns the places of a netlist's outputs, given the place of every value that must stay.
template <typename PlaceOf>
std::vector<OutputPlace> locate_outputs(const Netlist& netlist, PlaceOf&& place_of) {
  std::vector<OutputPlace> places;
  for (const Output& output : netlist.outputs) {
    OutputPlace place;
    place.inverted = output.signal.complemented();
    if (output.signal.is_constant()) {
      place.kind = OutputPlace::Kind::constant;
    } else if (!netlist.is_gate(output.signal.node())) {
      place.kind = OutputPlace::Kind::input;
      place.input = output.signal.node() - 1;
    } else {
      place.place = place_of(Value{output.signal.node() - 1});
    }
    places.push_back(place);
  }
  return places;
}

/// Returns the instructions of a sequence. `transfers` must come from an evaluation of `sequence` with
/// `working`. The schedule is empty if the conversion was stopped.
Schedule emit(const Netlist& netlist, const Sequence& sequence, const WorkingArrays& working,
              std::span<const Transfer> transfers, const Stop& stop = {});

/// Renumbers the arrays after those that hold inputs, so that no number is unused.
void close_array_gaps(Schedule& schedule, std::uint32_t home_arrays);

}  // namespace nestor::simd
