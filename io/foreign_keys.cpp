#include "io/foreign_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "io/pim/keys/pim_keys.h"

namespace nestor::io {
namespace {

struct OwnKeys {
  std::string_view kind;
  Words of_machines;
  Words of_mappings;
};
constexpr std::array own_keys = {OwnKeys{"pim", pim::machine_keys::own, pim::mapping_keys::own}};

// Index of the first key that belongs to another kind of machine, and that kind.
struct Foreign {
  std::size_t at;
  std::string_view kind;
};
std::optional<Foreign> first_foreign(const Node& node, std::string_view kind, Words OwnKeys::*words) {
  for (std::size_t i = 0; i < node.size() && node.is_map(); ++i)
    for (const OwnKeys& other : own_keys)
      if (const Words own = other.*words; other.kind != kind)
        if (std::find(own.begin(), own.end(), node.key(i).text()) != own.end()) return Foreign{i, other.kind};
  return std::nullopt;
}

}  // namespace

void refuse_foreign_keys(const Node& node, std::string_view kind, Reading& reading) {
  if (const auto found = first_foreign(node, kind, &OwnKeys::of_machines))
    reading.fail(node.key(found->at),
                 fmt::format("key '{}' belongs to kind '{}', but this architecture has kind '{}'",
                             node.key(found->at).text(), found->kind, kind));
}

void refuse_foreign_mapping_keys(const Node& node, std::string_view kind, Reading& reading) {
  if (const auto found = first_foreign(node, kind, &OwnKeys::of_mappings))
    reading.fail(node.value(found->at),
                 fmt::format("{} belongs to mappings of kind '{}', but this architecture has kind '{}'",
                             node.key(found->at).text(), found->kind, kind));
}

}  // namespace nestor::io
