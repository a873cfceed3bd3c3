// JSON keys that results of several spaces share. Writers and readers of a key use the same constant, so that
// a key is spelled only here (tests/build/check-keys.pl). Keys of one space are in the header of that space,
// and keys of inputs are next to their readers in io. docs/formats.md describes their values.
#pragma once

namespace nestor::key {

inline constexpr char alternatives[] = "alternatives";
inline constexpr char amount[] = "amount";
inline constexpr char architecture[] = "architecture";
inline constexpr char binds[] = "binds";
inline constexpr char bits[] = "bits";
inline constexpr char bound[] = "bound";
inline constexpr char bounds[] = "bounds";
inline constexpr char bytes[] = "bytes";
inline constexpr char choices[] = "choices";
inline constexpr char claimed_objective[] = "claimed_objective";
inline constexpr char complete[] = "complete";
inline constexpr char compute[] = "compute";
inline constexpr char confirmed[] = "confirmed";
inline constexpr char copies[] = "copies";
inline constexpr char count[] = "count";
inline constexpr char dominated[] = "dominated";
inline constexpr char edp[] = "edp";
inline constexpr char edp_sum[] = "edp_sum";
inline constexpr char energy[] = "energy";
inline constexpr char energy_pj[] = "energy_pj";
inline constexpr char error[] = "error";
inline constexpr char evaluation[] = "evaluation";
inline constexpr char findings[] = "findings";
inline constexpr char front[] = "front";
inline constexpr char front_index[] = "front_index";
inline constexpr char gain[] = "gain";
inline constexpr char gap[] = "gap";
inline constexpr char groups[] = "groups";
inline constexpr char incumbents[] = "incumbents";
inline constexpr char inputs[] = "inputs";
inline constexpr char constraints[] = "constraints";
inline constexpr char kind[] = "kind";
inline constexpr char labels[] = "labels";
inline constexpr char latency_cycles[] = "latency_cycles";
inline constexpr char latency_model[] = "latency_model";
inline constexpr char layer[] = "layer";
inline constexpr char layers[] = "layers";
inline constexpr char layout[] = "layout";
inline constexpr char lower_bound[] = "lower_bound";
inline constexpr char machine[] = "machine";
inline constexpr char macs[] = "macs";
inline constexpr char mapped[] = "mapped";
inline constexpr char mapping[] = "mapping";
inline constexpr char members[] = "members";
inline constexpr char most[] = "most";
inline constexpr char name[] = "name";
inline constexpr char network[] = "network";
inline constexpr char network_optimum[] = "network_optimum";
inline constexpr char nodes[] = "nodes";
inline constexpr char not_checked[] = "not_checked";
inline constexpr char objective[] = "objective";
inline constexpr char operand[] = "operand";
inline constexpr char options[] = "options";
inline constexpr char padded[] = "padded";
inline constexpr char points[] = "points";
inline constexpr char program[] = "program";
inline constexpr char pruned[] = "pruned";
inline constexpr char repeat[] = "repeat";
inline constexpr char replay[] = "replay";
inline constexpr char replay_cycles[] = "replay_cycles";
inline constexpr char resource[] = "resource";
inline constexpr char resources[] = "resources";
inline constexpr char role[] = "role";
inline constexpr char rows[] = "rows";
inline constexpr char run[] = "run";
inline constexpr char same_as[] = "same_as";
inline constexpr char schema[] = "schema";
inline constexpr char search[] = "search";
inline constexpr char seconds[] = "seconds";
inline constexpr char sha256[] = "sha256";
inline constexpr char sizes_bits[] = "sizes_bits";
inline constexpr char source[] = "source";
inline constexpr char space[] = "space";
inline constexpr char states[] = "states";
inline constexpr char status[] = "status";
inline constexpr char step[] = "step";
inline constexpr char steps[] = "steps";
inline constexpr char tie_break[] = "tie_break";
inline constexpr char to[] = "to";
inline constexpr char totals[] = "totals";
inline constexpr char transfers[] = "transfers";
inline constexpr char type[] = "type";
inline constexpr char unmapped[] = "unmapped";
inline constexpr char usage_bits[] = "usage_bits";
inline constexpr char used[] = "used";
inline constexpr char value[] = "value";
inline constexpr char verb[] = "verb";
inline constexpr char version[] = "version";
inline constexpr char weights[] = "weights";
inline constexpr char work[] = "work";

/// Weights of a blended objective and of eq14, as options, in the objective of a result and in heads of
/// proofs.
inline constexpr const char* weight_names[] = {"alpha", "beta", "mu1", "mu2"};

}  // namespace nestor::key
