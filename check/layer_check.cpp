#include "check/layer_check.h"

#include <cstdio>

#include "check/choices.h"

namespace nestor::check {
namespace {

// A claimed number against an exact one, to one part in 10^9.
bool agrees(const Json& claimed, Wide exact, int places) {
  const int more = std::max(places, decimal_of(claimed).places());
  const Wide difference = decimal_of(claimed).in_units(more) - times(exact, power_of_ten(more - places));
  const Wide part = times(exact, power_of_ten(more - places)) / 1'000'000'000;
  return difference <= part && difference >= -part;
}

bool is_same(const Layer& a, const Layer& b) {
  return a.bounds == b.bounds && a.stride == b.stride && a.dilation == b.dilation && a.bits == b.bits &&
         a.partial_sum == b.partial_sum;
}

// As text: what a result and a proof must say alike.
std::string claim_of(const Json& record) {
  Json claim;
  for (const auto* const key : {"status", "lower_bound"})
    if (record.contains(key)) claim[key] = record[key];
  if (record.contains("alternatives"))
    for (const Json& point : record["alternatives"])
      claim["alternatives"].push_back(member(point, "objective"));
  if (record.contains("front"))
    for (const Json& point : record["front"])
      claim["front"].push_back({member(point, "latency_cycles"), member(point, "energy_pj")});
  return claim.dump();
}

using Verdict = std::pair<std::string, std::string>;

class LayerCheck {
 public:
  LayerCheck(const Json& record, const Task& task)
      : record_(record),
        layer_(read_layer(record)),
        task_(task),
        machine_(task.machine),
        objective_(task.objective),
        front_(task.front) {}

  Verdict run() {
    if (record_.contains("padded")) return {"not checked", "its bounds are padded"};
    if (!record_.contains("status")) return {"not checked", "nothing is claimed: it has no status"};
    const auto status = record_["status"].get<std::string>();
    Claim claim(objective_, machine_);
    if (status == "infeasible") {
      if (front_) claim.is_a_front();
      claim.nothing_is_possible(task_.proof != nullptr);
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

  Verdict front(Claim& claim, const std::string& status) {
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

  Verdict proved(const Claim& claim, const std::string& sentence) {
    if (task_.proof != nullptr) return replayed(claim, sentence);
    const auto begin = std::chrono::steady_clock::now();
    const Report report = prove(layer_, machine_, claim, task_.limits);
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

  // Of a list of the best, each has the least cost of its spatial choice, and all other choices cost no less
  // than the last; or, if the list is shorter than asked for, there is nothing else.
  std::string list_the_best(Claims& claims) const {
    if (task_.top == 1 || front_ || record_["status"] != "optimal") return "";
    std::vector<const Json*> best = {&record_};
    if (record_.contains("alternatives"))
      for (const Json& point : record_["alternatives"]) best.push_back(&point);
    for (const Json* const point : best) {
      if (const auto fault = mapping_fault(*point, claims.of_the_rest); !fault.empty()) return fault;
      Claim own(objective_, machine_);
      own.nothing_is_below(decimal_of(member(*point, "objective")).in_units(own.cost_places()));
      const auto spatial = read_mapping(member(*point, "mapping"), machine_).spatial;
      if (!claims.of_listed.emplace(standing_for(spatial, is_symmetric(layer_, machine_)), own).second)
        return "two of its mappings have one spatial choice";
      claims.of_the_rest = own;
    }
    if (best.size() < task_.top) claims.of_the_rest.nothing_is_possible(true);
    return best.size() > task_.top ? "it has more mappings than were asked for" : "";
  }

  Verdict replayed(const Claim& claim, const std::string& sentence) {
    Json key = {layer_.bounds, layer_.stride,      layer_.dilation,
                layer_.bits,   layer_.partial_sum, claim_of(record_)};
    if (task_.top > 1)
      key.push_back({record_.value("mapping", Json()), record_.value("alternatives", Json())});
    auto& known = (*task_.replayed)[key.dump()];
    if (known.first.empty()) known = replayed_part(claim, sentence);
    return known;
  }

  // The part of the proof that is of this layer; those before it are passed over.
  Verdict replayed_part(const Claim& claim, const std::string& sentence) {
    ProofFile& proof = *task_.proof;
    while (true) {
      const Json part = proof.next_layer(machine_);
      if (part.is_null()) return {"not proved", "the proof has no part for it"};
      if (!is_same(read_layer(part), layer_)) continue;
      if (claim_of(part) != claim_of(record_)) return {"not proved", "the proof is one of another claim"};
      break;
    }
    const auto begin = std::chrono::steady_clock::now();
    Claims claims{claim, {}};
    if (const auto fault = list_the_best(claims); !fault.empty()) return {"REFUTED", fault};
    const auto report = replay(
        layer_, machine_, claims, [&](LoggedChoice& choice) { return proof.next_choice(machine_, choice); },
        task_.limits);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    if (!report.failure.empty()) return {"not proved", report.failure};
    if (!report.finished) return {"not checked", "out of time"};
    char effort[160];
    std::snprintf(effort, sizeof effort,
                  " (%llu spatial choices, %llu of them in the proof; %llu nests, %llu ways on; %.2f s)",
                  static_cast<unsigned long long>(report.choices),
                  static_cast<unsigned long long>(report.logged),
                  static_cast<unsigned long long>(report.nests),
                  static_cast<unsigned long long>(report.children), seconds.count());
    return {"verified", sentence + effort};
  }

  const Json& record_;
  Layer layer_;
  const Task& task_;
  const Machine& machine_;
  const Objective& objective_;
  bool front_;
};

// FNV-1a, 64 bits.
std::string digest(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
  char digits[20];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return std::string("fnv1a64:") + digits;
}

}  // namespace

std::string mismatch(const Json& proof_head, const Json& result) {
  const auto is = [&](const char* key, const std::string& expected) {
    return proof_head.value(key, Json()) == Json(expected);
  };
  if (!is("architecture_digest", digest(member(result, "architecture").dump()))) return "another machine";
  if (!is("objective", member(result, "objective").get<std::string>())) return "another objective";
  if (!is("latency_model", member(result, "latency_model").get<std::string>()))
    return "another latency model";
  for (const auto* const weight : {"alpha", "beta"})
    if (proof_head.value(weight, Json()) != member(result, "options").value(weight, Json()))
      return "another objective";
  return "";
}

std::pair<std::string, std::string> check_layer(const Json& record, const Task& task) {
  return LayerCheck(record, task).run();
}

}  // namespace nestor::check
