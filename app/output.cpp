#include "app/output.h"

#include "app/console.h"
#include "io/output_file.h"

namespace nestor::app {

io::MaybeError write_json_output(const io::RunOptions& options, const io::Json& json) {
  if (options.json.empty()) return std::nullopt;
  if (prints_tables(options)) return io::write_somewhere(options.json, io::to_text(json));
  print_text(io::to_text(json));
  return std::nullopt;
}

bool prints_tables(const io::RunOptions& options) { return options.json != "-"; }

}  // namespace nestor::app
