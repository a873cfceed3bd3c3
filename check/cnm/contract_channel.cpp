#include "check/cnm/contract_channel.h"

#include <algorithm>

#include "check/cnm/contract_maps.h"
#include "check/cnm/space.h"

namespace nestor::check::cnm {
namespace {

constexpr Int most_simulated = 100'000'000;  // cycles of a stream
constexpr Int most_vectors_at_once = 16;
constexpr std::array<const char*, 5> channel_causes = {"column", "refresh", "mode", "row", "timing"};
using Writer = std::function<void(const std::function<void(const Group&)>&)>;

// True if the map states no choice of a general stream, and its blocks and lanes are those of the library.
bool is_of_library(const StatedMap& map, const PimMachine& machine) {
  for (const char* key : {"collect", "half", "half_dim", "bank", "grf", "layout"})
    if (map.json->contains(key)) return false;
  return map.block.empty() && map.order.empty() &&
         are_units_of_library(machine, map.tuples[1], map.tuples[2]);
}

class ChannelFigures {
 public:
  explicit ChannelFigures(const KernelClaims& claims)
      : claims_(claims), machine_(read_pim_machine(claims.architecture)), entries_(claims, machine_.cycle) {}

  KernelContract run() {
    const auto language = word_of(claims_.source, "language");
    if (language == "mlir")
      add_maps();
    else if (language == "stream")
      add_stream(entries_.begin_single(1), 0,
                 [&](const auto& take) { read_stream(word_of(claims_.source, "text"), machine_, take); });
    else
      throw Unreadable("its kernel is not one for HBM-PIM");
    auto contract = entries_.result();
    contract.padded = std::move(padded_);
    return contract;
  }

 private:
  void add_stream(Json entry, Int partial, const Writer& write) {
    Channel channel(machine_);
    const Int cycles = run(channel, write);
    Json counts;
    for (std::size_t c = 0; c < channel_causes.size(); ++c) counts[channel_causes[c]] = channel.causes()[c];
    entry["cycles"] = cycles;
    entry["causes"] = counts;
    entry["bounds"] = {{"issue", channel.causes()[Channel::of_column]}, {"dma", 0}, {"tasklet", 0}};
    for (const char* key : {"wram_bytes", "mram_bytes", "iram_bytes"}) entry[key] = 0;
    entry["simulated"] = {{"runs", 1}, {"k", 0}, {"linear", true}};
    entries_.leave_open("maps[].simulated.cycles");  // how many cycles a simulator skips is its own choice
    const HostTimes host{0, to_real(Fraction(partial) * machine_.reduce), 0};
    if (claims_.is_replayed) entries_.add_replay(entry, cycles, counts, host);
    entries_.finish(std::move(entry), Fraction(cycles), host);
  }

  static Int run(Channel& channel, const Writer& write) {
    try {
      write([&](const Group& group) {
        channel.take(group);
        if (channel.last_burst() > most_simulated) throw Unreadable("its stream is too long to be simulated");
      });
      return channel.finish();
    } catch (const Channel::Stuck&) {
      throw Unreadable("a burst of its stream waits forever");
    }
  }

  void add_maps() {
    Kernel kernel = read_kernel(word_of(claims_.source, "text"), CnmMachine(), 0);
    if (!kernel.library_call.empty()) throw Unreadable("no stream computes its library call");
    if (!claims_.extents.empty()) kernel.extents = claims_.extents;
    // Both banks of a block may be used as two units.
    auto maps = read_maps(claims_.maps, kernel.dims(), claims_.architecture["levels"], 2);
    if (maps.empty()) return;
    const auto problem = pim_problem(machine_, kernel);
    const bool is_alone = maps.size() == 1;
    if (is_alone)
      check_cover(maps[0], kernel);
    else
      require_cover(maps, kernel.extents);
    sort_by_number(maps);
    // After the last map, the host adds the results that several maps share.
    for (const StatedMap& map : maps)
      add_map(problem, map, is_alone, !is_alone && &map == &maps.back() ? shared_results(kernel, maps) : 0);
  }

