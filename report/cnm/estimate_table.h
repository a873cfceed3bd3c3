// Tables of kernels (`nestor estimate --table`): one estimate per row, next to the measured time.
#pragma once

#include <string>
#include <vector>

#include "io/cnm/csv.h"
#include "model/cnm/system.h"

namespace nestor::report {

struct EstimatedTable {
  std::string csv;                 ///< the table, with estimates and their errors in its last columns
  std::vector<io::Error> remarks;  ///< per row, the reason for a missing estimate, or a warning
  std::size_t failed = 0;          ///< rows without an estimate
};

io::Result<EstimatedTable> estimate_table(const io::CsvTable& table, const cnm::System& system);

}  // namespace nestor::report
