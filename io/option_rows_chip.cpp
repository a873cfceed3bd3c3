// Rows of the option table for the chip space.
#include "io/option_rows.h"

namespace nestor::io {
namespace {

constexpr VerbSet with_mode = VerbSet::of(Verb::compile, Verb::evaluate);

constexpr Int most_unknown = Int{1} << 20;

constexpr std::array chip_rows = {
    Option{"mode", "MODE", optional_choice<&RunOptions::chip_mode, chip::modes>(),
           "Interface mode of the chip, instead of the architecture's own", with_mode, '\0', "chip"}
        .planned(VerbSet::of(Verb::compile)),
    Option{
        "levels", "LEVEL,...", TextValue{&RunOptions::levels},
        "Levels that may be used (cg, mvm, stream, vvm); by default, all that the mode offers except stream",
        VerbSet::of(Verb::compile)}
        .planned(VerbSet::of(Verb::compile)),
    Option{"objective", "WHAT", choice<&RunOptions::chip_objective, chip::compile_objectives>(),
           "Objective to minimise", VerbSet::of(Verb::compile)}
        .planned(VerbSet::of(Verb::compile)),
    Option{"limit", "FIGURE=VALUE",
           ListValue{&RunOptions::figure_limits, "latency=N, energy=E or peak-power=P"},
           "Upper limit of another figure", VerbSet::of(Verb::compile)}
        .in(OptionGroup::limits)
        .planned(VerbSet::of(Verb::compile)),
    Option{"method", "METHOD", choice<&RunOptions::chip_method, chip::compile_methods>(),
           "Prove the optimum, or run a method for comparison", VerbSet::of(Verb::compile)}
        .planned(VerbSet::of(Verb::compile)),
    Option{"explain", "", SwitchValue{&RunOptions::explain},
           "Show which resources bind: search again with more of each resource of the chip",
           VerbSet::of(Verb::compile)}
        .in(OptionGroup::output),
    Option{"gap", "PERCENT", RealValue{&RunOptions::gap, 0, 100}, "Stop at this relative gap",
           VerbSet::of(Verb::compile)}
        .in(OptionGroup::limits)
        .planned(VerbSet::of(Verb::compile)),
    Option{"time-limit", "SECONDS", RealValue{&RunOptions::run_time_limit, 0, no_limit},
           "Stop after this many seconds", VerbSet::of(Verb::compile)}
        .in(OptionGroup::limits)
        .planned(VerbSet::of(Verb::compile)),
    Option{"work-limit", "N", IntegerValue{&RunOptions::work_limit, 1, std::numeric_limits<Int>::max()},
           "Stop after this many nodes, the same on every machine", VerbSet::of(Verb::compile)}
        .in(OptionGroup::limits)
        .planned(VerbSet::of(Verb::compile)),
    Option{"proof", "FILE", OutputValue{&RunOptions::proof},
           "Write the proof of least latency, for nestor-check and `nestor verify --proof`",
           VerbSet::of(Verb::compile)},
    Option{"network", "NETWORK", TextValue{&RunOptions::chip_network},
           "Network of the decisions, or network to compare a program's numbers with",
           VerbSet::of(Verb::evaluate, Verb::simulate), '\0', "chip"}
        .in(OptionGroup::input),
    Option{"unknown", "N", IntegerValue{&RunOptions::unknown_operations, 0, most_unknown},
           "Count N operations per element for unknown ONNX operators, instead of rejecting them",
           VerbSet::of(Verb::compile, Verb::evaluate, Verb::simulate), '\0', "chip"},
    Option{"program", "FILE", TextValue{&RunOptions::chip_program},
           "Program to run, as text or binary; not needed with a result", VerbSet::of(Verb::simulate), '\0',
           "chip"}
        .in(OptionGroup::input),
    Option{"functional", "", SwitchValue{&RunOptions::functional},
           "Also run the program on numbers and print the output of every operator",
           VerbSet::of(Verb::simulate), '\0', "chip"},
    Option{"calibrate", "FILE", TextValue{&RunOptions::calibrate},
           "Images (.npy) to calibrate a float model's tensor scales with; by default, one seeded image",
           VerbSet::of(Verb::compile)},
    Option{"per-tensor", "", SwitchValue{&RunOptions::per_tensor},
           "Use one scale for all weights of an operator instead of one per output channel",
           VerbSet::of(Verb::compile)},
    Option{"input", "FILE", TextValue{&RunOptions::images},
           "Images (.npy) to run the program on, instead of seeded values", VerbSet::of(Verb::simulate), '\0',
           "chip"},
    Option{"reference", "", SwitchValue{&RunOptions::reference},
           "Compare with the model computed in plain integer loops and in floating point",
           VerbSet::of(Verb::simulate), '\0', "chip"},
    Option{"output", "FILE", OutputValue{&RunOptions::output},
           "Write the program (binary if FILE ends in .bin) or a picture of the schedule (.svg); for "
           "`simulate`, the model's first output (.npy)",
           VerbSet::of(Verb::compile, Verb::evaluate, Verb::show, Verb::simulate), 'o', "chip"},
    Option{"decisions", "FILE", TextValue{&RunOptions::chip_decisions},
           "Segments, copies, parts and phases to evaluate", VerbSet::of(Verb::evaluate), '\0', "chip"}
        .in(OptionGroup::input),
};

}  // namespace

std::span<const Option> compile_option_rows() { return chip_rows; }

}  // namespace nestor::io