  // Checks that the part of each unit is the smallest one that covers the kernel in whole tiles. A map
  // written by hand can have larger parts.
  void check_cover(const StatedMap& map, const Kernel& kernel) {
    const Tuple extents = map.extents();
    for (std::size_t d = 0; d < extents.size(); ++d) {
      const Int left = map.tuples[3][d], parts = extents[d] / left;
      if (extents[d] < kernel.extents[d]) throw Unreadable(map.label() + "it does not cover the kernel");
      if (parts * (left - (map.block.empty() ? 1 : map.block[d])) < kernel.extents[d]) continue;
      if (claims_.is_searched) throw Unreadable(map.label() + "it assigns more to a unit than necessary");
      entries_.leave_open("maps[].tuples (how far they extend beyond the kernel)");
    }
  }

  void add_map(PimProblem problem, const StatedMap& map, bool is_alone, Int between) {
    PimMapping mapping{map.tuples[0], map.tuples[1], map.tuples[2], map.tuples[3], map.block, map.order};
    if (!is_alone) problem.kernel.extents = map.extents();
    const bool is_library = problem.library != PimLibrary::none && is_of_library(map, machine_);
    if (!is_library) take_choices(map, problem, mapping);
    const PimStream stream(problem, mapping);
    if (!stream.is_legal()) throw Unreadable(map.label() + stream.fault());
    if (is_alone) padded_ = is_library ? stream.padded() : map.extents();
    add_stream(entries_.begin(map), plus(partial_results(problem, mapping), between),
               [&](const auto& take) { stream.each_group(take); });
  }

  // Sets the choices of a general stream. If the map has more blocks than the machine, each of its blocks is
  // a bank.
  void take_choices(const StatedMap& map, PimProblem& problem, PimMapping& mapping) const {
    const Json& json = *map.json;
    const auto refuse = [&](const char* why) { throw Unreadable(map.label() + why); };
    const auto has = [&](const char* key) { return json.contains(key); };
    const std::size_t dims = problem.kernel.dims();
    const auto index = [&](const char* key) {
      const Int value = integer(json[key], 0, map.label() + key);
      return static_cast<std::size_t>(value);
    };
    read_pim_words(json, mapping);
    refuse_keys(map, {"collect"});
    if (problem.is_reduction) {
      refuse_keys(map, {"grf", "layout"});
      if (map.block.empty() || map.order.empty()) refuse("it has no block or no order");
    } else {
      refuse_keys(map, {"half_dim", "bank"});
      if (!map.block.empty() || !map.order.empty()) refuse("it has a block or an order of reductions");
      mapping.grf = integer(member(json, "grf"), 1, map.label() + "grf");
      if (mapping.grf > most_vectors_at_once) refuse("grf is too large");
      if (mapping.layout == Layout::none) refuse("it has no layout");
    }
    if (has("half_dim")) mapping.half_dim = index("half_dim");
    if (mapping.half_dim.value_or(0) >= dims) refuse("half_dim is not a dim");
    if (has("bank")) {
      const std::size_t bank = index("bank");
      if (!problem.is_product || (bank != problem.stored[0] && bank != problem.factor))
        refuse("bank is not a factor");
      if (bank == problem.factor) std::swap(problem.stored[0], problem.factor);
    }
    const bool are_banks = product(mapping.blocks) > machine_.levels[1];
    if (are_banks) {
      std::size_t d = dims;
      while (d > 0 && mapping.blocks[d - 1] % 2 != 0) --d;
      if (d == 0 || has("half") || has("half_dim")) refuse("its banks cannot be divided among the blocks");
      mapping.half_dim = d - 1;
      mapping.blocks[d - 1] /= 2;
      mapping.local[d - 1] *= 2;
    }
    if (mapping.half == Half::none)
      mapping.half = are_banks || problem.is_reduction ? Half::split : Half::alternate;
  }

  const KernelClaims& claims_;
  const PimMachine machine_;
  MapEntries entries_;
  std::vector<Int> padded_;
};

}  // namespace

KernelContract channel_contract(const KernelClaims& claims) { return ChannelFigures(claims).run(); }

}  // namespace nestor::check::cnm
