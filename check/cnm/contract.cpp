#include "check/cnm/contract.h"

#include <algorithm>

#include "check/cnm/contract_channel.h"
#include "check/cnm/contract_maps.h"
#include "check/cnm/contract_tree.h"
#include "check/cnm/space.h"

namespace nestor::check::cnm {
namespace {

constexpr Int most_replay_events = 2'000'000'000;

Json cause_figures(const auto& counts) {
  Json figures;
  for (std::size_t c = 0; c < causes.size(); ++c) figures[causes[c]] = counts[c];
  return figures;
}

bool are_equal(const Program& a, const Program& b) { return a.steps == b.steps && a.loops == b.loops; }

// The figures of a kernel on UPMEM.
class DpuFigures {
 public:
  explicit DpuFigures(const KernelClaims& claims)
      : claims_(claims), machine_(read_machine(claims.architecture)), entries_(claims, machine_.cycle) {}

  KernelContract run() {
    const auto language = word_of(claims_.source, "language");
    if (language == "mlir")
      add_maps();
    else if (language == "llvcnm")
      add_listing(entries_.begin_single(tasklets()),
                  read_listing(word_of(claims_.source, "text"), machine_, calls(), tasklets()), tasklets(),
                  1);
    else if (language == "program")
      add_tree();
    else
      throw Unreadable("its kernel is not one for UPMEM");
    return entries_.result();
  }

 private:
  Int tasklets() const {
    const Int count =
        claims_.source.contains("tasklets") ? integer(claims_.source["tasklets"], 1, "tasklets") : 1;
    if (count > machine_.levels[2]) throw Unreadable("its kernel has too many tasklets");
    return count;
  }
  Json calls() const { return claims_.architecture.value("calls", Json::object()); }

  HostTimes host_times(Int tasklets, Int partial, const RankBytes& bytes) const {
    return {
        to_real(launch_time(machine_, tasklets)), to_real(Fraction(partial) * machine_.reduce),
        to_real(Fraction(bytes.in) * machine_.to_byte) + to_real(Fraction(bytes.out) * machine_.from_byte)};
  }

  void add_program(Json entry, const Program& program, Int tasklets, const HostTimes& host) {
    const auto estimated = estimate(machine_, program, tasklets, true);
    std::array<double, 4> by_cause{};
    std::copy(estimated.causes.begin(), estimated.causes.end(), by_cause.begin());
    entry["cycles"] = static_cast<double>(to_real(estimated.cycles));
    entry["causes"] = cause_figures(by_cause);
    entry["bounds"] = {{"issue", static_cast<double>(program.issue)},
                       {"dma", static_cast<double>(to_real(program.dma))},
                       {"tasklet", static_cast<double>(program.tasklet)}};
    entry["simulated"] = {{"runs", estimated.runs},
                          {"cycles", estimated.simulated},
                          {"k", estimated.k},
                          {"linear", estimated.is_linear}};
    if (claims_.is_replayed) {
      Tuple trips;
      for (const ProgramLoop& loop : program.loops) trips.push_back(loop.trips);
      Int events_left = most_replay_events;
      const Run whole = run_of(machine_, program, trips, tasklets, true, events_left);
      entries_.add_replay(entry, whole.cycles, cause_figures(whole.causes), host);
    }
    entries_.finish(std::move(entry), estimated.cycles, host);
  }

  void add_maps() {
    problem_.machine = machine_;
    problem_.kernel = read_kernel(word_of(claims_.source, "text"), machine_,
                                  integer(member(claims_.source, "multiply_k"), 0, "multiply_k"));
    Kernel& kernel = problem_.kernel;
    if (!claims_.extents.empty()) kernel.extents = claims_.extents;
    auto maps = read_maps(claims_.maps, kernel.dims(), claims_.architecture["levels"], 1);
    if (maps.empty()) return;
    require_cover(maps, kernel.extents);
    sort_by_number(maps);
    if (!kernel.library_call.empty()) {
      for (const StatedMap& map : maps) add_library_call(map);
      return;
    }
    // After the last map, the host adds the results that several maps share.
    for (const StatedMap& map : maps) add_map(map, &map == &maps.back() ? shared_results(kernel, maps) : 0);
  }

