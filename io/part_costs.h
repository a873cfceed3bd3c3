// Energy and area of the parts of a loop-nest machine: a number, or `auto`. With `auto`, a fit to 28 nm SRAM
// determines them from capacity and bandwidth, so that a larger buffer is not free:
//
//   energy per bit     E0 (capacity / 256 KiB)^0.55 (0.7 + 0.3 * 128 / bandwidth) pJ,
//                      E0: 0.198 read, 0.143 write
//   area               0.802 mm^2 capacity / 256 KiB, of each instance
//   without capacity   8 pJ per bit (LPDDR4), area 0
//
// E0, the area and the exponent fit the CACTI figures for 8, 16 and 256 KiB and 4 MiB at 28 nm published with
// MIREDO's code; the width rule is that of HWComponents. `technology: {energy, area}` scales the results of
// the fit.
#pragma once

#include <optional>
#include <string>

#include "io/fields.h"
#include "model/workload/named_machine.h"

namespace nestor::io {

struct Technology {
  double energy = 1, area = 1;
};
void describe_technology(Fields& fields, Technology& technology);

/// Energies and area of a memory, whose capacity and bandwidths precede them.
void describe_part_costs(Fields& fields, const Technology& technology, Memory& memory, PartCosts& costs);
void describe_compute_area(Fields& fields, std::optional<double>& area);

/// Returns the area in mm^2 of all instances of all parts; nothing if the area of one of them is unknown.
std::optional<double> total_area(const Hierarchy& machine, const HierarchyNames& names);

/// Returns a note such as "gbuf, lbuf: estimated, 28 nm fit"; empty if no figure is an estimate.
std::string estimates_text(const HierarchyNames& names);

}  // namespace nestor::io
