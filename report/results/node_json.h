// Conversion to Json of a part of a Document that is passed on without interpretation.
#pragma once

#include "io/document.h"
#include "io/files.h"

namespace nestor::io {

Json node_to_json(const Node& node);

}  // namespace nestor::io
