#include "io/chip/network_file.h"

namespace nestor::io {
namespace {

constexpr IntRange window_range = {1, Int{1} << 20};
constexpr IntRange pad_range = {-(Int{1} << 20), Int{1} << 20};
constexpr IntRange element_range = {0, Int{1} << 40};

void read_sizes(const MapReader& map, std::string_view key, IntRange range, std::array<Int, 2>& into,
                Reading& reading) {
  const auto node = map.find(key);
  if (!node) return;
  const auto items = read_list(*node, key, 2, 2, reading);
  for (std::size_t i = 0; i < items.size() && i < 2; ++i)
    into[i] = read_integer(items[i], key, range, reading);
}

}  // namespace

chip::Function read_chip_function(const Node& node, Reading& reading) {
  const MapReader map(node, "function", chip_network_keys::function, reading);
  chip::Function function;
  function.kind = map.word("kind", chip::function_kinds);
  read_sizes(map, "kernel", window_range, function.kernel, reading);
  read_sizes(map, "stride", window_range, function.stride, reading);
  read_sizes(map, "pad", pad_range, function.pad, reading);
  read_sizes(map, "dilation", window_range, function.dilation, reading);
  function.table = map.text("table", "");
  function.groups = map.integer("groups", window_range, 1);
  function.transposed = map.flag("transposed", false);
  function.constant_rows = map.integer("constant_rows", {0, window_range.high}, 0);
  if (const auto views = map.find("views")) {
    for (const Node& item : read_list(*views, "views", 0, 1000, reading)) {
      std::vector<Int> sizes;
      for (const Node& size : read_list(item, "a view", 4, 4, reading)) {
        sizes.push_back(read_integer(size, "a view", element_range, reading));
      }
      if (sizes.size() == 4) function.views.push_back({sizes[0], sizes[1], sizes[2], sizes[3]});
    }
  }
  return function;
}

Json chip_function_to_json(const chip::Function& function) {
  const chip::Function plain;
  Json json = {{"kind", std::string(to_string(function.kind))}};
  if (function.kernel != plain.kernel) json["kernel"] = function.kernel;
  if (function.stride != plain.stride) json["stride"] = function.stride;
  if (function.pad != plain.pad) json["pad"] = function.pad;
  if (function.dilation != plain.dilation) json["dilation"] = function.dilation;
  if (!function.table.empty()) json["table"] = function.table;
  if (function.groups != 1) json["groups"] = function.groups;
  if (function.transposed) json["transposed"] = true;
  if (function.constant_rows > 0) json["constant_rows"] = function.constant_rows;
  if (!function.views.empty()) {
    auto& views = json["views"] = Json::array();
    for (const chip::View& view : function.views)
      views.push_back({view.rows, view.width, view.channels, view.first});
  }
  return json;
}

}  // namespace nestor::io
