// Options of the chip space.
#include "io/option_rows.h"

namespace nestor::io {
namespace {

constexpr std::array table = {
    Option{"program", "FILE", TextValue{&RunOptions::program}, "The meta-operator program to run",
           VerbSet::of(Verb::simulate), '\0', "chip"},
    Option{"functional", "", SwitchValue{&RunOptions::functional},
           "Run the program on numbers too, and give the tensors that come out", VerbSet::of(Verb::simulate),
           '\0', "chip"},
    Option{"output", "FILE", TextValue{&RunOptions::output},
           "Write a program in its other form: a text as binary, a binary as text", VerbSet::of(Verb::show),
           'o', "chip"},
};

}  // namespace

std::span<const Option> chip_option_rows() { return table; }

}  // namespace nestor::io
