// nestor-check RESULT --proof FILE: verifies the proof of every claim in a result of nestor. It shares no
// search, models or readers with the tool. It has its own readers and exact arithmetic without rounding
// (docs/proofs.md).
#include <iostream>
#include <map>

#include "check/form.h"
#include "check/proof_file.h"
#include "check/spaces.h"

namespace nestor::check {
namespace {

constexpr const char* usage =
    "usage: nestor-check RESULT --proof FILE [--layer NAME]\n"
    "Checks every step of the proof of RESULT (nestor map or compile, with --json and --proof).\n"
    "Exit status: 0 all claims are proved, 2 bad usage, 3 bad file, 6 output could not be written,\n"
    "7 a claim is false, not proved or not checked.\n";

constexpr int claim_failed = 7;

Json read_json(const std::string& path) {
  auto in = open_file(path, "it");
  if (std::filesystem::file_size(path) >> 28U != 0) throw Unreadable("it has 256 MiB or more");
  return parse_strictly(in);
}

int run(const std::vector<std::string>& words) {
  std::map<std::string, std::string> options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_option = words[i] == "--proof" || words[i] == "--layer";
    const std::string name = is_option ? words[i] : words[i].starts_with("--") ? "unknown" : "RESULT";
    if (is_option) ++i;
    if (i == words.size() || !options.emplace(name, words[i]).second) options["unknown"];
  }
  const bool asks_for_help = words == std::vector<std::string>{"--help"};
  if (options.contains("unknown") || options["RESULT"].empty() || options["--proof"].empty()) {
    (asks_for_help ? std::cout : std::cerr) << usage;
    return asks_for_help ? 0 : 2;
  }
  try {
    const int status = check_result(read_json(options["RESULT"]), options["--proof"], options["--layer"]);
    return status == 1 ? claim_failed : status;
  } catch (const std::exception& error) {
    std::cerr << "nestor-check: " << quoted(options["RESULT"]) << ": " << harmless(error.what()) << '\n';
    return 3;
  }
}

}  // namespace
}  // namespace nestor::check

int main(int count, char** arguments) {
  const int status = nestor::check::run({arguments + 1, arguments + count});
  if (std::cout.flush()) return status;
  std::cerr << "nestor-check: its output cannot be written\n";
  return 6;
}
