// Converts a part of a Document to Json without interpreting it.
#pragma once

#include "io/document.h"
#include "io/files.h"

namespace nestor::io {

Json node_to_json(const Node& node);

}  // namespace nestor::io
