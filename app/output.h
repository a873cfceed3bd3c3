// Where a verb's JSON goes, and sentences that several verbs say.
#pragma once

#include <string>

#include "io/options.h"
#include "io/result_file.h"

namespace nestor::app {

/// To the file that --json names, if it names one.
io::MaybeError write_json_output(const io::RunOptions& options, const io::Json& json);
/// Tables are for people; with --json - standard output belongs to the JSON.
bool prints_tables(const io::RunOptions& options);

/// Multiply-accumulates done as a share of what all lanes could have done in these cycles.
double utilisation(double macs, Int cycles, const Architecture& machine);

/// "1.2 ms at 250 MHz, 3.4 TOPS, 5.6 TOPS/W": what the architecture file lets one say of the totals.
std::string totals_text(const io::ResultTotals& totals, const Architecture& machine);

}  // namespace nestor::app
