// A part of a Document that is carried along rather than understood, as Json.
#pragma once

#include "io/document.h"
#include "io/files.h"

namespace nestor::io {

Json node_to_json(const Node& node);

}  // namespace nestor::io
