// nestor-check RESULT: proves the claims of optimality in a result of nestor map, or refutes them, with
// nothing of the tool's search, models or readers: its own reading, its own arithmetic without rounding, its
// own proof (docs/proofs.md).
#include <charconv>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <thread>

#include "check/layer_check.h"

namespace nestor::check {
namespace {

constexpr const char* usage =
    "usage: nestor-check RESULT [--proof FILE] [--layer NAME] [--time-limit SECONDS] [--threads N]\n"
    "Proves again what RESULT (nestor map ... --json RESULT) claims to be optimal: exit status 0. With FILE\n"
    "(nestor map ... --proof FILE) nothing is searched: every step of that proof is checked.\n"
    "1: a claim is false, not proved, or not checked to the end; 2: wrong usage; 3: a file cannot be read.\n";

struct Options {
  std::string result;
  std::string proof;
  std::string layer;
  double seconds = 1e9;
  std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
};

// Foreign text for a terminal: in quotes, with everything but plain ASCII escaped.
std::string quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
}

// The same without the quotes.
std::string harmless(const std::string& text) {
  const auto safe = quoted(text);
  return safe.substr(1, safe.size() - 2);
}

std::string read_text(const std::string& path) {
  constexpr std::size_t most_bytes = std::size_t{256} << 20U;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Unreadable("it cannot be opened");
  std::string text;
  std::vector<char> block(std::size_t{1} << 20U);
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())), in.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > most_bytes) throw Unreadable("it has more than 256 MiB");
  }
  return text;
}

int check(const Options& options) {
  const auto result = Json::parse(read_text(options.result), nullptr, false);
  if (result.is_discarded() || !result.is_object()) throw Unreadable("it is not JSON");
  if (result.value("space", "") != "cim" || result.value("verb", "") != "map")
    throw Unreadable("it is no result of nestor map on a cim machine");
  bool front = false;
  const auto objective = read_objective(result, front);
  if (!objective)
    throw Unreadable("objective " + result["objective"].dump() + " is not one that this program proves");
  const Json& asked = member(result, "options");
  for (const auto* const option : {"fix", "method", "factors"})
    if (asked.contains(option)) throw Unreadable(std::string("its mappings were restricted by --") + option);
  Task task{read_machine(member(result, "architecture")), *objective, front, 1, {}, nullptr, nullptr};
  if (asked.contains("top"))
    task.top = static_cast<std::size_t>(parse_decimal(asked["top"].get<std::string>()).in_units(0));
  task.limits.threads = options.threads;
  if (options.seconds < 1e8)
    task.limits.end = std::chrono::steady_clock::now() +
                      std::chrono::milliseconds(static_cast<Int>(options.seconds * 1000));
  std::optional<ProofFile> proof;
  std::map<std::string, std::pair<std::string, std::string>> replayed;
  task.replayed = &replayed;
  if (!options.proof.empty()) {
    task.proof = &proof.emplace(options.proof);
    const auto other = mismatch(proof->head(), result);
    if (!other.empty()) throw Unreadable("the proof is one of " + other);
  }

  std::size_t verified = 0;
  std::size_t refuted = 0;
  std::size_t asked_for = 0;
  std::map<std::string, std::pair<std::string, std::string>> done;  // verdict, and the first such layer
  for (const Json& record : member(result, "layers")) {
    const auto name = member(record, "name").get<std::string>();
    if (!options.layer.empty() && name != options.layer) continue;
    ++asked_for;
    Json claims = record;
    for (const auto* const key : {"name", "repeat", "same_as", "search", "alternatives", "resources"})
      claims.erase(key);
    auto& [verdict, first] = done[claims.dump()];
    if (first.empty()) {
      auto [found, sentence] = check_layer(record, task);
      std::cout << found << std::string(13 - found.size(), ' ') << quoted(name) << ": " << harmless(sentence)
                << '\n'
                << std::flush;
      verdict = std::move(found);
      first = quoted(name);
    } else {
      std::cout << verdict << std::string(13 - verdict.size(), ' ') << quoted(name) << ": as " << first
                << '\n';
    }
    if (verdict == "verified") ++verified;
    if (verdict == "REFUTED") ++refuted;
  }
  if (asked_for == 0) throw Unreadable("there is no such layer");
  std::cout << (refuted > 0             ? "REFUTED"
                : verified == asked_for ? "VERIFIED"
                                        : "NOT ALL CHECKED")
            << ": " << verified << " of " << asked_for << " layers on " << quoted(task.machine.name)
            << ", objective " << quoted(result["objective"].get<std::string>()) << ", latency model "
            << quoted(result["latency_model"].get<std::string>()) << '\n';
  return verified == asked_for ? 0 : 1;
}

template <typename T>
bool read_number(std::string_view text, T& number) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc() && end == text.data() + text.size();
}

int run(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = arguments[i];
    const bool has_value = i + 1 < count;
    if (word == "--help") {
      std::cout << usage;
      return 0;
    }
    bool understood = true;
    if (word == "--layer" && has_value)
      options.layer = arguments[++i];
    else if (word == "--proof" && has_value)
      options.proof = arguments[++i];
    else if (word == "--time-limit" && has_value)
      understood = read_number(arguments[++i], options.seconds) && options.seconds >= 0;
    else if (word == "--threads" && has_value)
      understood =
          read_number(arguments[++i], options.threads) && options.threads >= 1 && options.threads <= 1024;
    else if (!word.starts_with("--") && options.result.empty())
      options.result = word;
    else
      understood = false;
    if (!understood) {
      std::cerr << usage;
      return 2;
    }
  }
  if (options.result.empty()) {
    std::cerr << usage;
    return 2;
  }
  try {
    return check(options);
  } catch (const std::exception& error) {
    std::cerr << "nestor-check: " << quoted(options.result) << ": " << harmless(error.what()) << '\n';
    return 3;
  }
}

}  // namespace
}  // namespace nestor::check

int main(int count, char** arguments) { return nestor::check::run(count, arguments); }
