#include "check/cnm/contract_maps.h"

#include <algorithm>
#include <set>

#include "check/cnm/space.h"

namespace nestor::check::cnm {
namespace {

constexpr std::size_t most_maps = 256;
constexpr Int most_points = Int{1} << 50;

struct Box {
  Tuple begin, end;
};
using Boxes = std::vector<const Box*>;

// Finds the first point outside all boxes, in the order of its last dims first. `dims` dims are still open;
// in the others, all given boxes contain the point.
bool find_free(const Boxes& boxes, const Tuple& extents, std::size_t dims, Tuple& point) {
  if (dims == 0) return boxes.empty();
  const std::size_t d = dims - 1;
  std::set<Int> starts = {0};
  for (const Box* box : boxes) starts.insert(box->end[d]);
  for (const Int start : starts) {
    if (start >= extents[d]) break;
    point[d] = start;
    Boxes here;
    for (const Box* box : boxes)
      if (box->begin[d] <= start && start < box->end[d]) here.push_back(box);
    if (find_free(here, extents, d, point)) return true;
  }
  return false;
}

bool overlap(const Box& a, const Box& b) {
  for (std::size_t d = 0; d < a.begin.size(); ++d)
    if (a.end[d] <= b.begin[d] || b.end[d] <= a.begin[d]) return false;
  return true;
}

Int number_in(const std::string& name) {
  Int number = 0;
  for (const char letter : name)
    if (letter >= '0' && letter <= '9' && number < 1'000'000'000) number = number * 10 + (letter - '0');
  return number;
}

// Reads a tuple that may be empty.
Tuple read_optional(const Json& map, const char* key, std::size_t dims, Int least) {
  const Json& list = member(map, key);
  return read_tuple(list, list.empty() ? 0 : dims, least);
}

StatedMap read_map(const Json& json, std::size_t dims, const Json& levels, Int units_per_block) {
  StatedMap map;
  map.json = &json;
  map.name = word_of(json, "name");
  const auto refuse = [&](const char* why) { throw Unreadable(map.label() + why); };
  const Json& tuples = list_of(json, "tuples", levels.size() + 1);
  if (tuples.size() != levels.size() + 1) refuse("it does not have one tuple for each level");
  for (std::size_t l = 0; l < tuples.size(); ++l) {
    map.tuples.push_back(read_tuple(tuples[l], dims, 1));
    const Int units = l == 1 ? units_per_block : 1;
    if (l < levels.size() && product(map.tuples[l]) > times(units, integer(levels[l]["size"], 1, "a level")))
      refuse("it uses more units than a level has");
  }
  map.block = read_optional(json, "block", dims, 1);
  for (std::size_t d = 0; d < map.block.size(); ++d)
    if (map.tuples.back()[d] % map.block[d] != 0) refuse("a block does not divide its extent");
  map.order = read_optional(json, "order", dims, 0);
  const std::set<Int> different(map.order.begin(), map.order.end());
  if (different.size() != map.order.size() ||
      (!different.empty() && *different.rbegin() >= static_cast<Int>(dims)))
    refuse("its order is not a permutation of the dims");
  if (product(map.extents()) > most_points) throw TooLarge();
  return map;
}

double in_ms(long double picoseconds) {
  return static_cast<double>(picoseconds / static_cast<long double>(picoseconds_per_ms));
}

// Returns the number of elements of all outputs for units with these parts and iterations.
Int output_elements(const Kernel& kernel, const Tuple& parts, const Tuple& local) {
  Int sum = 0;
  for (const CnmOperand& operand : kernel.operands) {
    if (!operand.is_output) continue;
    Int elements = 1;
    for (const Index& index : operand.map) elements = times(elements, index.reach(local));
    for (std::size_t d = 0; d < parts.size(); ++d)
      if (operand.uses(d)) elements = times(elements, parts[d]);
    sum = plus(sum, elements);
  }
  return sum;
}

}  // namespace

Tuple parts_of(const StatedMap& map, std::size_t levels) {
  Tuple parts = map.tuples[0];
  for (std::size_t l = 1; l < levels; ++l) parts = times_each(parts, map.tuples[l]);
  return parts;
}
Tuple StatedMap::extents() const { return parts_of(*this, tuples.size()); }

void refuse_keys(const StatedMap& map, std::initializer_list<const char*> keys) {
  for (const char* key : keys)
    if (map.json->contains(key)) throw Unreadable(map.label() + "it has the key " + key);
}

std::vector<StatedMap> read_maps(const Json& maps, std::size_t dims, const Json& levels,
                                 Int units_per_block) {
  if (!maps.is_array() || maps.size() > most_maps) throw Unreadable("it does not have a list of maps");
  std::vector<StatedMap> all;
  for (const Json& each : maps) all.push_back(read_map(each, dims, levels, units_per_block));
  return all;
}

void sort_by_number(std::vector<StatedMap>& maps) {
  std::stable_sort(maps.begin(), maps.end(), [](const StatedMap& a, const StatedMap& b) {
    return number_in(a.name) < number_in(b.name);
  });
}

void require_cover(const std::vector<StatedMap>& maps, const Tuple& extents) {
  std::vector<Box> boxes;
  Int points = 0;
  for (const StatedMap& map : maps) {
    Boxes before;
    for (const Box& box : boxes) before.push_back(&box);
    Box next{Tuple(extents.size(), 0), {}};
    if (!find_free(before, extents, extents.size(), next.begin))
      throw Unreadable(map.label() + "it covers no new point");
    const Tuple size = map.extents();
    for (std::size_t d = 0; d < size.size(); ++d) {
      next.end.push_back(plus(next.begin[d], size[d]));
      if (next.end[d] > extents[d]) throw Unreadable(map.label() + "it exceeds the iteration space");
    }
    for (const Box& box : boxes)
      if (overlap(box, next)) throw Unreadable(map.label() + "it covers a point of an earlier map");
    points = plus(points, product(size));
    boxes.push_back(std::move(next));
  }
  if (points != product(extents)) throw Unreadable("its maps do not cover every point");
}

Int shared_results(const Kernel& kernel, const std::vector<StatedMap>& maps) {
  Int written = 0;
  for (const StatedMap& map : maps)
    written = plus(written, output_elements(kernel, parts_of(map, map.tuples.size() - 1), map.tuples.back()));
  return std::max<Int>(0, written - output_elements(kernel, Tuple(kernel.dims(), 1), kernel.extents));
}

Json MapEntries::units(const std::vector<Tuple>& tuples) const {
  const Json& levels = claims_.architecture["levels"];
  Json all = Json::object();
  for (std::size_t l = 0; l < levels.size(); ++l) all[word_of(levels[l], "name")] = product(tuples[l]);
  return all;
}

Json MapEntries::begin(const StatedMap& map) const {
  Json entry;
  for (const char* key :
       {"name", "tuples", "block", "order", "collect", "half", "half_dim", "bank", "grf", "layout"})
    if (map.json->contains(key)) entry[key] = (*map.json)[key];
  entry["units"] = units(map.tuples);
  return entry;
}

Json MapEntries::begin_single(Int tasklets) const {
  const std::vector<Tuple> tuples = {{1}, {1}, {tasklets}};
  return {{"name", "M1"},
          {"tuples", tuples},
          {"block", Json::array()},
          {"order", Json::array()},
          {"units", units(tuples)}};
}

double MapEntries::milliseconds(const Fraction& cycles, const HostTimes& host) const {
  return in_ms(to_real(cycles) * cycle_ + host.launch + host.reduce + host.transfer);
}

void MapEntries::add_replay(Json& entry, Int cycles, Json by_cause, const HostTimes& host) {
  const double time = milliseconds(Fraction(cycles), host);
  replay_ms_ += time;
  entry["replay"] = {{"cycles", cycles}, {"time_ms", time}, {"causes", std::move(by_cause)}};
}

void MapEntries::finish(Json entry, const Fraction& cycles, const HostTimes& host) {
  const double time = milliseconds(cycles, host);
  entry["time_ms"] = time;
  entry["host_ms"] = {
      {"launch", in_ms(host.launch)}, {"reduce", in_ms(host.reduce)}, {"transfer", in_ms(host.transfer)}};
  time_ms_ += time;
  cycles_ += static_cast<double>(to_real(cycles));
  maps_.push_back(std::move(entry));
}

void MapEntries::leave_open(const std::string& key) {
  if (std::find(open_.begin(), open_.end(), key) == open_.end()) open_.push_back(key);
}

KernelContract MapEntries::result() {
  KernelContract contract;
  contract.open = std::move(open_);
  if (!maps_.empty()) {
    contract.figures["time_ms"] = time_ms_;
    contract.figures["cycles"] = cycles_;
    if (claims_.is_replayed) contract.figures["replay_time_ms"] = replay_ms_;
  }
  contract.figures["maps"] = std::move(maps_);
  return contract;
}

}  // namespace nestor::check::cnm
