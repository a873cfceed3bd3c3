// Helpers that the readers and writers of mappings share. Private to io/neighbours.
#pragma once

#include "io/checked_reader.h"
#include "io/neighbours/mapping_forms.h"

namespace nestor::io::neighbours {

/// Names of the dimensions in other tools, in the order of `Dim`.
using DimNames = std::array<std::string_view, dim_count>;
inline constexpr DimNames zigzag_dims = {"B", "K", "C", "OY", "OX", "FY", "FX", "G"};
inline constexpr DimNames timeloop_dims = {"N", "M", "C", "P", "Q", "R", "S", "G"};
inline constexpr DimNames accelforge_dims = {"n", "k", "c", "p", "q", "r", "s", "g"};
inline constexpr std::array<std::string_view, operand_count> timeloop_operands = {"Inputs", "Weights",
                                                                                  "Outputs"};

/// Returns for each memory the operands that use it as their home, as their innermost memory or for a loop.
std::array<OperandSet, max_memories> used_memories(const Mapping& mapping, const Hierarchy& machine);

/// Returns a name as YAML text, quoted unless it is a plain word.
std::string yaml_name(std::string_view name);

/// Returns `nestor: {double_buffer: [...]}` for a YAML form; empty without double buffers.
std::string double_buffers_text(const Mapping& mapping, const NamedArchitecture& architecture);
void read_double_buffers(const Node& root, const NamedArchitecture& architecture, Mapping& mapping,
                         Reading& reading);

/// Adds a loop, unless its factor is 1.
void add_loop(Mapping& mapping, const Loop& loop, const Node& where, Reading& reading);
/// Multiplies the spatial factor of a dimension on an axis by `factor`. Returns false if the product is out
/// of range.
bool multiply_factor(Mapping& mapping, std::size_t axis, Dim dim, Int factor);
/// Rejects memories in `stored` that store an operand without any of its loops, unless they are its home or
/// innermost memory. Nestor would treat them as bypassed.
void refuse_idle_stores(const Mapping& mapping, const std::array<OperandSet, max_memories>& stored,
                        const NamedArchitecture& architecture, const Node& where, Reading& reading);

std::string write_zigzag(std::span<const MappedLayer> layers, const NamedArchitecture& architecture);
Result<std::string> write_timeloop(const MappedLayer& layer, const NamedArchitecture& architecture);
Result<std::string> write_accelforge(const MappedLayer& layer, const NamedArchitecture& architecture);

bool is_zigzag(std::string_view text);
Result<std::vector<Mapping>> read_zigzag(std::string_view text, const std::string& file,
                                         const NamedArchitecture& architecture,
                                         std::span<const Layer> layers);
Mapping read_timeloop(const Node& root, const NamedArchitecture& architecture, Reading& reading);
Mapping read_accelforge(const Node& root, const NamedArchitecture& architecture, const Layer& layer,
                        Reading& reading);

}  // namespace nestor::io::neighbours
