#include "app/verbs.h"

namespace nestor::app {
namespace {

using io::Verb;

constexpr std::array table = {
    VerbEntry{Verb::map, "NETWORK...", "Find the best mapping of every layer and prove it", map},
    VerbEntry{Verb::show, "[WHAT...]", "Print an architecture, a network or a mapping as text", show},
    VerbEntry{Verb::evaluate, "[RESULT]",
              "Say what given mappings cost: latency, energy, traffic, memory use", evaluate},
    VerbEntry{Verb::simulate, "[RESULT]", "Replay given mappings event by event and count cycles and waits",
              simulate},
    VerbEntry{Verb::verify, "[RESULT | SCHEDULE]",
              "Confirm a result's claims with code that shares nothing with the search", verify},
    VerbEntry{Verb::schedule, "NETLIST", "Run a netlist on bit-serial arrays with few copies", schedule},
    VerbEntry{Verb::lp, "FILE", "Solve a linear program in an MPS or LP file with the bundled simplex", lp},
};

}  // namespace

std::span<const VerbEntry> verbs() { return table; }

}  // namespace nestor::app
