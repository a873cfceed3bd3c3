// From an evaluated sequence to instructions: rows are given to values as they come and go, and saved values
// are laid into the pool's arrays, the lowest-numbered first.
#pragma once

#include "model/simd/evaluator.h"
#include "model/simd/schedule.h"
#include "model/simd/stop.h"

namespace nestor::simd {

/// Where a netlist's outputs are found, given the place of every value that must stay.
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

/// `transfers` as recorded by an evaluation of `sequence` with `working`. Nothing if it was stopped.
Schedule emit(const Netlist& netlist, const Sequence& sequence, const WorkingArrays& working,
              std::span<const Transfer> transfers, const Stop& stop = {});

/// Renumbers the arrays beyond those that hold inputs so that none is left out.
void close_array_gaps(Schedule& schedule, std::uint32_t home_arrays);

}  // namespace nestor::simd
