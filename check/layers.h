// Check of loop-nest results, layer by layer. It prints a verdict for each layer. The Rules of the space
// verify the proof.
#pragma once

#include <iostream>

#include "check/proof_file.h"
#include "check/replay.h"

namespace nestor::check {

/// Checks layers in the order of the result. Several layers can share one part of the proof.
template <typename Rules, typename Machine>
class LayerCheck {
 public:
  LayerCheck(const Json& result, const Machine& machine, const std::string& proof)
      : machine_(machine),
        objective_(read_objective(result, machine_)),
        top_(parse_decimal(member(result, "options").value("top", "1")).in(1)),
        padding_(read_padding(result)),
        proof_(proof) {
    const Json claimed = {{"space", result["space"]},
                          {"objective", result["objective"]["name"]},
                          {"latency_model", result["objective"].value("latency_model", "")},
                          {"architecture", text_of(result["architecture"], "name")}};
    for (const auto& [key, word] : claimed.items())
      if (word != proof_.head().value(key, "")) throw Unreadable("the proof belongs to a different " + key);
  }

  /// Prints the verdicts. Returns 0 if all are "verified", otherwise 1. `only` selects one layer, if it is
  /// not empty.
  int print(const Json& result, const std::string& only) {
    std::map<std::string, std::size_t> count;
    for (const Json& record : member(result, "layers")) {
      const auto name = text_of(record, "name");
      if (!only.empty() && name != only) continue;
      const auto [word, sentence] = verdict(record);
      std::cout << (word + std::string(13 - word.size(), ' ')) << quoted(name) << ": ";
      std::cout << harmless(sentence) << '\n' << std::flush;
      ++count[word];
      ++count["all"];
    }
    if (count["all"] == 0) throw Unreadable("it has no layer of this name");
    const bool is_verified = count["verified"] == count["all"];
    // The remaining parts of the proof must be complete, too.
    while (is_verified && only.empty() && !proof_.next_layer(rows_of_a_choice()).is_null()) continue;
    const Json& head = proof_.head();  // equal to the result
    auto of = quoted(text_of(head, "architecture")) + ", objective " + quoted(text_of(head, "objective"));
    if (head.contains("latency_model")) of += ", latency model " + quoted(text_of(head, "latency_model"));
    const auto* const all = is_verified ? "VERIFIED" : count["REFUTED"] > 0 ? "REFUTED" : "NOT ALL CHECKED";
    std::cout << all << ": " << count["verified"] << " of " << count["all"] << " layers on " << of << '\n';
    return is_verified ? 0 : 1;
  }

 private:
  Verdict verdict(const Json& record) {
    const Layer layer = read_layer(record);
    Json key = {layer.bounds, layer.stride, layer.dilation, layer.bits, layer.partial_sum};
    for (const auto* const claim : {"status", "objective", "lower_bound", "latency_cycles", "energy_pj",
                                    "mapping", "padded", "alternatives", "front"})
      key.push_back(record.value(claim, Json()));
    auto& verdict = verdicts_[key.dump()];
    if (verdict.word.empty()) verdict = checked(layer, record);
    return verdict;
  }

  Verdict checked(const Layer& layer, const Json& record) {
    const auto status = record.value("status", "");
    const bool is_optimal = status == "optimal";
    Claim claim(objective_, machine_);
    std::map<Extents, std::map<Spatial, Claim>> listed;  // claims for listed mappings
    std::size_t count = 0;
    std::vector<Json> points;
    std::string of_bounds = padding_.is_wanted ? " with bounds padded " + bounds_in_words() : "";
    if (machine_.is_fixed) of_bounds += " that meets its constraints";
    std::string claimed = "there is no mapping" + of_bounds;
    if (objective_.is_front && status != "infeasible") {
      if (!is_optimal) return {"not checked", "its front is not claimed to be complete"};
      claimed = "no mapping" + of_bounds + " has less latency and energy than every point of its front";
      points = member(record, "front");
    } else if (status != "infeasible") {
      if (!record.contains("lower_bound")) return {"not checked", "it has no lower bound"};
      claimed = "no mapping" + of_bounds + " costs less than " + record["lower_bound"].dump();
      if (is_optimal) claimed += ", and the given mapping has this cost";
      claim.nothing_is_below(decimal_of(record["lower_bound"]));
      if (is_optimal || record.contains("mapping")) points.push_back(record);
      for (const Json& point : record.value("alternatives", Json::array())) points.push_back(point);
    }
    // In a list of the best mappings, each has the lowest cost of its spatial choice, and all other choices
    // cost at least as much as the last mapping. If the list is shorter than requested, there are no other
    // choices.
    for (const Json& point : points) {
      const auto mapping = read_mapping(member(point, "mapping"), machine_);
      Layer shape = layer;
      if (point.contains("padded")) shape.bounds = read_layer({{"dims", point["padded"]}}).bounds;
      if (!padding_.allows(layer.bounds, shape.bounds))
        return {"REFUTED", "its bounds are padded beyond the requested padding"};
      const auto [cost, fault] = checked(shape, point, mapping);
      if (!fault.empty()) return {"REFUTED", fault};
      if (objective_.is_front) {
        if (claim.is_covered_by(point["latency_cycles"], decimal_of(point["energy_pj"]))) continue;
        return {"REFUTED", "its front is not in order of increasing cycles and decreasing energy"};
      }
      if (!is_optimal || top_ == 1) continue;
      claim.nothing_is_below(decimal_of(point["objective"]));
      if (!listed[shape.bounds].emplace(standing_for(mapping.spatial, shape, machine_), claim).second)
        return {"REFUTED", "two of its mappings have the same spatial choice"};
      ++count;
    }
    if (count > 0 && static_cast<Wide>(count) < top_) claim = Claim(objective_, machine_);

    Json part;
    do {
      part = proof_.next_layer(rows_of_a_choice());
      if (part.is_null()) return {"not proved", "the proof has no part for it"};
    } while (read_layer(part) != layer);  // earlier parts are skipped
    const auto report = padding_.is_wanted ? replay_padded(layer, claim, listed)
                                           : replay_shape(layer, {claim, listed[layer.bounds]}, std::nullopt);
    if (!report.failure.empty()) return {"not proved", report.failure};
    return {"verified", claimed + " (" + std::to_string(report.choices) + " spatial choices, " +
                            std::to_string(report.logged) + " of them in the proof; " +
                            std::to_string(report.nests) + " nests)"};
  }