  void add_map(const StatedMap& map, Int between) {
    if (map.block.empty() || map.order.empty()) throw Unreadable(map.label() + "it has no block or no order");
    refuse_keys(map, {"half", "half_dim", "bank", "grf", "layout"});
    Form form{map.tuples[2], map.tuples[3], map.block, map.order};
    if (map.json->contains("collect"))
      form.collect = integer((*map.json)["collect"], 1, map.label() + "collect");
    const Int in_mram = bytes_in_mram(problem_.kernel, form);
    if (in_mram >= machine_.mram) throw Unreadable(map.label() + "its operands exceed MRAM");
    std::string fault;
    const auto program = program_of(problem_, form, &fault);
    if (!program) throw Unreadable(map.label() + fault);
    auto entry = entries_.begin(map);
    entry["wram_bytes"] = program->wram;
    entry["mram_bytes"] = in_mram;
    entry["iram_bytes"] = program->iram;
    const Int partial = plus(partial_results(problem_, form, parts_of(map, 2)), between);
    add_program(std::move(entry), *program, form.tasklet_count(),
                host_times(form.tasklet_count(), partial,
                           bytes_of_rank(problem_, form, *program, product(map.tuples[1]))));
  }

  // Adds a library call. Its listing is compared with the table of programs.
  void add_library_call(const StatedMap& map) {
    const Kernel& kernel = problem_.kernel;
    if (kernel.operands.empty() || kernel.dims() != 1 || map.block.empty())
      throw Unreadable(map.label() + "a library call has one dim and a block");
    refuse_keys(map, {"half", "half_dim", "bank", "grf", "layout", "collect"});
    const LibraryCall call{kernel.library_call, kernel.operands[0].type,
                           map.block[0],        map.tuples[3][0] / map.block[0],
                           map.tuples[2][0],    integer(claims_.source["multiply_k"], 0, "multiply_k")};
    const auto text = claims_.library ? claims_.library(call.name, call.type, call.elements, call.iterations,
                                                        call.tasklets, call.multiply_k)
                                      : std::string();
    if (text.empty()) throw Unreadable("the library has no kernel " + harmless(call.name));
    const auto listing = read_listing(text, machine_, calls(), call.tasklets);
    const auto of_table = library_program(call, machine_, calls());
    if (!of_table)
      entries_.leave_open("maps (the program of " + call.name + " is taken from the library)");
    else if (!are_equal(program_of(*of_table, machine_, call.tasklets),
                        program_of(listing.program, machine_, call.tasklets)))
      throw Unreadable("the library's " + call.name + " differs from the table of programs");
    add_listing(entries_.begin(map), listing, call.tasklets, product(map.tuples[1]));
  }

  void add_tree() {
    const auto program = program_of(read_tree(member(claims_.source, "program")), machine_, tasklets());
    auto entry = entries_.begin_single(tasklets());
    for (const char* key : {"wram_bytes", "mram_bytes", "iram_bytes"}) entry[key] = 0;
    add_program(std::move(entry), program, tasklets(), host_times(tasklets(), 0, {}));
  }

  void add_listing(Json entry, const Listing& listing, Int tasklets, Int dpus) {
    entry["wram_bytes"] = listing.wram;
    entry["mram_bytes"] = listing.mram;
    entry["iram_bytes"] = listing.iram;
    add_program(std::move(entry), program_of(listing.program, machine_, tasklets), tasklets,
                host_times(tasklets, 0, {times(listing.bytes_in, dpus), times(listing.bytes_out, dpus)}));
  }

  const KernelClaims& claims_;
  const CnmMachine machine_;
  CnmProblem problem_;
  MapEntries entries_;
};

}  // namespace

KernelContract contract_of(const KernelClaims& claims) {
  return contract_or_fault([&] {
    if (word_of(claims.architecture, "target") == "upmem") return DpuFigures(claims).run();
    return channel_contract(claims);
  });
}

}  // namespace nestor::check::cnm
