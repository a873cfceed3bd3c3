// Options of the simd space.
#include "io/option_rows.h"

namespace nestor::io {
namespace {

constexpr std::array table = {
    Option{"netlist", "FILE", TextValue{&RunOptions::netlist},
           "The netlist that a schedule runs: Verilog, BLIF or AIGER", VerbSet::of(Verb::verify), '\0',
           "simd"},
    Option{"remap", "", SwitchValue{&RunOptions::remap},
           "Map the netlist anew even where it is XOR3/MAJ3 already",
           VerbSet::of(Verb::verify, Verb::schedule), '\0', "simd"},
    Option{"mapped", "FILE", OutputValue{&RunOptions::mapped},
           "Write the mapped netlist: as BLIF where FILE ends in .blif, else as Verilog",
           VerbSet::of(Verb::schedule)},
    Option{"rows", "N", IntegerValue{&RunOptions::rows, 4, Int{1} << 30}, "Rows of every array",
           VerbSet::of(Verb::schedule)},
    Option{"arrays", "N", IntegerValue{&RunOptions::arrays, 0, Int{1} << 20},
           "Arrays of the machine; 0 means as many as useful", VerbSet::of(Verb::schedule)},
    Option{"method", "METHOD", choice<&RunOptions::method, simd::schedule_methods>(), "The scheduler",
           VerbSet::of(Verb::schedule)},
    Option{"objective", "OBJECTIVE", choice<&RunOptions::schedule_objective, simd::schedule_objectives>(),
           "What the schedule is judged by", VerbSet::of(Verb::schedule)},
    Option{"recompute", "", SwitchValue{&RunOptions::recompute},
           "Compute a node again where that costs less energy than copying it", VerbSet::of(Verb::schedule)},
    Option{"time-limit", "SECONDS", RealValue{&RunOptions::time_limit, 0.0, 1e9},
           "Time for the run; method nestor plans its work by it", VerbSet::of(Verb::schedule)},
    Option{"work-limit", "N", IntegerValue{&RunOptions::work_limit, 0, std::numeric_limits<Int>::max()},
           "Work after which the run ends, the same on every machine; 0 means none",
           VerbSet::of(Verb::schedule)},
    Option{"planned-work", "N", IntegerValue{&RunOptions::planned_work, 0, std::numeric_limits<Int>::max()},
           "Work that method nestor plans for; 0 means what the limits allow. With the work and the planned "
           "work of a run that was stopped, --work-limit and --planned-work give the same schedule again, if "
           "--time-limit leaves the time for it",
           VerbSet::of(Verb::schedule)},
    Option{
        "workers", "N", IntegerValue{&RunOptions::workers, 1, 1024},
        "Searches side by side, which share the work and what they find; the result depends on how many, not "
        "on --threads; without it 2 of method nestor, 1 of others",
        VerbSet::of(Verb::schedule)},
    Option{
        "restarts", "N", IntegerValue{&RunOptions::restarts, 0, Int{1} << 30},
        "Constructions of MASIM and of the methods that it is compared with, and improvement passes in a row "
        "without gain that end a run",
        VerbSet::of(Verb::schedule)},
    Option{"no-improve", "", SwitchValue{&RunOptions::no_improve}, "Leave out MASIM's improvement passes",
           VerbSet::of(Verb::schedule)},
    Option{"improve", "", SwitchValue{&RunOptions::improve},
           "Give gppic, simpler, star and date24 MASIM's improvement passes", VerbSet::of(Verb::schedule)},
    Option{
        "generation", "WHOSE", choice<&RunOptions::generation, simd::generations>(),
        "How gppic, simpler, star and date24 make instructions of their order: as they do, greedily, or as "
        "MASIM's paper does",
        VerbSet::of(Verb::schedule)},
};

}  // namespace

std::span<const Option> simd_option_rows() { return table; }

}  // namespace nestor::io
