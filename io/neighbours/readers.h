// Readers of single formats (private to the room): each fills `json` in the project's own format.
#pragma once

#include <map>
#include <string>

#include "io/files.h"
#include "io/neighbours/notes.h"

namespace nestor::io::neighbours {

Json read_zigzag_machine(const Node& root, Notes& notes, Reading& reading);
Json read_timeloop_machine(const Node& root, Notes& notes, Reading& reading);
Json read_accelforge_machine(const Node& root, Notes& notes, Reading& reading);

Json read_zigzag_network(const Node& root, Notes& notes, Reading& reading);
Json read_timeloop_network(const Node& root, Notes& notes, Reading& reading);
Json read_accelforge_network(const Node& root, Notes& notes, Reading& reading);

/// Bits per cycle of a memory whose file gives no limit: every transfer takes one cycle.
inline constexpr Int no_limit = Int{1} << 52;

/// The name of a machine that has none of its own: that of its file.
std::string name_after(const Node& root);

/// `layers` and, by type, the operators that are not mapped.
Json network_json(Json layers, const std::map<std::string, Int>& unmapped);

}  // namespace nestor::io::neighbours
