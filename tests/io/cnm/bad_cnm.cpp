// Registers the kinds of bad input of the cnm space (tests/bad_inputs/cnm.txt): languages, systems, mappings
// and tables.
#include "io/bad_inputs.h"
#include "io/cnm/assembly.h"
#include "io/cnm/cnm_ir.h"
#include "io/cnm/csv.h"
#include "io/cnm/llvcnm.h"
#include "io/cnm/mapping_file.h"
#include "io/cnm/mlir.h"
#include "io/cnm/stream_text.h"
#include "io/cnm/system_file.h"

namespace nestor::tests::bad_cnm {
namespace {

cnm::System system_named(const std::string& name) {
  auto system = io::read_cnm_system(name, {});
  return system ? *system : cnm::System{};
}

const BadInputKind mlir("mlir", "in.mlir", [](const std::string& input, const std::string& file) {
  return message_of(io::parse_mlir(input, file));
});
const BadInputKind assembly("assembly", "in.s", [](const std::string& input, const std::string& file) {
  return message_of(io::read_assembly(input, file, {}, system_named("upmem")));
});
// Parses a listing and builds its program.
const BadInputKind llvcnm("llvcnm", "in.llvcnm", [](const std::string& input, const std::string& file) {
  const auto listing = io::parse_llvcnm(input, file);
  if (!listing) return listing.error().to_string();
  const auto program = cnm::program_of(*listing, system_named("upmem"));
  return program.error.empty()
             ? std::string()
             : io::input_error({file, program.line, program.column}, program.error).to_string();
});
const BadInputKind ir("cnm-ir", "in.cnm", [](const std::string& input, const std::string& file) {
  return message_of(io::parse_cnm_ir(input, file));
});
const BadInputKind stream("stream", "in.llvcnm", [](const std::string& input, const std::string& file) {
  return message_of(io::parse_stream(input, file, system_named("hbm-pim")));
});
const BadInputKind cnm_mapping("cnm-mapping", "in.yaml",
                               [](const std::string& input, const std::string& file) {
                                 return message_of(io::parse_cnm_mapping(input, file));
                               });
const BadInputKind cnm_system("cnm-system", "in.yaml", [](const std::string& input, const std::string& file) {
  const auto document = io::Document::parse(input, file);
  return document ? message_of(io::cnm_system_from(document->root())) : document.error().to_string();
});
const BadInputKind table("table", "in.csv", [](const std::string& input, const std::string& file) {
  return message_of(io::parse_csv(input, file));
});

}  // namespace
}  // namespace nestor::tests::bad_cnm
