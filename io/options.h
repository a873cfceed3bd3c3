// The project's only option table. Each row has an option's name, its values, its help and the verbs that
// support it. The command line, the help texts, docs/options.md and the C++ API (RunOptions, set_option) are
// all derived from it.
//
// An option is a field, with its default, in its verb's struct, and a row of option_rows.cpp or of the file
// of its space. ARCHITECTURE.md (How to extend) lists what else it needs.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/enum_words.h"
#include "io/error.h"
#include "io/shown_form.h"
#include "io/verb.h"
#include "model/chip/machine.h"
#include "model/chip/method.h"
#include "model/cim/evaluate.h"
#include "model/cim/search/lp_use.h"
#include "model/cnm/choices.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/map_method.h"
#include "model/loopnest/objective_kind.h"
#include "model/pim/mapping.h"
#include "model/simd/method.h"
#include "solver/engine/executor.h"

namespace nestor::io {

/// Search profile of `map`: for desktops, or for embedded devices.
enum class Profile : std::uint8_t { desktop, embedded };

/// Scope of an objective of `map`: each layer separately, or the whole network.
enum class Scope : std::uint8_t { layer, network };

/// The scheduler that starts the workers of a sweep on other machines.
enum class Scheduler : std::uint8_t { slurm };

/// Factors from which tiles are built.
enum class Factors : std::uint8_t { prime, flexible };

// Settings of a run: a struct for each verb with its own options, and one for each group of options that
// several verbs share. Every field has its default.

/// Options for inputs.
struct InputOptions {
  std::vector<std::string> inputs;  ///< positional arguments
  std::string arch;
  std::string layers;
  std::string mapping;
  std::optional<BitWidths> bits;  ///< bit widths of every layer, instead of those in the file
  Int batch = 1;
  std::vector<std::pair<std::string, Int>> dims;  ///< values of an ONNX model's symbolic dimensions
  std::vector<std::string> layer;                 ///< names of layers; empty: all
  Int point = 1;                                  ///< number of a point on a result's fronts, from 1
  Int rank = 1;                                   ///< rank of a mapping in a result of `map --top`, from 1
  std::vector<std::string> settings;              ///< "PATH=VALUE" for the machine
  cim::LatencyModel latency_model = cim::LatencyModel::stall;
};

/// Options for outputs.
struct OutputOptions {
  std::string json;    ///< file; empty: none; "-": standard output
  std::string output;  ///< file whose content depends on the verb
  std::string report;  ///< file for an HTML page of the result
  bool plain = false;
  bool quiet = false;     ///< no tables and no progress
  bool verbose = false;   ///< search log on standard error
  bool no_times = false;  ///< measured times are written as 0
  std::string log;        ///< file for the events of the search, one per line
};

/// Resources of a search.
struct ResourceOptions {
  double time_limit = 60;
  double run_time_limit = std::numeric_limits<double>::infinity();
  double layer_time_limit = std::numeric_limits<double>::infinity();
  std::optional<Int> work_limit;
  Int memory_limit = 0;  ///< in bytes; 0 for half of the available memory (app/memory.h)
  Int seed = 1;
  Int samples = 1000;  ///< number of mappings that `--method sampled` tries
  Int threads = 0;     ///< 0 for one per hardware thread
  ExecutorKind executor = ExecutorKind::tbb;
  double gap = 0;  ///< in per cent
  bool explain = false;
};

struct ShowOptions {
  bool list = false;  ///< only list the built-in data
  std::optional<ShownForm> show_as;
};

struct SimulateOptions {
  std::string trace;
};

/// Options for mixed-integer programs that other solvers solve.
struct ModelOptions {
  std::string formulation;
  bool start = false;  ///< also write Nestor's optimum
  std::string model;   ///< description that `export` wrote (MODEL.json)
  std::string solvers;
  std::vector<std::string> solver_commands;  ///< NAME=COMMAND
  std::string csv;
};

struct VerifyOptions {
  bool recheck = false;
};

struct CheckOptions {
  std::string junit;
  bool annotations = false;
};

struct MapOptions {
  MapMethod map_method = MapMethod::optimal;
  ObjectiveKind objective = ObjectiveKind::latency;
  bool pareto = false;  ///< search for the front instead of one objective
  Scope scope = Scope::layer;
  double mu1 = 1;         ///< weight of latency in eq14
  double mu2 = -1;        ///< weight of tile sizes in eq14; negative: the default
  Int least_factors = 4;  ///< --k-min: factors of a bound that has at most this many are not merged
  double factor_loss = 0.2;
  std::array<double, 3> factor_weights = {3, 2, 1};
  double alpha = 1;  ///< weight of latency in blended
  double beta = 1;   ///< weight of energy in blended
  std::string fix;   ///< a constraint file
  Profile profile = Profile::desktop;
  Int workspace = Int{48} << 10;  ///< bytes of memory for the embedded solver
  Factors factors = Factors::prime;
  double pad = 0;         ///< largest padding of a bound in percent
  bool pad_auto = false;  ///< pad to multiples of 2, 4 or 8 instead
  bool remainder = false;
  Int top = 1;
  bool nests = false;
  cim::LpUse lp_bound = cim::LpUse::off;
  bool bound_only = false;
  double incumbent = 0;    ///< known cost for --bound-only, if given
  std::string checkpoint;  ///< file for the state of all searches
  double every = 0;        ///< least number of seconds between two updates of the checkpoint
  std::string resume;      ///< checkpoint to continue from
  std::string proof;       ///< proof file, which a search writes and `verify` reads
  /// Kinds of layouts that the search may choose.
  nestor::pim::LayoutSet layouts = nestor::pim::all_layouts;
  bool fix_bypass = false;
  std::string all;  ///< file for all legal mappings, best first
};

struct ScheduleOptions {
  std::string netlist;
  bool remap = false;
  std::string mapped;  ///< file for the mapped netlist
  Int rows = 256;
  std::optional<Int> arrays;  ///< empty: as many as useful
  simd::ScheduleMethod method = simd::ScheduleMethod::nestor;
  bool recompute = false, no_improve = false, improve = false;
  simd::ScheduleObjective schedule_objective = simd::ScheduleObjective::copies;
  std::optional<Int> planned_work;  ///< empty: as much as the limits allow
  Int restarts = 500;
  std::optional<Int> workers;  ///< empty: the default of the method
  simd::Generation generation = simd::Generation::greedy;
};

struct CompileOptions {
  std::optional<chip::Mode> chip_mode;  ///< empty: the mode of the architecture
  std::string levels;                   ///< empty: all levels of the mode except stream
  chip::CompileMethod chip_method = chip::CompileMethod::optimal;
  chip::CompileObjective chip_objective = chip::CompileObjective::latency;
  std::vector<std::string> figure_limits;  ///< "latency=1000"; also for `map --scope network`
  std::optional<Int> unknown_operations;   ///< operations per element of unknown ONNX operators
  std::string chip_network;
  std::string chip_decisions;
  std::string chip_program;
  bool functional = false;
  std::string calibrate;  ///< images (.npy) to calibrate a float model's scales; empty: a seeded image
  bool per_tensor = false, reference = false;
  std::string images;  ///< input images of a program (.npy); empty: seeded elements
};

struct EstimateOptions {
  std::string table;        ///< CSV file of the kernels to estimate
  std::string kernel_dims;  ///< "iterations=256,buffer_elems=64" for a built-in kernel
  std::string data_type;
  std::string estimates;         ///< file of mappings to estimate, one JSON object per line
  bool library_streams = false;  ///< search only mappings with the library's streams (HBM-PIM)
  Int most_maps = 0;             ///< largest number of maps per kernel; 0: the default
  Int tasklets = 1;              ///< tasklets of a kernel without a mapping
  std::string arguments;         ///< words of an assembly kernel's argument block
  std::string arguments_symbol;
  std::string registers;              ///< "r14=512,r18=128"
  std::vector<std::string> trips;     ///< "LABEL=N"
  std::vector<std::string> branches;  ///< "LABEL=0.25"
  std::string values;                 ///< "mul=8"
  std::optional<cnm::CountedTransfers> transfers;
  cnm::Weights weights = cnm::Weights::resident;
  std::string times;  ///< file with given times of operations
  cnm::ConvolutionForm convolution = cnm::ConvolutionForm::im2col;
  std::vector<std::string> shapes;  ///< "ARG=4x128"
  std::string function;             ///< function of an MLIR file
};

/// Options for sweeps of plans over machines and networks, and for the stores of sweeps.
struct SweepOptions {
  std::string store;  ///< FILE.db, sqlite:FILE.db or postgresql://USER@HOST/DATABASE; empty: PLAN.db
  bool sweep_status = false;
  std::string export_to;            ///< FILE.csv or FILE.json
  bool per_layer = false;           ///< export one row per layer
  std::string pareto_axes;          ///< "latency,energy,area"
  std::string plot;                 ///< FILE.svg
  std::string plot_axes;            ///< one or two parameters of the plan, then a figure
  double lease = 60;                ///< seconds without a heartbeat until a point can be claimed again
  std::optional<Int> most_points;   ///< largest number of points for this worker
  std::optional<Scheduler> submit;  ///< empty: this process solves the points
  Int tasks = 8;                    ///< tasks of the submitted job
  std::string partition;
  std::string job_time;    ///< in Slurm's syntax
  std::string job_memory;  ///< in Slurm's syntax
  bool dry_run = false;    ///< only print what would be submitted
};

/// All options, as the option table sets them.
struct RunOptions : InputOptions,
                    OutputOptions,
                    ResourceOptions,
                    ShowOptions,
                    SimulateOptions,
                    VerifyOptions,
                    CheckOptions,
                    ModelOptions,
                    MapOptions,
                    ScheduleOptions,
                    CompileOptions,
                    EstimateOptions,
                    SweepOptions {
  std::vector<std::string_view> given;  ///< names of the options that were set, each once
  bool is_given(std::string_view name) const;
};

// Kinds of option values. Each refers to its field in RunOptions, so that one row defines an option
// completely.
struct SwitchValue {
  bool RunOptions::*field;
};
struct IntegerValue {
  std::variant<Int RunOptions::*, std::optional<Int> RunOptions::*> field;  ///< an optional can be unset
  Int low;
  Int high;
};
struct RealValue {
  double RunOptions::*field;
  double low;
  double high;
};
struct TextValue {
  std::string RunOptions::*field;
  std::string_view when_bare = {};  ///< value if the option is given without one; empty: required
};
/// An output file. Before work begins, a check ensures that it can be written.
struct OutputValue {
  std::string RunOptions::*field;
  std::string_view when_bare = {};  ///< as in TextValue
};
struct ChoiceValue {
  std::span<const std::string_view> words;
  void (*set)(RunOptions&, std::size_t);
  std::size_t (*get)(const RunOptions&);  ///< index of the word, or past the end if the option is unset
};
/// An option that may be given several times.
struct ListValue {
  std::vector<std::string> RunOptions::*field;
  std::string_view range;
};
/// An option with its own syntax.
struct CustomValue {
  MaybeError (*set)(RunOptions&, std::string_view text);
  std::string (*get)(const RunOptions&);
  std::string_view range;
};
using OptionValue = std::variant<SwitchValue, IntegerValue, RealValue, TextValue, OutputValue, ChoiceValue,
                                 ListValue, CustomValue>;

/// True if `kinds`, such as "cim, pim", contains `kind`; an empty list contains every kind.
bool is_among(std::string_view kinds, std::string_view kind);

/// Group of an option in the help. Options that name an output are in the group of outputs.
enum class OptionGroup : std::uint8_t { input, search, limits, output, expert };

struct Option {
  std::string_view name;         ///< without dashes
  std::string_view placeholder;  ///< name of the value in the help ("FILE"); empty for a switch
  OptionValue value;
  std::string_view help;
  VerbSet verbs;
  char letter = '\0';           ///< short form, if any
  std::string_view kinds = {};  ///< spaces that have the option ("cim, pim"); empty: all of the verb
  OptionGroup help_group = OptionGroup::search;
  VerbSet plan_verbs = {};  ///< verbs for which the plan of a sweep may set the option
  bool is_recorded = true;  ///< false: it does not affect the result of a run, which does not record it
  bool may_change = false;  ///< true: --resume may change it, since it affects no finished layer

