// The contract of a kernel in a result (check/cnm/contract.h), with the listings of the shipped library.
#pragma once

#include <string>
#include <string_view>

#include "check/cnm/contract.h"
#include "io/files.h"
#include "report/cnm/kernel_work.h"

namespace nestor::report {

/// Returns the listing of a library call as text, or an empty string if the library does not have it.
std::string library_text(const std::string& name, const std::string& type, Int elements, Int iterations,
                         Int tasklets, Int multiply_k);

/// Returns the contract of the maps of a task, as `verb` states them in a result on a system with the JSON
/// `architecture`.
check::cnm::KernelContract contract_of(const KernelTask& task, const io::Json& architecture,
                                       const io::Json& source, const io::Json& maps, std::string_view verb);

}  // namespace nestor::report
