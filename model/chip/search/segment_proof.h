// Proof that no schedule of a segment is shorter than its bound, in a form that a checker can verify
// (docs/proofs.md): the tree of splits of the search, and for every node the mix of paths that bounds it. The
// proof is recorded only on request.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "base/enum_words.h"
#include "base/tables/hash_table.h"
#include "model/chip/search/segment_graph.h"

namespace nestor::chip {

/// Figures in which options of an operator differ.
enum class OptionFigure : std::uint8_t { cores, row, lanes, in, out, gate, first, last };
inline constexpr auto option_figures = enum_words<OptionFigure>({{OptionFigure::cores, "cores"},
                                                                 {OptionFigure::row, "row"},
                                                                 {OptionFigure::lanes, "lanes"},
                                                                 {OptionFigure::in, "in"},
                                                                 {OptionFigure::out, "out"},
                                                                 {OptionFigure::gate, "gate"},
                                                                 {OptionFigure::first, "first"},
                                                                 {OptionFigure::last, "last"}});

constexpr Int figure_of(const LatencyOption& option, OptionFigure figure) {
  switch (figure) {
    case OptionFigure::cores:
      return option.cores;
    case OptionFigure::row:
      return option.row;
    case OptionFigure::lanes:
      return option.lanes;
    case OptionFigure::in:
      return option.in;
    case OptionFigure::out:
      return option.out;
    case OptionFigure::gate:
      return option.gate;
    case OptionFigure::first:
      return option.first;
    case OptionFigure::last:
      return option.last;
  }
  return 0;
}

/// Split of an operator's options into options with at most `most` of a figure, and options with more.
struct OptionSplit {
  std::size_t op = 0;  ///< position in the segment
  OptionFigure figure = OptionFigure::cores;
  Int most = 0;

  bool keeps(const LatencyOption& option, bool above) const {
    return (figure_of(option, figure) > most) == above;
  }
};

struct SegmentProof {
  struct Share {
    std::uint32_t path;
    Int share;
  };
  struct Step {
    std::vector<Share> mix;
    std::optional<OptionSplit> split;
    std::size_t children = 0;  ///< index of the first child; the second child follows it
  };
  std::size_t first = 0;
  std::size_t last = 0;
  Int bound = 0;
  std::vector<SegmentPath> paths;
  std::vector<Step> steps;  ///< root first, children after their parents
};

/// Recorder of a proof during the search; equal paths are stored once.
class SegmentLog {
 public:
  const std::vector<SegmentPath>& paths() const { return paths_; }
  std::vector<SegmentProof::Step>& steps() { return steps_; }
  const std::vector<SegmentProof::Step>& steps() const { return steps_; }

  std::uint32_t number_of(const SegmentPath& path) {
    const auto [at, is_new] =
        numbers_.emplace(std::pair(path.rows, path.gated), static_cast<std::uint32_t>(paths_.size()));
    if (is_new) paths_.push_back(path);
    return at->second;
  }

 private:
  std::vector<SegmentPath> paths_;
  HashMap<std::pair<std::vector<std::int32_t>, std::vector<std::uint8_t>>, std::uint32_t> numbers_;
  std::vector<SegmentProof::Step> steps_;
};

}  // namespace nestor::chip