  /// Return the row with one of the settings above.
  constexpr Option in(OptionGroup group) const {
    auto row = *this;
    row.help_group = group;
    return row;
  }
  constexpr Option planned(VerbSet in_plans_of) const {
    auto row = *this;
    row.plan_verbs = in_plans_of;
    return row;
  }
  constexpr Option unrecorded() const {
    auto row = *this;
    row.is_recorded = false;
    return row;
  }
  constexpr Option changeable() const {
    auto row = *this;
    row.may_change = true;
    return row;
  }

  bool is_for(std::string_view kind) const { return is_among(kinds, kind); }
  bool is_switch() const { return std::holds_alternative<SwitchValue>(value); }
  bool is_output() const { return std::holds_alternative<OutputValue>(value); }
  bool value_is_optional() const;
  bool is_repeatable() const { return std::holds_alternative<ListValue>(value); }
  /// Returns the allowed values as text; empty if any value is allowed.
  std::string range() const;
  /// Returns the value in `options` as a user would type it; empty when unset.
  std::string get(const RunOptions& options) const;
  /// Parses and checks `text`; on error `options` is unchanged. A switch accepts "", "true" or "false".
  MaybeError set(RunOptions& options, std::string_view text) const;
};

std::span<const Option> option_table();

/// Options that exclude each other: if the option `name` has the value `value`, the options in `excluded` may
/// not be given.
struct Exclusion {
  VerbSet verbs;
  std::string_view name;
  std::string_view value;  ///< word, list of words, "!word" (any other value), "!" (any value) or "" (unset)
  std::vector<std::string_view> excluded;  ///< names, or "name=value" to exclude only one value
  std::string_view message;                ///< {} is replaced by the given option
  std::string_view kinds = {};             ///< spaces of the row, as in Option; empty: any space
};
std::span<const Exclusion> exclusions();

/// Returns a usage error for the first pair of given options that exclude each other. Without `kind`, uses
/// only the rows that have no `kinds`; otherwise, only the rows whose `kinds` contain `kind`.
MaybeError check_exclusions(const RunOptions& options, Verb verb, std::string_view kind = {});

/// Options whose values are recorded in result files. They are rejected if the input is a result file.
struct OptionInResult {
  VerbSet verbs;
  std::string_view kinds;  ///< as in Option
  std::vector<std::string_view> names;
  std::string_view message;  ///< {} is replaced by the given option
};
std::span<const OptionInResult> options_in_results();

/// Returns a usage error for the first given option whose value the result file records. Must only be called
/// if the input is one result file.
MaybeError check_result_exclusions(const RunOptions& options, Verb verb, std::string_view kind);

/// Returns the row of an option that `verb` supports, or null.
const Option* find_option(Verb verb, std::string_view name);

/// Joins words with blanks. A word that is empty or contains blanks, quotes or backslashes is quoted.
/// split_words() reverses this.
std::string join_words(const std::vector<std::string>& words);
std::vector<std::string> split_words(std::string_view text);

/// Sets an option by name. Returns a usage error for an unknown name or a bad value. The text has the form of
/// Option::get: for an option that may be given several times, all its values, joined by join_words().
MaybeError set_option(RunOptions& options, Verb verb, std::string_view name, std::string_view text);

std::string_view to_string(Verb verb);
inline constexpr auto latency_models = enum_words<cim::LatencyModel>(
    {{cim::LatencyModel::miredo, "miredo"}, {cim::LatencyModel::stall, "stall"}});
constexpr std::string_view to_string(cim::LatencyModel model) { return latency_models.word(model); }

/// Returns the text of docs/options.md.
std::string options_page();

}  // namespace nestor::io
