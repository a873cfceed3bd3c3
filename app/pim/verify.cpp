// nestor verify on a PIM result: every mapping read again, checked against the rules, walked by the trace
// simulator, and compared with what the file claims.
#include <cmath>

#include "app/console.h"
#include "app/output.h"
#include "app/pim/pim.h"
#include "io/checked_reader.h"
#include "io/pim/texts.h"
#include "model/pim/search/problem.h"
#include "sim/pim/replay.h"

namespace nestor::app::pim_space {
namespace {

constexpr double tolerance = 1e-9;

bool differs(double a, double b) { return std::abs(a - b) > tolerance * std::max(1.0, std::abs(b)); }

// What the file says of one layer, by key.
class Claims {
 public:
  explicit Claims(const io::Json& json) : json_(json) {}
  std::optional<double> number(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end() || !found->is_number()) return std::nullopt;
    return found->get<double>();
  }
  std::string text(const char* key) const {
    const auto found = json_.find(key);
    return found != json_.end() && found->is_string() ? found->get<std::string>() : std::string();
  }
  const io::Json& json() const { return json_; }

 private:
  const io::Json& json_;
};

class LayerCheck {
 public:
  LayerCheck(const io::pim::LayerRecord& record, const io::pim::NamedMachine& machine, const Claims& claims)
      : record_(record), machine_(machine), claims_(claims) {}

  std::vector<std::string> run() {
    const auto refusal = nestor::pim::admit(record_.layer.shape, machine_.machine);
    if (refusal != nestor::pim::Refusal::none) return {io::pim::refusal_text(refusal)};
    if (const auto violation =
            nestor::pim::find_violation(record_.layer.shape, machine_.machine, *record_.mapping))
      return {io::pim::violation_text(*violation, *record_.mapping, machine_)};
    const auto replay = sim::pim::replay(record_.layer.shape, machine_.machine, *record_.mapping);
    if (replay.status != sim::pim::ReplayStatus::complete) return {"too long to be walked"};
    compare("latency_cycles", static_cast<double>(replay.cycles));
    compare("energy_pj", replay.energy_pj);
    compare("edp", replay.energy_pj * static_cast<double>(replay.cycles));
    compare_activations(replay);
    const auto objective = claims_.number("objective");
    const auto bound = claims_.number("lower_bound");
    if (objective && bound && *bound > *objective && differs(*bound, *objective))
      findings_.push_back(fmt::format("lower_bound {} is above objective {}", *bound, *objective));
    if (claims_.text("status") == "optimal" && objective && bound && differs(*bound, *objective))
      findings_.push_back(
          fmt::format("status is optimal, but lower_bound {} is not objective {}", *bound, *objective));
    return std::move(findings_);
  }

 private:
  void compare(const char* key, double found) {
    const auto claimed = claims_.number(key);
    if (claimed && differs(found, *claimed))
      findings_.push_back(fmt::format("{} is {}, claimed {}", key, found, *claimed));
  }
  void compare_activations(const sim::pim::Replay& replay) {
    if (machine_.machine.row_model != nestor::pim::RowModel::exact) return;
    const auto evaluation = claims_.json().find("evaluation");
    if (evaluation == claims_.json().end() || !evaluation->is_object() ||
        !evaluation->contains("row_activations"))
      return;
    const Claims rows((*evaluation)["row_activations"]);
    for (const Operand operand : all_operands) {
      const char key[] = {letter(operand), '\0'};
      const auto claimed = rows.number(key);
      const Int found = replay.activations[index_of(operand)];
      if (claimed && differs(static_cast<double>(found), *claimed))
        findings_.push_back(fmt::format("row activations of {} are {}, claimed {}", key, found, *claimed));
    }
  }

  const io::pim::LayerRecord& record_;
  const io::pim::NamedMachine& machine_;
  const Claims& claims_;
  std::vector<std::string> findings_;
};

}  // namespace

io::Result<Outcome> verify(const io::RunOptions& options) {
  auto run = read_mapped_layers(options, io::Verb::verify);
  if (!run) return run.error();
  io::Json file = {{"layers", io::Json::array()}};
  if (!options.inputs.empty()) {
    const auto text = io::read_file(options.inputs.front());
    if (!text) return text.error();
    file = io::Json::parse(*text, nullptr, false);  // YAML has no figures to compare
    if (file.is_discarded() || !file.is_object() || !file.contains("layers") || !file["layers"].is_array())
      file = {{"layers", io::Json::array()}};
  }
  io::Json checks = io::Json::array();
  std::size_t failed = 0;
  std::string text;
  for (auto& record : run->layers) {
    if (!record.mapping) continue;
    io::Json said = io::Json::object();
    for (const auto& layer : file["layers"])
      if (layer.is_object() && layer.value("name", std::string()) == record.layer.name) said = layer;
    const Claims claims(said);
    const auto findings = LayerCheck(record, run->machine, claims).run();
    failed += static_cast<std::size_t>(!findings.empty());
    checks.push_back({{"name", record.layer.name}, {"holds", findings.empty()}, {"findings", findings}});
    for (const auto& finding : findings) text += fmt::format("{}: {}\n", record.layer.name, finding);
  }
  const io::Json json = {{"schema", "nestor.verification/1"},
                         {"version", NESTOR_VERSION},
                         {"verb", "verify"},
                         {"space", "pim"},
                         {"holds", failed == 0},
                         {"layers", checks}};
  if (const auto error = write_json_output(options, json)) return *error;
  if (prints_tables(options)) print("{}{} of {} layers hold\n", text, checks.size() - failed, checks.size());
  return failed == 0 ? Outcome::solved : Outcome::limited;
}

}  // namespace nestor::app::pim_space
