// Maps one layer: builds its search problem, runs the engine and checks what comes out.
#pragma once

#include "mapper/cim/layer_map.h"
#include "mapper/cim/request.h"
#include "solver/engine/kept_labels.h"

namespace nestor::mapper {

/// A search under way, as seen at the end of each of its rounds.
struct LayerProgress {
  double incumbent = no_cost;
  double bound = 0;
  std::uint64_t nodes = 0;
};

class LayerObserver {
 public:
  LayerObserver() = default;
  LayerObserver(const LayerObserver&) = delete;
  LayerObserver& operator=(const LayerObserver&) = delete;
  virtual ~LayerObserver() = default;
  virtual void progressed(const LayerProgress& progress) = 0;
  /// Whether a proof is to be written: then one search from the inside out proves the layer, without what
  /// docs/proofs.md has no rule for, and `kept` is told of every spatial choice that was searched.
  virtual bool needs_proof() const { return false; }
  virtual void kept(const KeptLabels& /*labels*/) {}
};

/// `layer` passed admit(). The result depends only on `layer`, `machine` and `request`, unless a limit of
/// time or memory, or an interruption, cut it short.
LayerMap map_layer(const LayerShape& layer, const Architecture& machine, const Request& request,
                   const Resources& resources, LayerObserver* observer = nullptr);

}  // namespace nestor::mapper
