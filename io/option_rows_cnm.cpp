// Rows of the option table for the cnm space.
#include <fmt/format.h>

#include "io/option_rows.h"

namespace nestor::io {
namespace {

constexpr std::string_view own = "cnm";
constexpr VerbSet on_estimate = VerbSet::of(Verb::estimate);
constexpr VerbSet on_programs = VerbSet::of(Verb::estimate, Verb::evaluate, Verb::map);
constexpr VerbSet on_kernels = VerbSet::of(Verb::estimate, Verb::evaluate, Verb::show, Verb::simulate);
constexpr VerbSet on_files =
    VerbSet::of(Verb::estimate, Verb::evaluate, Verb::map, Verb::show, Verb::simulate);

MaybeError set_maps(RunOptions& options, std::string_view text) {
  if (text != "1" && text != "2") return usage_error(fmt::format("--maps is '{}', expected 1 or 2", text));
  options.most_maps = text == "1" ? 1 : 2;
  return std::nullopt;
}
std::string get_maps(const RunOptions& options) {
  return options.most_maps == 0 ? std::string() : std::to_string(options.most_maps);
}

MaybeError set_channel_space(RunOptions& options, std::string_view text) {
  if (text != "whole" && text != "channels")
    return usage_error(fmt::format("--space is '{}', expected whole or channels", text));
  options.library_streams = text == "channels";
  return std::nullopt;
}
std::string get_channel_space(const RunOptions& options) {
  return options.library_streams ? "channels" : "whole";
}

constexpr std::array cnm_rows = {
    Option{"batch", "FILE", TextValue{&RunOptions::estimates},
           "Estimate the kernel under every mapping in a file, one JSON object per line; - is standard input",
           on_estimate, '\0', own}
        .in(OptionGroup::input),
    Option{"table", "ROWS.csv", TextValue{&RunOptions::table},
           "Estimate every row of a table of kernels and write the figures to --output", on_estimate, '\0',
           own}
        .in(OptionGroup::input),
    Option{
        "dims", "NAME=VALUE,...", TextValue{&RunOptions::kernel_dims},
        "Dimensions of a built-in kernel: tasklets, iterations, cols, buffer_elems, or out_tiles, in_tiles",
        on_kernels, '\0', own}
        .in(OptionGroup::input)
        .planned(VerbSet::of(Verb::estimate)),
    Option{"dtype", "TYPE", TextValue{&RunOptions::data_type},
           "Element type if the kernel does not give one (uint32, int8, float, ...)",
           VerbSet::of(Verb::estimate, Verb::evaluate, Verb::map, Verb::show, Verb::simulate), '\0', own}
        .in(OptionGroup::input)
        .planned(VerbSet::of(Verb::map, Verb::estimate)),
    Option{"tasklets", "T", IntegerValue{&RunOptions::tasklets, 1, 64},
           "Tasklets of a kernel without a mapping", on_kernels, '\0', own}
        .in(OptionGroup::input),
    Option{"args", "N,N,...", TextValue{&RunOptions::arguments},
           "Words of an assembly kernel's argument block", on_kernels, '\0', own}
        .in(OptionGroup::input),
    Option{"args-symbol", "SYMBOL", TextValue{&RunOptions::arguments_symbol},
           "Symbol of the argument block; by default, the one read before the first loop", on_kernels, '\0',
           own}
        .in(OptionGroup::expert),
    Option{"regs", "REG=N,...", TextValue{&RunOptions::registers},
           "Registers of an assembly kernel on entry, or stack slots such as r22-24=8", on_kernels, '\0', own}
        .in(OptionGroup::expert),
    Option{"trips", "LABEL=N", ListValue{&RunOptions::trips, "a label and a number, such as .LBB0_8=128"},
           "Trip count of a loop if it cannot be derived; may be given more than once", on_kernels, '\0', own}
        .in(OptionGroup::expert),
    Option{"branch", "LABEL=SHARE",
           ListValue{&RunOptions::branches, "a label and a share, such as .LBB0_9=0.25"},
           "Share of executions that take a branch to the label; may be given more than once", on_kernels,
           '\0', own}
        .in(OptionGroup::expert),
    Option{"values", "mul=K", TextValue{&RunOptions::values},
           "Bits of the smaller factor of a 32-bit multiplication, less one",
           VerbSet::of(Verb::estimate, Verb::evaluate, Verb::map, Verb::show, Verb::simulate), '\0', own}
        .in(OptionGroup::expert),
    Option{
        "as", "FORM", optional_choice<&RunOptions::show_as, shown_forms>(),
        "Show a lowered kernel or the operations of a program, or write a mapping in another tool's format",
        VerbSet::of(Verb::show), '\0', "cim, cnm"}
        .in(OptionGroup::output),
    Option{"conv", "FORM", choice<&RunOptions::convolution, cnm::convolution_forms>(),
           "Compute convolutions as matrix products whose windows the host forms, or directly", on_files,
           '\0', own},
    Option{"shape", "ARG=EXTENTS",
           ListValue{&RunOptions::shapes, "an argument and its extents, such as x=4x128"},
           "Extents of an MLIR argument with dynamic dimensions; may be given more than once", on_files, '\0',
           own},
    Option{"function", "NAME", TextValue{&RunOptions::function}, "Function of an MLIR file; by default, all",
           on_files, '\0', own},
    Option{"times", "FILE.csv", TextValue{&RunOptions::times},
           "Times of operations, instead of a search: columns op, system, time_ms", VerbSet::of(Verb::map),
           '\0', own},
    Option{"transfers", "WHICH", optional_choice<&RunOptions::transfers, cnm::counted_transfers>(),
           "Transfers to count: all, those between operations (inner), or none; by default, inner on one "
           "system and all on several",
           on_programs, '\0', own},
    Option{"weights", "WHERE", choice<&RunOptions::weights, cnm::weight_words>(),
           "Initial place of a program's constants: on the system that reads them, or on the host",
           on_programs, '\0', own},
    Option{"maps", "N", CustomValue{set_maps, get_maps, "1 or 2"},
           "Maximum number of maps that a kernel is cut into; by default 1, or 2 on UPMEM if that might save "
           "a fifth",
           VerbSet::of(Verb::map), '\0', own},
    Option{"space", "WHICH", CustomValue{set_channel_space, get_channel_space, "whole or channels"},
           "Mappings to search on HBM-PIM: the whole space, or cuts over channels that run the library's "
           "streams",
           VerbSet::of(Verb::map), '\0', own},
    Option{"all", "FILE.csv", OutputValue{&RunOptions::all}, "Write every legal mapping, best first",
           VerbSet::of(Verb::map), '\0', own},
};

}  // namespace

std::span<const Option> cnm_option_rows() { return cnm_rows; }

}  // namespace nestor::io
