// Fuzzer for the llvcnm and stream readers. A text is either rejected or parsed to a value that is unchanged
// after printing and reading it again. Every listing yields a program or an error.
#include <cstdlib>

#include "io/cnm/llvcnm.h"
#include "io/cnm/stream_text.h"
#include "io/cnm/system_file.h"
#include "model/cnm/engine.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace nestor::io;
  static const auto upmem = read_cnm_system("upmem", {});
  static const auto pim = read_cnm_system("hbm-pim", {});
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto stream = parse_stream(text, "fuzz", *pim)) {
    const auto printed = to_text(*stream, *pim);
    const auto again = parse_stream(printed, "again", *pim);
    if (!again || to_text(*again, *pim) != printed) std::abort();
  }
  const auto listing = parse_llvcnm(text, "fuzz");
  if (!listing) return 0;
  const auto again = parse_llvcnm(to_text(*listing), "again");
  if (!again || !(*again == *listing)) std::abort();
  const auto program = nestor::cnm::program_of(*listing, *upmem);
  if (program.error.empty()) static_cast<void>(nestor::cnm::program_bounds(*upmem, program.program, 16));
  return 0;
}
