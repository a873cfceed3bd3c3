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

#include "check/prove.h"

namespace nestor::check {
namespace {

constexpr const char* usage =
    "usage: nestor-check RESULT [--layer NAME] [--time-limit SECONDS] [--threads N]\n"
    "Proves again what RESULT (nestor map ... --json RESULT) claims to be optimal: exit status 0.\n"
    "1: a claim is false, or was not checked to the end; 2: wrong usage; 3: RESULT cannot be read.\n";

struct Options {
  std::string result;
  std::string layer;
  double seconds = 1e9;
  std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
};

// A claimed number against an exact one, to one part in 10^9.
bool agrees(const Json& claimed, Wide exact, int places) {
  const int more = std::max(places, decimal_of(claimed).places());
  const Wide difference = decimal_of(claimed).in_units(more) - times(exact, power_of_ten(more - places));
  const Wide part = times(exact, power_of_ten(more - places)) / 1'000'000'000;
  return difference <= part && difference >= -part;
}

class LayerCheck {
 public:
  LayerCheck(const Json& record, const Machine& machine, const Objective& objective, bool front,
             const Limits& limits)
      : record_(record),
        layer_(read_layer(record)),
        machine_(machine),
        objective_(objective),
        front_(front),
        limits_(limits) {}

  /// One of "verified", "REFUTED", "not checked", and a sentence.
  std::pair<std::string, std::string> run() {
    if (record_.contains("padded")) return {"not checked", "its bounds are padded"};
    if (!record_.contains("status")) return {"not checked", "nothing is claimed: it has no status"};
    const auto status = record_["status"].get<std::string>();
    Claim claim(objective_, machine_);
    if (status == "infeasible") {
      claim.nothing_is_possible();
      return proved(claim, "there is no mapping");
    }
    if (front_) return front(claim, status);
    if (!record_.contains("lower_bound")) return {"not checked", "it has no lower bound"};
    if (record_.contains("mapping")) {
      const auto fault = mapping_fault(record_, claim);
      if (!fault.empty()) return {"REFUTED", fault};
      if (status == "optimal" && above(record_["objective"], record_["lower_bound"]))
        return {"REFUTED", "it is called optimal, but its lower bound lies below its objective"};
    } else if (status == "optimal") {
      return {"REFUTED", "it is called optimal, but has no mapping"};
    }
    const auto bound = decimal_of(record_["lower_bound"]);
    claim.nothing_is_below(bound.in_units(claim.cost_places()));
    return proved(claim, "no mapping costs less than " + record_["lower_bound"].dump() +
                             (status == "optimal" ? ", and the one that is given costs that" : ""));
  }

 private:
  static bool above(const Json& a, const Json& b) {
    const int places = std::max(decimal_of(a).places(), decimal_of(b).places());
    const Wide upper = decimal_of(a).in_units(places);
    return upper - decimal_of(b).in_units(places) > upper / 1'000'000'000;
  }

  std::string mapping_fault(const Json& point, const Claim& claim) const {
    const auto cost = cost_of(layer_, machine_, objective_, read_mapping(member(point, "mapping"), machine_));
    if (!cost.fault.empty()) return "its mapping is none: " + cost.fault;
    const Wide energy = claim.with_leakage(cost.latency, cost.energy);
    if (!agrees(member(point, "latency_cycles"), cost.latency, 0))
      return "its mapping takes " + to_text(cost.latency) + " cycles";
    if (!agrees(member(point, "energy_pj"), energy, machine_.places))
      return "its mapping takes " + to_text(energy, machine_.places) + " pJ";
    if (!front_ && !agrees(member(point, "objective"), claim.cost(cost.latency, energy), claim.cost_places()))
      return "its mapping costs " + to_text(claim.cost(cost.latency, energy), claim.cost_places());
    return "";
  }

