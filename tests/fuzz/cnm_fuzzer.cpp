// Fuzzer for five readers of the cnm space, for systems, mappings, mappings of programs, programs and CSV
// tables. Each reader rejects or accepts a text without a crash. Systems, mappings and programs are unchanged
// after writing and reading them again.
#include <cstdlib>

#include "io/cnm/csv.h"
#include "io/cnm/mapping_file.h"
#include "io/cnm/program_file.h"
#include "io/cnm/system_file.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace nestor::io;
  const std::string text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(parse_csv(text, "fuzz"));
  if (const auto mapping = parse_cnm_mapping(text, "fuzz")) {
    const auto again = parse_cnm_mapping(to_text(*mapping), "again");
    if (!again || to_text(*again) != to_text(*mapping)) std::abort();
  }
  // Without a brace, the text would be the name of a file.
  if (text.find('{') != std::string::npos) static_cast<void>(read_operation_mappings(text));
  const auto document = Document::parse(text, "fuzz");
  if (!document) return 0;
  if (const auto program = program_from(document->root())) {
    const auto json = to_json(*program).dump();
    const auto written = Document::parse(json, "again.json");
    const auto again =
        written ? program_from(written->root()) : Result<nestor::cnm::KernelProgram>(written.error());
    if (!again || to_json(*again).dump() != json) std::abort();
  }
  const auto system = cnm_system_from(document->root());
  if (!system) return 0;
  const auto written = Document::parse(to_text(*system), "again");
  const auto again =
      written ? cnm_system_from(written->root()) : Result<nestor::cnm::System>(written.error());
  if (!again || to_text(*again) != to_text(*system)) std::abort();
  return 0;
}
