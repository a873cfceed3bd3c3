// Tables of kernels (`nestor estimate --table`): one estimate a row, beside what was measured.
#pragma once

#include <string>
#include <vector>

#include "io/cnm/csv.h"
#include "model/cnm/system.h"

namespace nestor::report {

struct EstimatedTable {
  std::string csv;                 ///< the table, estimates and their errors in columns at its end
  std::vector<io::Error> remarks;  ///< row by row: why there is no estimate, or what to know of it
  std::size_t failed = 0;          ///< rows without an estimate
};

io::Result<EstimatedTable> estimate_table(const io::CsvTable& table, const cnm::System& system);

}  // namespace nestor::report
