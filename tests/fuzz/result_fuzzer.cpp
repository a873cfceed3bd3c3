// Fuzzer for the result reader. A text is either rejected or parsed to a result that can be written and
// checked without a crash.
#include "report/cim/verify/result_check.h"
#include "report/results/cim/result_file.h"
#include "support/parse_run.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace nestor::io;
  auto read = nestor::tests::parse_run({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!read) return 0;
  to_text(run_to_json(*read));
  for (auto& layer : read->layers) layer.replay_cycles.reset();  // a valid replay may take minutes
  for (auto& layer : read->layers) layer.stalls = Json();
  read->inputs.clear();  // no file is read
  check_cim_result(*read, run_to_json(*read), [](const std::string&, const OptionTexts&) {
    return Result<nestor::Network>(usage_error("not available"));
  });
  return 0;
}
