// Reference cases for the cim model (architecture, layer, mapping, expected figures), read straight from JSON
// so that the tests of the model do not depend on the readers under test. The files lie outside the project;
// where they are absent, load_reference_cases gives nothing and the test skips.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"
#include "model/workload/named_machine.h"

namespace nestor::testing {

struct ReferenceCase {
  NamedArchitecture architecture;
  LayerShape layer;
  Mapping mapping;
  nlohmann::json proved_optimal;  ///< may be empty
  nlohmann::json evaluation;      ///< keys of docs/formats.md, "Result"
  Int replay_cycles = 0;
};

/// Cases of NESTOR_SHARED_DIR/data/cim/<file>; empty if the file does not exist.
std::vector<ReferenceCase> load_reference_cases(const std::string& file);

/// The architecture NESTOR_SHARED_DIR/data/cim/<name>.json.
NamedArchitecture load_reference_architecture(const std::string& name);

NamedArchitecture architecture_from_json(const nlohmann::json& json);
LayerShape layer_from_json(const nlohmann::json& json);

}  // namespace nestor::testing
