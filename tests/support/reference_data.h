// Reference cases for the cim model (architecture, layer, mapping, expected figures), read directly from JSON
// so that tests of the model do not depend on the readers under test. The files are not part of the project.
// If they are missing, load_reference_cases returns no cases and the test skips.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"
#include "model/workload/named_machine.h"

namespace nestor::tests {

struct ReferenceCase {
  NamedArchitecture architecture;
  LayerShape layer;
  Mapping mapping;
  nlohmann::json proved_optimal;  ///< may be empty
  nlohmann::json evaluation;      ///< keys of docs/formats.md, "Result"
  Int replay_cycles = 0;
};

/// Reads the cases of NESTOR_SHARED_DIR/data/cim/<file>. Returns none if the file does not exist.
std::vector<ReferenceCase> load_reference_cases(const std::string& file);

/// Reads the architecture NESTOR_SHARED_DIR/data/cim/<name>.json.
NamedArchitecture load_reference_architecture(const std::string& name);

NamedArchitecture architecture_from_json(const nlohmann::json& json);
LayerShape layer_from_json(const nlohmann::json& json);

}  // namespace nestor::tests
