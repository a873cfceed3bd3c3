#include "report/proof_writer.h"

#include <utility>

#include "io/output_file.h"
#include "io/sha256.h"
#include "model/loopnest/search/nest_step.h"
#include "report/keys/common.h"
#include "report/keys/machine.h"
#include "report/keys/proof.h"

namespace nestor::report {
namespace {

// Returns the head of a proof. It contains values that identify the result of the proof, and the names of the
// axes and memories to which the proof refers by number.
io::Json head_of(const io::Json& result, const std::vector<std::string>& axes) {
  io::Json head;
  for (const auto* const key : {key::space, key::version}) head[key] = result.at(key);
  const io::Json& objective = result.at(key::objective);
  head[key::objective] = objective.at(key::name);
  if (objective.contains(key::latency_model)) head[key::latency_model] = objective[key::latency_model];
  const io::Json& options = result.at(key::options);
  for (const auto* const weight : key::weight_names)
    if (options.contains(weight)) head[weight] = options[weight];
  const bool is_padded = options.value(key::pad, "0") != "0";
  if (is_padded) head[key::pad] = options[key::pad];
  const io::Json& architecture = result.at(key::architecture);
  head[key::architecture] = architecture.at(key::name);
  head[key::architecture_digest] = io::sha256(architecture.dump());
  head[key::axes] = axes;
  if (is_padded) head[key::axes].insert(head[key::axes].begin(), key::bounds);
  for (const io::Json& entry : architecture.at(key::hierarchy))
    if (entry.contains(key::memory))
      for (const io::Json& operand : entry[key::memory].at("operands"))
        head[key::memories][operand.get<std::string>()].push_back(entry[key::memory].at(key::name));
  return head;
}

// Returns the layer and the claims about it.
io::Json head_of_layer(const io::Json& record) {
  io::Json head;
  for (const auto* const key :
       {key::name, key::dims, "stride", "dilation", key::groups, key::bits, key::status, key::lower_bound})
    if (record.contains(key)) head[key] = record[key];
  if (record.contains(key::alternatives))
    for (const io::Json& point : record[key::alternatives])
      head[key::alternatives].push_back({{key::objective, point.at(key::objective)}});
  if (record.contains(key::front))
    for (const io::Json& point : record[key::front])
      head[key::front].push_back(
          {{key::latency_cycles, point.at(key::latency_cycles)}, {key::energy_pj, point.at(key::energy_pj)}});
  return head;
}

}  // namespace

ProofWriter::ProofWriter(std::string path, std::size_t shapes) : path_(std::move(path)) {
  if (!is_wanted()) return;
  parts_.resize(shapes);
  spool_.emplace(path_, shapes);
}

void ProofWriter::add(std::size_t shape, const KeptLabels& kept) {
  io::ProofStream& part = parts_[shape];
  part.choice(kept.branch, kept.steps.size());
  for (const KeptStep& step : kept.steps) {
    part.nest({step.parent, unpack(step.step)});
    if (auto frames = part.take(); !frames.empty()) spool_->add(shape, frames);
  }
}

void ProofWriter::end_layer(std::size_t shape) {
  if (!is_wanted()) return;
  parts_[shape].end_of_layer();
  spool_->add(shape, parts_[shape].flush());
  parts_[shape] = {};
}

io::MaybeError ProofWriter::write(const io::Json& result, const std::vector<std::string>& axes,
                                  const UniqueShapes& shapes) {
  if (!is_wanted()) return std::nullopt;
  if (auto error = spool_->error()) return error;
  return io::write_somewhere(path_, [&](const io::PieceSink& sink) {
    io::ProofStream heads;
    heads.head(head_of(result, axes));
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      heads.layer(head_of_layer(result.at(key::layers).at(shapes.shapes[i].first)));
      if (!sink(heads.flush()) || !spool_->replay(i, sink)) return false;
    }
    heads.end_of_file();
    return sink(heads.flush());
  });
}

}  // namespace nestor::report
