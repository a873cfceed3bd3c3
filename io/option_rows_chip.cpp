// Options for compiling networks to chips (the chip space).
#include "io/option_rows.h"

namespace nestor::io {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();
constexpr VerbSet with_mode = VerbSet::of(Verb::compile, Verb::evaluate);

constexpr Int most_operations = Int{1} << 20;

constexpr std::array table = {
    Option{"mode", "MODE", optional_choice<&RunOptions::chip_mode, chip::modes>(),
           "What the chip's interface shows, instead of the architecture's own", with_mode, '\0', "chip"},
    Option{"levels", "LEVEL,...", TextValue{&RunOptions::levels},
           "Levels that may be used, of cg, mvm, stream and vvm; all that the mode offers but stream if left "
           "out",
           VerbSet::of(Verb::compile)},
    Option{"objective", "WHAT", choice<&RunOptions::chip_objective, chip::compile_objectives>(),
           "What to minimise", VerbSet::of(Verb::compile)},
    Option{"limit", "FIGURE=VALUE",
           ListValue{&RunOptions::figure_limits, "latency=N, energy=E or peak-power=P"},
           "The most that another figure may be", VerbSet::of(Verb::compile)},
    Option{"method", "METHOD", choice<&RunOptions::chip_method, chip::compile_methods>(),
           "The proved optimum, or a method to compare with", VerbSet::of(Verb::compile)},
    Option{"explain", "", SwitchValue{&RunOptions::explain},
           "Say what binds: search again with more of every resource of the chip",
           VerbSet::of(Verb::compile)},
    Option{"gap", "SHARE", RealValue{&RunOptions::gap, 0, no_limit},
           "Be content with a schedule proved to lie within this share of the optimum",
           VerbSet::of(Verb::compile)},
    Option{"time-limit", "SECONDS", RealValue{&RunOptions::run_time_limit, 0, no_limit}, "Time for the run",
           VerbSet::of(Verb::compile)},
    Option{"work-limit", "N", IntegerValue{&RunOptions::work_limit, 0, std::numeric_limits<Int>::max()},
           "Nodes of the search, the same on every machine; 0 means no limit", VerbSet::of(Verb::compile)},
    Option{"proof", "FILE", OutputValue{&RunOptions::proof},
           "Write what nestor-check needs to follow the proof, for the least latency",
           VerbSet::of(Verb::compile)},
    Option{"network", "NETWORK", TextValue{&RunOptions::chip_network},
           "The network that decisions are for, or that a program's numbers are held against",
           VerbSet::of(Verb::evaluate, Verb::simulate), '\0', "chip"},
    Option{
        "unknown", "N", IntegerValue{&RunOptions::unknown_operations, 0, most_operations},
        "Let ONNX operators that nothing is known of take N operations an element, instead of refusing them",
        VerbSet::of(Verb::compile, Verb::evaluate, Verb::simulate), '\0', "chip"},
    Option{"program", "FILE", TextValue{&RunOptions::chip_program},
           "The program to run, as text or binary; a result needs none", VerbSet::of(Verb::simulate), '\0',
           "chip"},
    Option{"functional", "", SwitchValue{&RunOptions::functional},
           "Run the program on numbers, too: what every operator makes", VerbSet::of(Verb::simulate), '\0',
           "chip"},
    Option{"calibrate", "FILE", TextValue{&RunOptions::calibrate},
           "Images (.npy) that the scales of a float model's tensors come from; a seeded one if left out",
           VerbSet::of(Verb::compile)},
    Option{"per-tensor", "", SwitchValue{&RunOptions::per_tensor},
           "One scale for all weights of an operator instead of one an output channel",
           VerbSet::of(Verb::compile)},
    Option{"input", "FILE", TextValue{&RunOptions::images},
           "Images (.npy) to run the program on, instead of seeded elements", VerbSet::of(Verb::simulate),
           '\0', "chip"},
    Option{"reference", "", SwitchValue{&RunOptions::reference},
           "Compute the model in plain integer loops too, and in reals, and compare",
           VerbSet::of(Verb::simulate), '\0', "chip"},
    Option{
        "output", "FILE", OutputValue{&RunOptions::output},
        "Write the program, binary where FILE ends in .bin, or the schedule as a picture, where it ends in "
        ".svg; of `simulate`, what the model's first output is (.npy)",
        VerbSet::of(Verb::compile, Verb::evaluate, Verb::show, Verb::simulate), 'o', "chip"},
    Option{"decisions", "FILE", TextValue{&RunOptions::chip_decisions},
           "Segments, copies, parts and phases to evaluate", VerbSet::of(Verb::evaluate), '\0', "chip"},
};

}  // namespace

std::span<const Option> compile_option_rows() { return table; }

}  // namespace nestor::io
