#include "report/cnm/kernel_contract.h"

#include "io/cnm/llvcnm.h"

namespace nestor::report {

std::string library_text(const std::string& name, const std::string& type, Int elements, Int iterations,
                         Int tasklets, Int multiply_k) {
  const auto known = cnm::element_types.find(type);
  auto listing = known ? shipped_library()({name, *known, elements, iterations, tasklets}) : std::nullopt;
  if (!listing) return {};
  listing->multiply_k = multiply_k;
  return io::to_text(*listing);
}

check::cnm::KernelContract contract_of(const KernelTask& task, const io::Json& architecture,
                                       const io::Json& source, const io::Json& maps, std::string_view verb) {
  const auto extents = task.input.kernel ? task.input.kernel->extents : std::vector<Int>();
  return check::cnm::contract_of({.architecture = architecture,
                                  .source = source,
                                  .maps = maps,
                                  .extents = extents,
                                  .is_replayed = verb == "simulate",
                                  .is_searched = verb == "map",
                                  .library = library_text});
}

}  // namespace nestor::report
