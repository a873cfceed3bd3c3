#include "mapper/cnm/offload_places.h"

#include <algorithm>
#include <cmath>

#include "base/checked.h"

namespace nestor::cnm {
namespace {

constexpr std::string_view host_token = "@host";

// Returns the form (token, bytes) in which a system stores a value of an operation.
std::pair<std::string, Int> form_of(const KernelProgram& program, std::size_t value,
                                    const ProgramOperation& operation, const std::string& system) {
  std::pair<std::string, Int> form{"", program.values[value].bytes};
  const auto parts = operation.parts.find(system);
  if (parts == operation.parts.end()) return form;
  const auto part = parts->second.find(value);
  if (part == parts->second.end()) return form;
  if (part->second.token) form.first = *part->second.token;
  if (part->second.bytes) form.second = *part->second.bytes;
  return form;
}

}  // namespace

OffloadPlaces::OffloadPlaces(const OffloadProblem& problem) : problem_(problem) {
  const auto& operations = problem.program.operations;
  for (const ProgramOperation& operation : operations) {
    times_.emplace_back();
    Int most = 0;
    for (const OffloadSystem& system : problem.systems) {
      const auto time = operation.time_ms.find(system.name);
      times_.back().push_back(time == operation.time_ms.end() ? std::nullopt : picoseconds_of(time->second));
      most = std::max(most, times_.back().back().value_or(0));
    }
    add_time(most);
  }
  find_roles(problem);
  find_reads(problem);
}

void OffloadPlaces::add_time(Int ps) {
  const auto sum = checked_add(all_, ps);
  if (sum)
    all_ = *sum;
  else
    countable_ = false;
}

Int OffloadPlaces::transfer(double gbs, double us, Int bytes) {
  const double ps = std::floor((gbs > 0 ? 1000 * static_cast<double>(bytes) / gbs : 0.0) + us * 1e6 + 0.5);
  if (!(ps >= 0 && ps < 4e18)) {
    countable_ = false;
    return 0;
  }
  add_time(static_cast<Int>(ps));
  return static_cast<Int>(ps);
}

void OffloadPlaces::find_roles(const OffloadProblem& problem) {
  const KernelProgram& program = problem.program;
  const bool all = problem.transfers == CountedTransfers::all;
  values_.resize(program.values.size());
  for (Value& value : values_) value.places.push_back({});
  if (problem.transfers == CountedTransfers::none) return;
  if (all)
    for (const std::size_t v : program.inputs) values_[v].counts = true;
  if (problem.weights == Weights::move)
    for (const std::size_t v : program.constants) values_[v].counts = true;
  if (all)
    for (const std::size_t v : program.outputs) values_[v].host_reads = true;
  for (std::size_t i = 0; i < program.operations.size(); ++i)
    for (const std::size_t v : program.operations[i].writes) {
      Value& value = values_[v];
      value.counts = true;
      value.maker = i;
      value.last_read = i;
      for (std::size_t s = 0; s < problem.systems.size(); ++s) {
        const auto [token, bytes] = form_of(program, v, program.operations[i], problem.systems[s].name);
        const auto& link = problem.systems[s].link;
        value.made_at.push_back(place_of(v, i, s));
        const bool returns = token == host_token && !problem.systems[s].is_host;
        value.return_ps.push_back(returns ? std::optional(transfer(link.from_gbs, link.us, bytes))
                                          : std::nullopt);
      }
    }
}

void OffloadPlaces::find_reads(const OffloadProblem& problem) {
  const auto& operations = problem.program.operations;
  reads_.resize(operations.size());
  for (std::size_t i = 0; i < operations.size(); ++i)
    for (const std::size_t v : operations[i].reads) {
      if (!values_[v].counts) continue;
      Read read{v, {}};
      for (std::size_t s = 0; s < problem.systems.size(); ++s) read.at.push_back(place_of(v, i, s));
      values_[v].last_read = i;
      reads_[i].push_back(std::move(read));
    }
  for (Value& value : values_) {
    if (!value.counts) continue;
    const std::size_t first = value.maker.value_or(0);
    value.read_after.assign(value.last_read - first + 1, std::vector<bool>(value.places.size(), false));
  }
  for (std::size_t i = 0; i < operations.size(); ++i)
    for (const Read& read : reads_[i])
      for (std::size_t s = 0; s < problem.systems.size(); ++s)
        if (times_[i][s]) note_read(values_[read.value], i, read.at[s]);
}

// Records, for all operations before `operation`, that the value may later be read at the place.
void OffloadPlaces::note_read(Value& value, std::size_t operation, std::size_t place) {
  const std::size_t first = value.maker.value_or(0);
  for (std::size_t i = operation; i-- > first;) {
    if (value.read_after[i - first][place]) return;
    value.read_after[i - first][place] = true;
  }
}

std::size_t OffloadPlaces::place_of(std::size_t value, std::size_t operation, std::size_t system) {
  const auto& [name, is_host, link] = problem_.systems[system];
  auto [token, bytes] = form_of(problem_.program, value, problem_.program.operations[operation], name);
  if (is_host || token == host_token) return host;
  auto& places = values_[value].places;
  for (std::size_t place = 1; place < places.size(); ++place)
    if (places[place].system == system && places[place].token == token && places[place].bytes == bytes)
      return place;
  const Int from = transfer(link.from_gbs, link.us, bytes);
  places.push_back({system, std::move(token), bytes, from, transfer(link.to_gbs, link.us, bytes)});
  return places.size() - 1;
}

}  // namespace nestor::cnm
