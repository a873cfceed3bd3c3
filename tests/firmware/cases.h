// SPDX-License-Identifier: Apache-2.0
// Cases of the firmware tests: groups of layers, each with its machine, objective and workspace. The same
// command-line arguments select the cases for the tables of the firmware (make_tables.cpp) and for the
// expected lines (expected_lines.cpp):
//
//     ARCHITECTURE:WORKSPACE:NETWORK[,NETWORK...]:OBJECTIVE    OBJECTIVE is latency or energy
//     random:SEED:COUNT:latency                               random cases; two in five use model `miredo`
//     random:SEED:COUNT:all                                   latency, energy and EDP in turn
//     wide:SEED:COUNT:latency|all                             large layers on machines that fill the default
//                                                             arrays; the search stops after 300 steps
#pragma once

#include <string>
#include <vector>

#include "model/cim/search/objective.h"
#include "model/loopnest/architecture.h"
#include "model/workload/network.h"

namespace nestor::tests {

struct FirmwareCase {
  std::string name;
  Architecture machine;
  cim::CimObjective objective;
  std::size_t workspace = 0;
  std::uint64_t steps = 0;  ///< work limit; 0: none
  bool compared = true;     ///< true: compared with the desktop search
  std::vector<Layer> layers;
};

/// Returns the cases that the command-line arguments select. Exits with a message if an argument is invalid.
std::vector<FirmwareCase> firmware_cases(int argc, char** argv);

}  // namespace nestor::tests
