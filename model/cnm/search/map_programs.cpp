// Programs of a map space: cached results that members of one form share, and the memory that is charged for
// them.
#include "model/cnm/search/map_space.h"

namespace nestor::cnm {

std::string MapSpace::work_of_tasklet(const CnmMap& map) const {
  std::string key;
  const auto put = [&key](Int number) { key.append(reinterpret_cast<const char*>(&number), sizeof number); };
  // If tasklets share a sum, the key contains the split of the dims over tasklets, otherwise only the number
  // of tasklets.
  bool shared_sum = false;
  for (std::size_t d = 0; d < kernel_.dim_count(); ++d)
    shared_sum |= kernel_.reduction[d] && map.tuples[2][d] > 1;
  for (std::size_t d = 0; d < kernel_.dim_count(); ++d) {
    put(shared_sum ? map.tuples[2][d] : 0);
    put(map.local()[d]);
  }
  put(tasklets_of(map));
  return key;
}

std::string MapSpace::key_of(const CnmMap& map) const {
  std::string key = work_of_tasklet(map);
  const auto put = [&key](Int number) { key.append(reinterpret_cast<const char*>(&number), sizeof number); };
  for (std::size_t d = 0; d < kernel_.dim_count(); ++d) {
    put(map.block[d]);
    put(static_cast<Int>(map.order[d]));
  }
  return key;
}

std::vector<FormCycles> MapSpace::forms_within(double limit) {
  std::map<std::string, FormCycles> forms;  // sorted by key, so the order depends on the space alone
  for (const std::size_t branch : branches_by_preference()) {
    if (branch_bound(branch) > limit) continue;
    each_open(branch, limit, [&](const CnmMap& map, double /*host*/) {
      const Known estimated = known(map, true);
      if (estimated.legal) forms.try_emplace(key_of(map), FormCycles{map, estimated.cycles});
      return true;
    });
  }
  std::vector<FormCycles> all;
  for (auto& [key, form] : forms) all.push_back(std::move(form));
  return all;
}

// Returns the memory that is charged for a program, including the unused or duplicated memory of a growing
// table. All keys of a space have the same length.
std::size_t MapSpace::bytes_of_program(const std::string& key) {
  return 3 * sizeof(decltype(programs_)::value_type) + key.capacity();
}

MapSpace::Known MapSpace::known(const CnmMap& map, bool estimated) {
  const std::string key = key_of(map);
  {
    const std::lock_guard lock(mutex_);
    const auto found = programs_.find(key);
    if (found != programs_.end() && (!estimated || !found->second.legal || found->second.cycles >= 0))
      return found->second;
  }
  FormTools tools = form_tools();
  Known result = work_out(tools, map, estimated);
  if (estimated && result.legal) {
    const auto cycles = tools.batch.estimate().front();
    result = cycles ? Known{true, result.bound, *cycles} : Known{};
  }
  const std::lock_guard lock(mutex_);
  // Two threads may estimate the same program at the same time. It counts once, in any order of the threads.
  const auto found = programs_.find(key);
  const bool is_known = found != programs_.end() && found->second.cycles >= 0;
  if (estimated && result.legal && !is_known) ++estimates_;
  if (is_known) return found->second;
  if (of_programs_.raise_to((programs_.size() + 1) * bytes_of_program(key)))
    programs_.insert_or_assign(key, result);
  else
    short_of_memory_.store(true, std::memory_order_relaxed);
  return result;
}

// Lowers and checks the program, and adds it to the batch if requested.
MapSpace::Known MapSpace::work_out(FormTools& tools, const CnmMap& map, bool to_batch) {
  const Int tasklets = tasklets_of(map);
  const auto legal = [&](const FlatProgram& program, const ProgramBounds& bounds) {
    if (to_batch) tools.batch.add(program, bounds, tasklets);
    return Known{.legal = true, .bound = bounds.largest()};
  };
  if (kernel_.library_call.empty()) {
    const FormProgram& form = tools.writer.write(map);
    if (form.verdict == FormProgram::Verdict::refused) return {};
    if (form.verdict == FormProgram::Verdict::legal) return legal(form.steps, form.bounds);
  }
  const MapListing listing = listing_of(kernel_, map, system_, library_);
  if (!listing.fault.empty()) return {};
  const ListingProgram program = program_of(listing.listing, system_);
  if (!program.error.empty()) return {};
  const auto simple = simplify(program.program);
  const auto bounds = program_bounds(system_, program.program, tasklets);
  if (!simple || !bounds) return {};
  return legal(flatten(*simple), *bounds);
}

}  // namespace nestor::cnm
