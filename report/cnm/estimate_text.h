// Estimates as text, in the same form for every verb of the cnm space.
#pragma once

#include <string>

#include "io/files.h"
#include "report/cnm/kernel_work.h"

namespace nestor::report {

/// Returns a kernel lowered to the requested form, as "nestor.kernel/1".
io::Json kernel_text_json(const std::string& kernel, const std::string& text);
io::Json kernel_text_schema();

/// Formats a time as in "1.2345 ms" or "2.345 s".
std::string ms_text(double ms);

/// Returns one line per map, in the short form that --mapping accepts.
std::string mapping_lines(const cnm::CnmMapping& mapping);
/// Returns one line for each layer that is not mapped.
std::string left_out_text(const KernelWork& work);

/// Returns a table with one row for each map.
std::string estimate_table_text(const cnm::KernelEstimate& estimate);

}  // namespace nestor::report
