// The cost of a placement by its definition: every value has the place where it is made and the places where
// it is read (docs/models/cnm.md, "Offloading").
#include <cmath>
#include <set>
#include <unordered_map>
#include <vector>

#include "check/cnm/contract.h"
#include "check/json.h"

namespace nestor::check::cnm {
namespace {

constexpr const char* host_token = "@host";

// The host has no name.
struct Place {
  std::string system;
  std::string token;
  Int bytes = 0;
  auto operator<=>(const Place&) const = default;
};

Int whole_ps(double ps) {
  constexpr double most = 4e18;
  const double whole = std::floor(ps + 0.5);
  if (!(whole >= 0 && whole <= most)) throw TooLarge();
  return static_cast<Int>(whole);
}

double milliseconds_at(const Json& record, const char* key) {
  const Json& number = member(record, key);
  if (!number.is_number()) throw Unreadable(std::string(key) + " is not a number");
  return number.get<double>();
}

bool lists(const Json& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A program whose operations are on systems.
class PlacedProgram {
 public:
  PlacedProgram(const Json& systems, const Json& offload, const Json& placement)
      : program_(member(offload, "program")),
        operations_(member(program_, "ops")),
        placement_(placement),
        counted_(word_of(offload, "counted")),
        moves_constants_(word_of(offload, "weights") == "move") {
    for (const Json& system : systems) systems_.emplace(word_of(system, "name"), &system);
    if (placement.size() != operations_.size()) throw Unreadable("its placement has the wrong length");
  }

  PlacementCost cost() {
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      const Json& times = member(operations_[i], "time_ms");
      cost_.time_ps = plus(cost_.time_ps, whole_ps(milliseconds_at(times, name_of_system(i).c_str()) * 1e9));
      for (const Json& value : member(operations_[i], "reads"))
        readers_[value.get<std::string>()].push_back(i);
      for (const Json& value : member(operations_[i], "writes")) makers_[value.get<std::string>()] = i;
    }
    if (counted_ == "none") return cost_;
    for (const auto& [name, value] : member(program_, "values").items())
      if (is_counted(name)) add_value(name);
    return cost_;
  }

 private:
  std::string name_of_system(std::size_t operation) const { return placement_[operation].get<std::string>(); }
  const Json& system(const std::string& name) const {
    const auto found = systems_.find(name);
    if (found == systems_.end()) throw Unreadable("its placement has an unknown system");
    return *found->second;
  }
  bool counts_ends() const { return counted_ == "all"; }

  bool is_counted(const std::string& value) const {
    if (!counts_ends() && lists(member(program_, "inputs"), value)) return false;
    return moves_constants_ || !lists(member(program_, "constants"), value);
  }

  // Returns the form in which the system of an operation holds a value.
  Place form(std::size_t operation, const std::string& value) const {
    Place place{name_of_system(operation), "", 0};
    if (system(place.system).value("target", Json()) == "host") return {};
    place.bytes = integer(member(member(member(program_, "values"), value.c_str()), "bytes"), 0, "bytes");
    const auto part = [&](const char* key) -> const Json* {
      const Json* found = &operations_[operation];
      for (const std::string& next : {std::string(key), place.system, value}) {
        const auto inner = found->find(next);
        if (inner == found->end()) return nullptr;
        found = &*inner;
      }
      return found;
    };
    if (const Json* const token = part("parts")) place.token = token->get<std::string>();
    if (const Json* const bytes = part("bytes")) place.bytes = integer(*bytes, 0, "bytes");
    return place;
  }

  // Adds a transfer between a place and the host.
  void pay(const Place& place, const char* rate) {
    const Json link = system(place.system).value("link", Json::object());
    const double gbs = link.value(rate, 0.0);
    const double moving = gbs > 0 ? 1000 * static_cast<double>(place.bytes) / gbs : 0.0;
    cost_.time_ps = plus(cost_.time_ps, whole_ps(moving + link.value("us", 0.0) * 1e6));
    ++cost_.transfers;
  }

  void add_value(const std::string& value) {
    Place made;
    if (const auto maker = makers_.find(value); maker != makers_.end()) made = form(maker->second, value);
    if (made.token == host_token) {
      pay(made, "from_gbs");
      made = {};
    }
    std::set<Place> reads;
    for (const std::size_t reader : readers_[value]) {
      Place place = form(reader, value);
      if (place.token == host_token) place = {};
      reads.insert(place);
    }
    if (counts_ends() && lists(member(program_, "outputs"), value)) reads.insert(Place{});
    reads.erase(made);
    if (reads.empty()) return;
    if (made != Place{}) pay(made, "from_gbs");
    for (const Place& place : reads)
      if (place != Place{}) pay(place, "to_gbs");
  }

  const Json& program_;
  const Json& operations_;
  const Json& placement_;
  const std::string counted_;
  const bool moves_constants_;
  std::unordered_map<std::string, const Json*> systems_;
  std::unordered_map<std::string, std::vector<std::size_t>> readers_;
  std::unordered_map<std::string, std::size_t> makers_;
  PlacementCost cost_;
};

double ms_of(Int ps) { return static_cast<double>(ps) / 1e9; }

}  // namespace

PlacementCost cost_of_placement(const Json& systems, const Json& offload, const Json& placement) {
  return PlacedProgram(systems, offload, placement).cost();
}

Contract placement_contract(const Json& systems, const Json& offload) {
  return contract_or_fault([&]() -> Contract {
    const Json& operations = member(member(offload, "program"), "ops");
    const PlacementCost cost = cost_of_placement(systems, offload, member(offload, "placement"));
    Json figures = {{"time_ms", ms_of(cost.time_ps)}, {"transfers", cost.transfers}};
    figures["alone_ms"] = Json::object();
    for (const Json& system : systems) {
      const auto name = word_of(system, "name");
      figures["link"][name] = {{"to_gbs", 0.0}, {"from_gbs", 0.0}, {"us", 0.0}};
      figures["link"][name].update(system.value("link", Json::object()));
      const bool runs_all = std::all_of(operations.begin(), operations.end(), [&](const Json& operation) {
        return operation.value("time_ms", Json::object()).contains(name);
      });
      if (!runs_all) continue;
      const Json placement(operations.size(), name);
      figures["alone_ms"][name] = ms_of(cost_of_placement(systems, offload, placement).time_ps);
    }
    return {{}, std::move(figures)};
  });
}

}  // namespace nestor::check::cnm
