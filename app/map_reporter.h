// Observer of the searches of `map` in the loop-nest spaces. It stores their states and proof records, writes
// finished layers and shows progress.
#pragma once

#include <fmt/format.h>

#include <span>

#include "io/options.h"
#include "mapper/loopnest/map_network.h"
#include "model/workload/network.h"
#include "model/workload/unique_shapes.h"
#include "report/checkpoint.h"
#include "report/map_progress.h"
#include "report/proof_writer.h"
#include "report/tables/progress.h"
#include "report/tables/units.h"
#include "solver/engine/observer.h"
#include "solver/engine/stop_source.h"

namespace nestor::app {

template <typename Map>
class MapReporter : public mapper::NetworkObserver<Map> {
 public:
  /// With --no-times, every time is written as 0.
  MapReporter(std::span<const Layer> layers, const UniqueShapes& shapes, report::Checkpoint& checkpoint,
              report::ProofWriter& proof, const io::RunOptions& options)
      : layers_(layers),
        shapes_(shapes),
        checkpoint_(checkpoint),
        proof_(proof),
        keeps_times_(!options.no_times),
        time_limit_(options.run_time_limit) {}

  void round_ended(std::size_t shape, const EngineProgress& progress) final {
    catch_up();
    if (!line_.due()) return;
    const double now = seconds_since(begin_);
    const bool continues = shown_shape_ == shape && progress.work > shown_work_ && now > shown_at_;
    const double rate = continues ? static_cast<double>(progress.work - shown_work_) / (now - shown_at_) : 0;
    shown_shape_ = shape;
    shown_work_ = progress.work;
    shown_at_ = now;
    report::show(line_, {finished_, shapes_.shapes.size(), layers_[first_layer(shape)].name, progress, now,
                         rate, time_limit_});
  }
  bool needs_labels() const final { return proof_.is_wanted(); }
  void branch_left(std::size_t shape, const KeptLabels& kept) final { proof_.add(shape, kept); }
  StateKeeper* states(std::size_t shape) final { return checkpoint_.states(shape); }

  void finished(std::size_t shape, const Map& found) final {
    Map map = found;
    if (!keeps_times_) {
      map.search.forget_times();
      if (map.ties) map.ties->seconds = 0;
    }
    ++finished_;
    if (line_.is_logged()) log(layers_[first_layer(shape)].name, found);
    proof_.end_layer(shape);
    for (std::size_t i = 0; i < layers_.size(); ++i)
      if (shapes_.shape_of_layer[i] == shape) record(i, first_layer(shape), map);
    catch_up();
  }

  void close() { line_.clear(); }

 private:
  /// Records the result of a layer. `first` is the layer of the same shape that was searched.
  virtual void record(std::size_t layer, std::size_t first, const Map& map) = 0;
  /// Writes the finished layers. A file that cannot be written is reported at the end.
  virtual void catch_up() = 0;

  void log(const std::string& name, const Map& map) {
    const auto& search = map.search;
    for (const auto& incumbent : search.incumbents)
      line_.event(fmt::format("{}: mapping of objective {:.10g} found after {:.3f} s", name,
                              incumbent.objective, incumbent.seconds));
    line_.event(fmt::format("{}: {}, {} nodes, {:.3f} s", name, to_string(map.status),
                            io::count_text(search.nodes()), search.seconds));
  }

  std::size_t first_layer(std::size_t shape) const { return shapes_.shapes[shape].first; }

  std::span<const Layer> layers_;
  const UniqueShapes& shapes_;
  report::Checkpoint& checkpoint_;
  report::ProofWriter& proof_;
  bool keeps_times_;
  double time_limit_;
  io::ProgressLine line_;
  // The shape, work and time of the last progress line.
  std::size_t shown_shape_ = 0;
  std::uint64_t shown_work_ = 0;
  double shown_at_ = 0;
  std::size_t finished_ = 0;
  StopSource::Clock::time_point begin_ = StopSource::Clock::now();
};

}  // namespace nestor::app
