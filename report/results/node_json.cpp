#include "report/results/node_json.h"

#include "io/checked_reader.h"

namespace nestor::io {

// Recursion is bounded by DocumentLimits::depth.
Json node_to_json(const Node& node) {
  switch (node.kind()) {
    case NodeKind::nothing:
      return nullptr;
    case NodeKind::list: {
      Json list = Json::array();
      for (std::size_t i = 0; i < node.size(); ++i) list.push_back(node_to_json(node.item(i)));
      return list;
    }
    case NodeKind::map: {
      Json map = Json::object();
      // emplace_back is used because keys are known to differ, and searching for each would take quadratic
      // time.
      for (std::size_t i = 0; i < node.size(); ++i)
        map.get_ref<Json::object_t&>().emplace_back(std::string(node.key(i).text()),
                                                    node_to_json(node.value(i)));
      return map;
    }
    case NodeKind::scalar:
      break;
  }
  const auto text = node.text();
  if (node.is_quoted()) return std::string(text);
  if (text == "true") return true;
  if (text == "false") return false;
  if (const auto whole = to_integer(text)) return *whole;
  if (const auto number = to_number(text)) return *number;
  return std::string(text);
}

}  // namespace nestor::io
