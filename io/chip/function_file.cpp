#include "io/chip/network_file.h"

namespace nestor::io {
namespace {

constexpr IntRange window_range = {1, Int{1} << 20};
constexpr IntRange pad_range = {-(Int{1} << 20), Int{1} << 20};
constexpr IntRange element_range = {0, Int{1} << 40};
constexpr SizeRange view_range = {0, 1000};

void describe_views(Fields& fields, std::vector<chip::View>& views) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    for (const Node& item : read_list(node, label, view_range.low, view_range.high, reading)) {
      std::vector<Int> sizes;
      for (const Node& size : read_list(item, "a view", 4, 4, reading))
        sizes.push_back(read_integer(size, "a view", element_range, reading));
      if (sizes.size() == 4) views.push_back({sizes[0], sizes[1], sizes[2], sizes[3]});
    }
  };
  const auto write = [&] {
    Json json;
    for (const chip::View& view : views) json.push_back({view.rows, view.width, view.channels, view.first});
    return json;
  };
  const auto schema = [] {
    return list_schema(view_range, list_schema({4, 4}, integer_schema(element_range)));
  };
  fields.field({"views", optional, read, [] {}, write, schema,
                "Rows, width, channels and first element of each operand. With 0 rows, the operand keeps its "
                "own shape."});
}

}  // namespace

void describe_chip_function(Fields& fields, chip::Function& function) {
  fields.word("kind", function.kind, chip::function_kinds, required, "What it computes.");
  fields.integers("kernel", function.kernel, window_range, 1, "Rows and pixels of a window.");
  fields.integers("stride", function.stride, window_range, 1, "Along rows and pixels.");
  fields.integers("pad", function.pad, pad_range, 0, "Above and left.");
  fields.integers("dilation", function.dilation, window_range, 1, "Along rows and pixels.");
  fields.text("table", function.table, "For kind table: the name of the function of one element.");
  fields.integer("groups", function.groups, window_range, 1, "Independent parts of a pixel.");
  fields.flag("transposed", function.transposed, false,
              "For kind product: element (k, n) of the second factor is channel k of its row n.");
  fields.integer("constant_rows", function.constant_rows, {0, window_range.high}, 0,
                 "For kind concatrows: the number of leading constant rows.");
  describe_views(fields, function.views);
}

}  // namespace nestor::io