  std::pair<std::string, std::string> front(Claim& claim, const std::string& status) {
    if (status != "optimal") return {"not checked", "its front is not claimed to be whole"};
    claim.is_a_front();
    for (const Json& point : member(record_, "front")) {
      const auto fault = mapping_fault(point, claim);
      if (!fault.empty()) return {"REFUTED", fault};
      claim.is_covered_by(member(point, "latency_cycles").get<Int>(),
                          decimal_of(member(point, "energy_pj")).in_units(machine_.places));
    }
    return proved(claim, "no mapping has less latency and energy than every point of its front");
  }

  std::pair<std::string, std::string> proved(const Claim& claim, const std::string& sentence) {
    const auto begin = std::chrono::steady_clock::now();
    const Report report = prove(layer_, machine_, claim, limits_);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    char effort[200];
    std::snprintf(
        effort, sizeof effort,
        " (%llu spatial choices, %llu closed at once; %llu nests followed; closed: %llu by bound, %llu by "
        "room, %llu dominated; %.2f s)",
        static_cast<unsigned long long>(report.choices),
        static_cast<unsigned long long>(report.closed_at_once),
        static_cast<unsigned long long>(report.followed), static_cast<unsigned long long>(report.by_bound),
        static_cast<unsigned long long>(report.by_room), static_cast<unsigned long long>(report.dominated),
        seconds.count());
    if (report.refuted) {
      std::string better = "there is a mapping";
      if (claim.follows_latency()) better += " of latency " + to_text(report.latency);
      if (claim.follows_energy())
        better += (claim.follows_latency() ? " and energy " : " of energy ") +
                  to_text(claim.with_leakage(report.latency, report.energy), machine_.places);
      return {"REFUTED", better + effort};
    }
    if (!report.finished) return {"not checked", "out of time or memory" + std::string(effort)};
    return {"verified", sentence + effort};
  }

  const Json& record_;
  Layer layer_;
  const Machine& machine_;
  Objective objective_;
  bool front_;
  Limits limits_;
};

// Foreign text for a terminal: in quotes, with everything but plain ASCII escaped.
std::string quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
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
  const Machine machine = read_machine(member(result, "architecture"));
  Limits limits;
  limits.threads = options.threads;
  if (options.seconds < 1e8)
    limits.end = std::chrono::steady_clock::now() +
                 std::chrono::milliseconds(static_cast<Int>(options.seconds * 1000));

  std::size_t verified = 0;
  std::size_t refuted = 0;
  std::size_t asked_for = 0;
  std::map<std::string, std::string> done;
  for (const Json& record : member(result, "layers")) {
    const auto name = member(record, "name").get<std::string>();
    if (!options.layer.empty() && name != options.layer) continue;
    ++asked_for;
    Json claims = record;
    for (const auto* const key : {"name", "repeat", "same_as", "search", "alternatives", "resources"})
      claims.erase(key);
    auto& earlier = done[claims.dump()];
    if (!earlier.empty()) {
      std::cout << "verified     " << quoted(name) << ": as " << earlier << '\n';
      ++verified;
      continue;
    }
    const auto [verdict, sentence] = LayerCheck(record, machine, *objective, front, limits).run();
    std::cout << verdict << std::string(13 - verdict.size(), ' ') << quoted(name) << ": " << sentence << '\n'
              << std::flush;
    if (verdict == "verified") {
      earlier = quoted(name);
      ++verified;
    }
    if (verdict == "REFUTED") ++refuted;
  }
  if (asked_for == 0) throw Unreadable("there is no such layer");
  std::cout << (refuted > 0             ? "REFUTED"
                : verified == asked_for ? "VERIFIED"
                                        : "NOT ALL CHECKED")
            << ": " << verified << " of " << asked_for << " layers on " << quoted(machine.name)
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
    auto reason = quoted(error.what());
    if (reason.find('\\') == std::string::npos) reason = reason.substr(1, reason.size() - 2);
    std::cerr << "nestor-check: " << quoted(options.result) << ": " << reason << '\n';
    return 3;
  }
}

}  // namespace
}  // namespace nestor::check

int main(int count, char** arguments) { return nestor::check::run(count, arguments); }
