#include "report/pim/address_trace.h"

#include <fmt/format.h>

#include <iterator>
#include <string>

#include "io/output_file.h"

namespace nestor::report {

io::MaybeError write_address_trace(const std::filesystem::path& path, const sim::pim::AccessLog& log) {
  const auto content = [&](const io::PieceSink& sink) {
    constexpr std::size_t piece_bytes = 1 << 16;
    std::string piece = "step,operand,access,address,bank,row,opens\n";
    for (const auto& access : log.accesses) {
      fmt::format_to(std::back_inserter(piece), "{},{},{},{},{},{},{}\n", access.step, letter(access.operand),
                     access.writes ? "write" : "read", access.address, access.bank, access.row,
                     access.opens ? 1 : 0);
      if (piece.size() < piece_bytes) continue;
      if (!sink(piece)) return false;
      piece.clear();
    }
    return sink(piece);
  };
  return io::write_somewhere(path, content);
}

}  // namespace nestor::report
