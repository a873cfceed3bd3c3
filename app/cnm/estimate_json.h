// Estimates as JSON and tables, alike in every verb of the cnm space.
#pragma once

#include <string>

#include "app/cnm/kernel_input.h"

namespace nestor::app::cnm_space {

/// One map's figures. `listing`: null maps, for kernels that come without a mapping.
io::Json map_json(const cnm::CnmMap* map, const cnm::MapEstimate& estimate, const cnm::System& system,
                  Int tasklets);

/// The head that every result of the space has.
io::Json head_json(std::string_view verb, const std::string& kernel, const cnm::System& system,
                   const io::RunOptions& options);

/// A row for each map.
std::string estimate_table_text(const cnm::KernelEstimate& estimate, const cnm::System& system);

/// As "(2, 1)(8, 8)(1, 4)(16, 20)".
std::string tuples_text(const cnm::CnmMap& map);

}  // namespace nestor::app::cnm_space
