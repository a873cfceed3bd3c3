#include "check/cnm/claims.h"

#include <algorithm>

#include "check/proof_file.h"

namespace nestor::check::cnm {
namespace {

constexpr std::size_t most_listed = 1'000'000;

// Returns a time in whole picoseconds, the unit in which times are compared.
Wide picoseconds_of(const Json& object, const char* key) {
  return nearest(Fraction(parse_decimal(member(object, key).dump())) * Fraction(picoseconds_per_ms));
}

Tuple integers(const Json& list, std::size_t count) {
  if (!list.is_array() || list.size() != count) throw Unreadable("a list of the proof has the wrong length");
  Tuple tuple;
  for (const Json& each : list) tuple.push_back(integer(each, 0, "a number of the proof"));
  return tuple;
}

// Reads the pieces of the proof. Each piece states the work of a tasklet, and the cycles of this work for
// each combination of block and loop order.
Estimates read_estimates(const CnmProblem& problem, const PieceSource& pieces) {
  const std::size_t dims = problem.kernel.dims();
  Estimates estimates;
  for (Json piece = pieces(); !piece.is_null(); piece = pieces()) {
    Form form;
    form.tasklets = integers(member(piece, "tasklets"), dims);
    form.local = integers(member(piece, "local"), dims);
    for (const Json& each : list_of(piece, "forms", most_listed)) {
      if (!each.is_array() || each.size() != 3) throw Unreadable("a program of the proof is invalid");
      form.block = integers(each[0], dims);
      form.order = integers(each[1], dims);
      estimates[form_key(problem, form)] = Fraction(parse_decimal(each[2].dump()));
    }
  }
  return estimates;
}

// Returns the first fault in the claims about a mapping, or an empty string. Sets `time` to the mapping's
// picoseconds and, if there is no fault, adds the mapping to `listed`.
template <typename Problem, typename Mapping>
std::string list_mapping(const Problem& problem, const Json& map, std::set<Mapping>& listed, Wide& time) {
  const Mapping mapping = read_mapping(map, problem);
  const auto cost = cost_of(problem, mapping);
  if (!cost) return "its mapping is invalid or illegal";
  time = nearest(cost->time);
  if (!agree(picoseconds_of(map, "time_ms"), time))
    return "its mapping takes " + to_text(time, picoseconds_per_ms) + " ms";
  if (map.contains("cycles") &&
      !agree(thousandths(Fraction(parse_decimal(map["cycles"].dump()))), thousandths(cost->cycles)))
    return "its mapping takes " + to_text(cost->cycles.over, cost->cycles.under) + " cycles";
  listed.insert(mapping);
  return "";
}

// Checks a result. `follow` checks the claim against all mappings of the space. `programs` has two words for
// the verdict: the kind of program that mappings run, and how a program that no bound closes is evaluated.
template <typename Mapping, typename Problem, typename Follow>
Verdict checked(const Json& result, const Json& head, const Problem& problem, const Follow& follow,
                const std::array<const char*, 2>& programs) {
  if (word_of(member(result, "objective"), "name") != "time")
    return {"not checked", "its objective is not time"};
  const bool is_optimal = word_of(result, "status") == "optimal";
  const Wide bound = picoseconds_of(result, "lower_bound_ms");
  const Json& maps = list_of(result, "maps", 1);
  if (word_of(result, "status") == "infeasible") return {"not checked", "its claim that no mapping exists"};

  KernelClaim<Mapping> claim;
  Wide time = bound;
  std::set<Mapping> given;
  if (!maps.empty()) {
    if (const auto fault = list_mapping(problem, maps[0], given, time); !fault.empty())
      return {"REFUTED", fault};
    if (!agree(picoseconds_of(result, "time_ms"), time))
      return {"REFUTED", "its time differs from the time of its mapping"};
  }
  claim.limit = bound - tolerance(bound);
  if (result.contains("top")) {
    Wide before = 0;
    for (const Json& map : list_of(result, "top", most_listed)) {
      if (const auto fault = list_mapping(problem, map, claim.listed, time); !fault.empty())
        return {"REFUTED", fault};
      before = time;
    }
    claim.limit = std::max(claim.limit, before - tolerance(before));
  }

  if (head.value("space", "") != "cnm" || head.value("kernel", "") != problem.kernel.name ||
      word_of(result, "kernel") != problem.kernel.name ||
      head.value("architecture", "") != problem.machine.name)
    throw Unreadable("the proof belongs to a different kernel or system");
  const FollowedKernel followed = follow(claim);
  if (!followed.failure.empty()) return {"not proved", followed.failure};
  auto claimed = "no mapping takes less than " + result["lower_bound_ms"].dump() + " ms";
  if (is_optimal) claimed += ", and the given mapping takes that time";
  if (claim.listed.size() > 1)
    claimed += ", and no mapping outside the list of " + std::to_string(claim.listed.size()) +
               " takes less than the last one in it";
  return {"verified", claimed + " (" + std::to_string(followed.works) +
                          " ways to cut the dims are not closed as a whole; of their " + programs[0] + " " +
                          std::to_string(followed.illegal) + " are illegal, " +
                          std::to_string(followed.bounded) + " closed by bounds, " +
                          std::to_string(followed.estimated) + " " + programs[1] + ")"};
}

}  // namespace

Verdict check_result(const Json& result, const Json& head, const PieceSource& pieces) {
  try {
    if (member(result, "architecture").value("target", Json()) == "hbm-pim") {
      const PimProblem problem = read_pim_problem(result);
      return checked<PimMapping>(result, head, problem,
                                 [&](const auto& claim) { return follow(problem, claim); },
                                 {"streams", "executed"});
    }
    const CnmProblem problem = read_problem(result);
    return checked<KernelMapping>(
        result, head, problem,
        [&](const auto& claim) { return follow(problem, claim, read_estimates(problem, pieces)); },
        {"programs", "estimated"});
  } catch (const NotChecked& reason) {
    return {"not checked", reason.what()};
  }
}

int check_kernel(const Json& result, const std::string& path, const std::string& layer) {
  if (!layer.empty()) throw Unreadable("--layer cannot be used with a kernel");
  ProofFile proof(path);
  const auto verdict = check_result(result, proof.head(), [&] { return proof.next_layer(0); });
  while (verdict.word == "verified" && !proof.next_layer(0).is_null()) continue;
  const auto name = quoted(word_of(result, "kernel"));
  const auto system = quoted(word_of(member(result, "architecture"), "name"));
  return say(verdict, name, "kernel " + name + " on " + system + ", objective \"time\"");
}

}  // namespace nestor::check::cnm
