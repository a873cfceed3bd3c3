// Readers of the individual formats. Each returns JSON in Nestor's own format. Private to io/neighbours.
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

/// Bits per cycle of a memory whose bandwidth the file does not limit: every transfer takes one cycle.
inline constexpr Int no_limit = Int{1} << 52;

/// Returns the name of the file without its extension, or "machine" if this name has blanks or characters
/// beyond ASCII.
std::string name_after(const Node& root);

/// Returns `layers` together with the number of unmapped operators of each type.
Json network_json(Json layers, const std::map<std::string, Int>& unmapped);

}  // namespace nestor::io::neighbours
