// Registers the netlist formats as kinds of bad input (tests/bad_inputs).
#include "io/bad_inputs.h"
#include "io/netlist/aiger_reader.h"
#include "io/netlist/blif_reader.h"
#include "io/netlist/read_netlist.h"
#include "io/netlist/verilog_reader.h"
#include "report/results/simd/schedule_file.h"

namespace nestor::tests::bad_netlists {
namespace {

template <auto Parse>
std::string message_of(const std::string& input, const std::string& file) {
  const auto result = Parse(input, file);
  return result.ok() ? std::string() : result.error().to_string();
}

const BadInputKind verilog("verilog", "in.v", message_of<io::parse_verilog>);
const BadInputKind blif("blif", "in.blif", message_of<io::parse_blif>);
const BadInputKind aiger("aiger", "in.aig", message_of<io::parse_aiger>);
const BadInputKind netlist("netlist", "in.txt", message_of<io::parse_netlist>);
const BadInputKind schedule("schedule", "in.txt", message_of<io::parse_schedule>);

}  // namespace
}  // namespace nestor::tests::bad_netlists
