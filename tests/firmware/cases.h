// SPDX-License-Identifier: Apache-2.0
// What firmware maps when it is tested, and what it must print: groups of layers, each with its machine,
// objective and workspace. The tables of the firmware (make_tables.cpp) and the lines that are expected of it
// (expected_lines.cpp) are both made of them, from the same words:
//
//     ARCHITECTURE:WORKSPACE:NETWORK[,NETWORK...]:OBJECTIVE    latency or energy, model `stall`
//     random:SEED:COUNT:latency                               random cases, least latency under both models
//     random:SEED:COUNT:all                                   latency, energy and EDP in turn
//     wide:SEED:COUNT:latency|all                             large layers on machines that fill the default
//                                                             arrays, a part of their search
#pragma once

#include <string>
#include <vector>

#include "model/cim/search/objective.h"
#include "model/loopnest/architecture.h"
#include "model/workload/network.h"

namespace nestor::testing {

struct FirmwareCase {
  std::string name;
  Architecture machine;
  cim::CimObjective objective;
  std::size_t workspace = 0;
  std::uint64_t steps = 0;  ///< at most; 0: to the end
  bool compared = true;     ///< with the desktop's own search
  std::vector<Layer> layers;
};

/// Those that a program's words ask for; ends it with a message where a word is none.
std::vector<FirmwareCase> firmware_cases(int argc, char** argv);

}  // namespace nestor::testing
