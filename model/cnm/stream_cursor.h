// Position in a command stream: the current group and the trips of the surrounding loops. It is cheap to
// copy, so a copy can be advanced to inspect the next group.
#pragma once

#include "base/fixed_vector.h"
#include "model/cnm/stream.h"

namespace nestor::cnm {

class StreamCursor {
 public:
  struct Frame {
    const Stream* list = nullptr;
    std::size_t at = 0;
    Int trip = 0;
    Int trips = 1;
  };

  explicit StreamCursor(const Stream& stream) {
    frames_.push_back({&stream});
    to_next_group();
  }

  bool at_end() const { return frames_.empty(); }
  const StreamItem& group() const { return (*frames_.back().list)[frames_.back().at]; }
  Int address(const Access& access) const {
    Int address = access.address;
    for (std::size_t depth = 1; depth < frames_.size(); ++depth)
      address += access.stride[depth - 1] * frames_[depth].trip;
    return address;
  }
  void advance() {
    ++frames_.back().at;
    to_next_group();
  }

  /// Returns the number of frames: frame 0 is the stream itself, frames [1, depth) are the loops around the
  /// group.
  std::size_t depth() const { return frames_.size(); }
  const Frame& frame(std::size_t depth) const { return frames_[depth]; }
  void skip_trips(std::size_t depth, Int trips) { frames_[depth].trip += trips; }
  /// True if the group is the first of a trip of the loop at `depth`.
  bool begins_trip(std::size_t depth) const {
    if (frames_[depth].at != 0) return false;
    for (std::size_t inner = depth + 1; inner < frames_.size(); ++inner)
      if (frames_[inner].at != 0 || frames_[inner].trip != 0) return false;
    return true;
  }

 private:
  // Advances to the next group at or after the current position, entering and leaving loops.
  void to_next_group() {
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      if (frame.at == frame.list->size()) {
        if (++frame.trip < frame.trips) {
          frame.at = 0;
          continue;
        }
        frames_.pop_back();
        if (!frames_.empty()) ++frames_.back().at;
        continue;
      }
      const StreamItem& item = (*frame.list)[frame.at];
      if (!item.is_loop()) return;
      if (item.trips == 0 || item.body.empty())
        ++frame.at;
      else
        frames_.push_back({&item.body, 0, 0, item.trips});
    }
  }

  FixedVector<Frame, max_stream_depth + 1> frames_;
};

}  // namespace nestor::cnm