  std::string bounds_in_words() const {
    if (padding_.to_multiples) return "up to the next multiples of 2, 4 and 8";
    return "by at most " + to_text(padding_.percent.digits, power_of_ten(padding_.percent.places)) + " %";
  }

  // With padding, a choice is stored with its bounds as an additional row.
  std::size_t rows_of_a_choice() const { return machine_.axes.size() + (padding_.is_wanted ? 1 : 0); }
  // Reads the next choice of a proof with padding, if there is one, because its bounds are needed first.
  void look_ahead() {
    LoggedChoice choice;
    ahead_.reset();
    if (proof_.next_choice(rows_of_a_choice(), choice)) ahead_ = std::move(choice);
  }
  ReplayReport replay_shape(const Layer& shape, const Claims& claims, const std::optional<Extents>& least) {
    const auto source = [&](LoggedChoice& choice) {
      if (!padding_.is_wanted) return proof_.next_choice(rows_of_a_choice(), choice);
      if (!ahead_ || ahead_->spatial.front() != shape.bounds) return false;
      choice = std::move(*ahead_);
      choice.spatial.erase(choice.spatial.begin());
      look_ahead();
      return true;
    };
    return replay<Rules>(shape, machine_, claims, source, least);
  }

  // Replays all bounds that the padding allows: first the bounds in the proof, in their order, then all other
  // bounds.
  ReplayReport replay_padded(const Layer& own, const Claim& claim,
                             std::map<Extents, std::map<Spatial, Claim>>& listed) {
    const bool reducible = top_ == 1 && !padding_.to_multiples && grows_with_factors(machine_, objective_);
    std::set<Extents> done;
    ReplayReport all;
    const auto follow = [&](const Extents& bounds) {
      if (!all.failure.empty() || !done.insert(bounds).second) return;
      Layer shape = own;
      shape.bounds = bounds;
      const bool follows_rest = !ahead_ || ahead_->spatial.front() != bounds;
      if (follows_rest && listed.count(bounds) == 0 && claim.closes(least_of(shape))) return;
      const auto report =
          replay_shape(shape, {claim, listed[bounds]}, reducible ? std::optional(own.bounds) : std::nullopt);
      all.choices += report.choices;
      all.logged += report.logged;
      all.nests += report.nests;
      if (!report.failure.empty()) all.failure = words(bounds) + ", " + report.failure;
    };
    look_ahead();
    while (ahead_ && all.failure.empty()) {
      const Extents bounds = ahead_->spatial.front();
      if (!padding_.allows(own.bounds, bounds) || done.contains(bounds))
        all.failure = words(bounds) + " are not valid padded bounds of the layer, or occur twice";
      follow(bounds);
    }
    each_padded(own.bounds, padding_, reducible, follow);
    return all;
  }

  // Returns a lower bound on the cost that follows from the layer's bounds alone.
  Cost least_of(const Layer& shape) const {
    Cost least = least_cost(shape, machine_);
    if constexpr (requires { Rules::least_transfers(shape, machine_); })
      least.latency = std::max(least.latency, Rules::least_transfers(shape, machine_));
    return least;
  }

  // Returns the cost of a mapping, and the reason why the mapping is invalid or a figure of the result is
  // wrong, or an empty string.
  std::pair<Wide, std::string> checked(const Layer& layer, const Json& point, const auto& mapping) const {
    Objective all = objective_;
    all.follows_latency = true;
    const Claim claim(all, machine_);
    const auto parts = cost_of({layer, machine_, claim}, mapping);
    if (!parts.fault.empty()) return {0, "its mapping is invalid: " + parts.fault};
    const Wide cost = claim.cost(parts);
    all.counts_sizes = false;
    all.per_energy = 1;
    const Claim spends(all, machine_);
    const Wide pj = spends.with_leakage(cost_of({layer, machine_, spends}, mapping));
    const auto differs = [&](const char* key, Wide exact, Wide unit) {
      const auto said = decimal_of(member(point, key));
      return exact < said.least(unit) || exact > said.most(unit);
    };
    std::string fault;
    if (differs("latency_cycles", parts.latency, 1)) fault = "takes " + to_text(parts.latency) + " cycles";
    if (differs("energy_pj", pj, machine_.unit)) fault = "takes " + to_text(pj, machine_.unit) + " pJ";
    if (const Wide product = times(pj, Wide{parts.latency}); differs("edp", product, machine_.unit))
      fault = "has an energy-delay product of " + to_text(product, machine_.unit);
    if (fault.empty() && !objective_.is_front && differs("objective", cost, objective_.unit))
      fault = "costs " + to_text(cost, objective_.unit);
    return {cost, fault.empty() ? "" : "its mapping " + fault};
  }

  Machine machine_;
  Objective objective_;
  Wide top_;  ///< number of best mappings that were requested
  Padding padding_;
  ProofFile proof_;
  std::optional<LoggedChoice> ahead_;  ///< next choice of a proof with padding
  std::map<std::string, Verdict> verdicts_;
};

}  // namespace nestor::check
