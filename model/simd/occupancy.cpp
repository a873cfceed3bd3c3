#include "model/simd/occupancy.h"

#include <algorithm>

#include "base/tables/hash_table.h"

namespace nestor::simd {

namespace {

/// Interval in which a row holds a value: written at `begin`, last read at `end` (instruction numbers from
/// 1).
struct Stay {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

class Recorder {
 public:
  void read(Place place, std::uint64_t time) {
    if (const auto it = open_.find(key(place)); it != open_.end()) it->second.end = time;
  }
  void write(Place place, std::uint64_t time) {
    Stay& stay = open_[key(place)];
    close(place.array, stay);
    stay = {time, time};
  }
  std::vector<std::vector<Stay>> finish() {
    for (auto& [at, stay] : open_) close(static_cast<std::uint32_t>(at >> 32U), stay);
    return std::move(stays_);
  }

 private:
  static std::uint64_t key(Place place) { return std::uint64_t{place.array} << 32U | place.row; }
  void close(std::uint32_t array, const Stay& stay) {
    if (stays_.size() <= array) stays_.resize(array + 1);
    if (stay.begin < stay.end) stays_[array].push_back(stay);
  }

  HashMap<std::uint64_t, Stay> open_;
  std::vector<std::vector<Stay>> stays_;
};

std::vector<std::vector<Stay>> stays_of(const Schedule& schedule) {
  Recorder recorder;
  std::uint64_t time = 0;
  for (const Instruction& instruction : schedule.instructions) {
    ++time;
    if (instruction.is_copy()) {
      recorder.read(instruction.from, time);
    } else {
      for (const SimdOperand& operand : instruction.operand)
        if (!operand.is_constant()) recorder.read({instruction.to.array, operand.row()}, time);
    }
    recorder.write(instruction.to, time);
  }
  for (const OutputPlace& output : schedule.outputs)
    if (output.kind == OutputPlace::Kind::stored) recorder.read(output.place, time + 1);
  return recorder.finish();
}

}  // namespace

Occupancy occupancy(const Schedule& schedule, std::size_t samples) {
  const std::uint64_t length = schedule.instructions.size();
  const std::uint64_t count = std::min<std::uint64_t>(std::max<std::size_t>(samples, 2), length + 1);
  Occupancy result;
  for (std::uint64_t i = 0; i < count; ++i) result.after.push_back(count == 1 ? 0 : length * i / (count - 1));
  for (const std::vector<Stay>& stays : stays_of(schedule)) {
    std::vector<std::int32_t> change(length + 2, 0);
    // A row holds its value after instruction `begin` and until instruction `end`, which is the last to read
    // it.
    for (const Stay& stay : stays) {
      ++change[stay.begin];
      --change[stay.end];
    }
    std::vector<std::uint32_t> held;
    std::int32_t now = 0;
    std::size_t sample = 0;
    for (std::uint64_t time = 0; time <= length && sample < count; ++time) {
      now += change[time];
      for (; sample < count && result.after[sample] == time; ++sample)
        held.push_back(static_cast<std::uint32_t>(now));
    }
    result.rows.push_back(std::move(held));
  }
  return result;
}

}  // namespace nestor::simd
