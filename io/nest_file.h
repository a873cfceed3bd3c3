// Reader and writer of the common part of all mapping files of loop-nest spaces: spatial factors per axis;
// temporal loops, which state for each operand the memory whose block contains the loop; and sets of (memory,
// operand) pairs. Each space adds its own parts (cim/mapping_file.h for cim, pim/mapping_file.h for pim).
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/fields.h"
#include "model/loopnest/mapping.h"
#include "model/workload/network.h"

namespace nestor::io {

inline constexpr IntRange factor_range = {1, Int{1} << 31};

/// Describes the dimension of a loop and its number of iterations.
void describe_iterations(Fields& fields, Loop& loop, IntRange factors);

/// The fields of a mapping, with the names of memories and axes.
class NestFields {
 public:
  NestFields(std::span<const std::string> memory_names, std::span<const std::string> axis_names)
      : memory_words_(memory_names.begin(), memory_names.end()),
        axis_words_(axis_names.begin(), axis_names.end()) {}

  /// Describes `spatial` and `temporal`. Loops with factor 1 are dropped when they are read.
  void describe_nest(Fields& fields, Mapping& mapping) const;
  /// Describes a list of pairs. `state` describes them in the message about a duplicate pair.
  void describe_pairs(Fields& fields, std::string_view key, Presence presence, std::string_view state,
                      std::array<OperandSet, max_memories>& pairs, std::string_view meaning) const;

 private:
  void describe_loop(Fields& fields, Loop& loop) const;
  void describe_memory(Fields& fields, std::string_view key, std::size_t& memory) const;
  void read_spatial(const Node& node, Mapping& mapping, Reading& reading) const;
  Json spatial_to_json(const Mapping& mapping) const;

  std::vector<std::string_view> memory_words_;
  std::vector<std::string_view> axis_words_;
};

/// Returns the message for a file that does not have one mapping per layer.
std::string other_count_of_mappings(std::size_t mappings, std::size_t layers);

/// Reads one mapping, or a list with one mapping per layer in order. `read_one(node, reading)` reads a single
/// mapping.
template <typename ReadOne>
auto parse_one_per_layer(std::string_view text, const std::string& file, std::size_t layers, ReadOne read_one)
    -> Result<std::vector<decltype(read_one(std::declval<const Node&>(), std::declval<Reading&>()))>> {
  const auto document = Document::parse(text, file);
  if (!document) return document.error();
  const auto root = document->root();
  Reading reading;
  std::vector<decltype(read_one(root, reading))> mappings;
  const std::size_t count = root.is_list() ? root.size() : 1;
  if (count != layers) reading.fail(root, other_count_of_mappings(count, layers));
  for (std::size_t i = 0; i < count && !reading.failed(); ++i)
    mappings.push_back(read_one(root.is_list() ? root.item(i) : root, reading));
  if (reading.failed()) return reading.error();
  return mappings;
}

}  // namespace nestor::io
