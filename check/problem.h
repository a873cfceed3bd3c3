// What is to be checked: a machine and a layer as a result file has them, and what it claims of the layer.
// Read here from the JSON itself, by code that the rest of Nestor does not use, with docs/models/cim.md as
// the contract.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "check/exact.h"

namespace nestor::check {

using Json = nlohmann::ordered_json;

enum Operand : std::size_t { I, W, O };
inline constexpr std::array<Operand, 3> operands = {I, W, O};
enum Dim : std::size_t { N, K, C, P, Q, R, S };
inline constexpr std::size_t dim_count = 7;
inline constexpr std::size_t most_memories = 16;
inline constexpr std::string_view dim_letters = "NKCPQRS";
using Extents = std::array<Int, dim_count>;

inline bool is_relevant(std::size_t dim, Operand operand) {
  if (operand == W) return dim == K || dim == C || dim == R || dim == S;
  return operand == I ? dim != K : dim == N || dim == K || dim == P || dim == Q;
}
inline bool is_reduction(std::size_t dim) { return !is_relevant(dim, O); }

/// One group of a layer.
struct Layer {
  std::string name;
  Extents bounds{};
  std::array<Int, 2> stride{1, 1};
  std::array<Int, 2> dilation{1, 1};
  std::array<Int, 3> bits{8, 8, 8};
  Int partial_sum = 32;
  /// Of a tile of these extents.
  Int elements(Operand operand, const Extents& tile) const;
};

struct Memory {
  std::string name;
  std::array<bool, 3> holds{};
  std::optional<Int> capacity;
  Int bandwidth = 1;
  bool double_buffer = false;
  Wide read = 0;  ///< per bit, in units of the machine's last decimal
  Wide write = 0;
  std::size_t place = 0;  ///< in the hierarchy, from the outside
};
struct Axis {
  std::string name;
  Int size = 1;
  std::array<bool, dim_count> dims{};
  std::size_t place = 0;
};
struct Machine {
  std::string name;
  std::vector<Memory> memories;
  std::vector<Axis> axes;
  Int mvm_cycles = 1;
  Wide mac = 0;
  Wide leakage = 0;
  int places = 0;                                  ///< decimals of all energies
  std::array<std::vector<std::size_t>, 3> chains;  ///< memories of an operand, its home first
};

/// Factors of an axis, per dimension.
using Spatial = std::vector<Extents>;

struct Loop {
  std::size_t dim = 0;
  Int factor = 1;
  std::array<std::size_t, 3> at{};  ///< positions in the chains
};
struct Mapping {
  Spatial spatial;
  std::vector<Loop> loops;                   ///< outermost first
  std::vector<std::array<bool, 3>> doubled;  ///< per memory
};

enum class Kind { latency, energy, edp, blended };
struct Objective {
  Kind kind = Kind::latency;
  bool miredo = false;  ///< the latency model; otherwise stall
  Wide alpha = 1;       ///< blended: weights, in units of 10^-places
  Wide beta = 1;
  int weight_places = 0;
};

Machine read_machine(const Json& architecture);
Layer read_layer(const Json& record);
Mapping read_mapping(const Json& mapping, const Machine& machine);
/// Nothing for an objective whose proofs this program does not know; `front` says that a whole front is
/// claimed.
std::optional<Objective> read_objective(const Json& result, bool& front);

const Json& member(const Json& object, const char* key);
Decimal decimal_of(const Json& number);

}  // namespace nestor::check
