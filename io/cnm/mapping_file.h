// Reader and printer of cnm mappings, as YAML (`maps:`) or in the short form "M1:
// {(2,9),(64,1),(2,4),(2,32)}, ...". In the short form, `block (1,32)`, `order (1,0)`, `collect 64`, and then
// `half split`, `half_dim 1`, `bank 0`, `grf 8` and `layout apart` may follow the braces of a map. The name
// of a map ("M1") is optional.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/document.h"
#include "io/fields.h"
#include "model/cnm/mapping.h"

namespace nestor::io {

/// Reads a file or, if the argument contains '{', the argument itself, as YAML or in the short form.
Result<cnm::CnmMapping> read_cnm_mapping(const std::string& path_or_text);

/// The fields of a map. Those of its shape and those of HBM-PIM are also parts of other records.
void describe_map(Fields& fields, cnm::CnmMap& map);
void describe_shape(Fields& fields, cnm::CnmMap& map);
void describe_pim_keys(Fields& fields, cnm::PimKeys& keys);
/// The schema of a file of the mapping of one kernel.
Json cnm_mapping_schema();

Result<cnm::CnmMapping> cnm_mapping_from(const Node& node);
Result<cnm::CnmMap> cnm_map_from(const Node& node);
/// Parses YAML or the short form; `file` is only a name for messages.
Result<cnm::CnmMapping> parse_cnm_mapping(std::string_view text, const std::string& file);

/// Mapping of one operation of a program.
struct OperationMapping {
  std::string operation;
  std::string system;  ///< system to which the mapping applies; empty: any system
  cnm::CnmMapping mapping;
  SourceLocation where;
};

/// Reads the mappings of a program's operations: `kernels: [{name, maps}]` in a file or in the text itself,
/// or a result of map for a program.
Result<std::vector<OperationMapping>> read_operation_mappings(const std::string& path_or_text);

std::string to_text(const cnm::CnmMapping& mapping);
/// Returns the HBM-PIM keys in the short form, as in "half split grf 8".
std::string short_keys_text(const cnm::PimKeys& keys);
/// Returns the short form of a map without its name.
std::string short_text(const cnm::CnmMap& map);
std::string short_text(const cnm::CnmMapping& mapping);

}  // namespace nestor::io
