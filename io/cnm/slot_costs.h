// Costs of operations and calls in a system file of the cnm space, such as "8 + k", "16 + bytes/4" and
// "barrier".
#pragma once

#include <string>
#include <string_view>

#include "io/fields.h"
#include "model/cnm/system.h"

namespace nestor::io {

std::string to_text(const cnm::SlotCost& cost);
/// The message of an error has no position.
Result<cnm::SlotCost> parse_slot_cost(std::string_view text);

/// The fields `ops` and `calls` of a system.
void describe_operations(Fields& fields, cnm::System& system);
void describe_calls(Fields& fields, cnm::System& system);

}  // namespace nestor::io
