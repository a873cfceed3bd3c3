#include <algorithm>
#include <utility>

#include "model/chip/second_reading/operator_reading.h"

namespace nestor::chip_reading {
namespace {

// Range of positions in the list of operators, inclusive.
struct Life {
  std::size_t from = 0;
  std::size_t to = 0;
  bool meets(const Life& other) const { return from <= other.to && other.from <= to; }
};

class Memory {
 public:
  Memory(const chip::ChipNetwork& network, const chip::Decisions& decisions)
      : network_(network), decisions_(decisions) {}

  MemoryReading read() {
    find_lives();
    MemoryReading reading;
    std::vector<Wide> ends;
    for (std::size_t t = 0; t < network_.tensors(); ++t) {
      const Wide address = least_address(t, reading.addresses, ends);
      reading.addresses.push_back(address);
      ends.push_back(address + bytes(t));
    }
    for (const auto& segment : decisions_.segments) {
      Wide highest = 0;
      for (std::size_t t = 0; t < network_.tensors(); ++t)
        if (lives_[t].meets({segment.first, segment.last})) highest = larger(highest, ends[t]);
      reading.segment_bytes.push_back(highest);
    }
    return reading;
  }

 private:
  Wide bytes(std::size_t tensor) const {
    if (tensor < network_.inputs.size()) {
      const auto& input = network_.inputs[tensor];
      return Wide{input.rows} * input.width * input.channels * round_up_division(network_.bits.I, 8);
    }
    const auto& op = network_.operators[tensor - network_.inputs.size()];
    return Wide{op.rows} * op.width * op.channels * round_up_division(op.bits.O, 8);
  }

  const chip::SegmentDecision& segment_of(std::size_t op) const {
    for (const auto& segment : decisions_.segments)
      if (op <= segment.last) return segment;
    return decisions_.segments.back();
  }

  // All operators of a pipelined segment run simultaneously. A tensor that the segment produces is alive from
  // the segment's first operator on; a tensor that it reads is alive up to the segment's last operator.
  void find_lives() {
    const std::size_t inputs = network_.inputs.size();
    lives_.resize(network_.tensors());
    for (std::size_t i = 0; i < network_.operators.size(); ++i) {
      const auto& segment = segment_of(i);
      lives_[inputs + i] = {segment.pipeline ? segment.first : i, i};
    }
    for (std::size_t i = 0; i < network_.operators.size(); ++i) {
      const auto& segment = segment_of(i);
      for (const auto& input : network_.operators[i].inputs) {
        auto& life = lives_[input.tensor];
        life.to = std::max(life.to, segment.pipeline ? segment.last : i);
      }
    }
    for (const std::size_t output : network_.outputs)
      lives_[inputs + output].to = network_.operators.size() - 1;
  }

  // Returns the lowest address at which the tensor overlaps no earlier tensor that is alive at the same time.
  Wide least_address(std::size_t tensor, const std::vector<Wide>& begins, const std::vector<Wide>& ends) {
    taken_.clear();
    for (std::size_t t = 0; t < begins.size(); ++t)
      if (lives_[t].meets(lives_[tensor])) taken_.emplace_back(begins[t], ends[t]);
    std::sort(taken_.begin(), taken_.end());
    Wide address = 0;
    for (const auto& [begin, end] : taken_) {
      if (address + bytes(tensor) <= begin) break;
      address = larger(address, end);
    }
    return address;
  }

  const chip::ChipNetwork& network_;
  const chip::Decisions& decisions_;
  std::vector<Life> lives_;
  std::vector<std::pair<Wide, Wide>> taken_;
};

}  // namespace

MemoryReading read_memory(const chip::ChipNetwork& network, const chip::Decisions& decisions) {
  return Memory(network, decisions).read();
}

}  // namespace nestor::chip_reading
