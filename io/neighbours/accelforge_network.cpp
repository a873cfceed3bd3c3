// Reader of AccelForge's workloads: Einsums over tensors, with the sizes of ranks. Each product of two
// tensors is a layer; other Einsums are listed as not mapped.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "io/neighbours/equation.h"
#include "io/neighbours/numbers.h"
#include "io/neighbours/readers.h"

namespace nestor::io::neighbours {
namespace {

constexpr std::size_t most_einsums = std::size_t{1} << 16;
constexpr std::array<std::string_view, 6> known_workload = {
    "rank_sizes", "iteration_space_shape", "shape", "bits_per_value", "einsums", "version"};
constexpr std::array<std::string_view, 5> known_einsum = {"name", "einsum", "tensor_accesses", "renames",
                                                          "iteration_space_shape"};
constexpr std::array<std::string_view, 4> known_access = {"name", "projection", "output", "bits_per_value"};

struct Tensor {
  std::string name;
  bool is_output = false;
  std::vector<std::pair<std::string, Index>> indices;  // pairs of a rank and its index
  Int bits = 0;                                        // 0: not given
  std::string role;                                    // "input" in "Q(input)[...]"; empty if not given
};

struct Einsum {
  std::string name;
  Node node;
  std::vector<Tensor> tensors;
  bool is_product = true;  // false for a sum of tensors
};

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

class AccelForgeNetworkReader {
 public:
  AccelForgeNetworkReader(Notes& notes, Reading& reading) : notes_(notes), reading_(reading) {}

  Json read(const Node& root) {
    constexpr std::array<std::string_view, 3> top = {"workload", "renames", "arch"};
    notes_.leave_out_others(root, "", top);
    const Node workload = *root.find("workload");
    const auto list = require(workload, "einsums", "workload", reading_);
    if (!list) return {};
    notes_.leave_out_others(workload, "workload", known_workload);
    read_sizes(workload);
    for (const std::string_view key : {"iteration_space_shape", "shape"})  // older files use "shape"
      if (const auto shape = workload.find(key)) read_shape(*shape, variables_);
    for (const Node& node : read_list(*list, "einsums", 1, most_einsums, reading_)) {
      if (reading_.failed()) return {};
      einsums_.push_back(read_einsum(node));
      for (const Tensor& tensor : einsums_.back().tensors)
        if (tensor.is_output) made_.insert(tensor.name);
    }
    if (root.find("renames"))
      notes_.leave_out("renames",
                       "of two inputs, I is the one that another Einsum computes, otherwise the first");
    Json layers = Json::array();
    std::map<std::string, Int> unmapped;
    for (const Einsum& einsum : einsums_) {
      if (reading_.failed()) return {};
      const auto inputs = std::count_if(einsum.tensors.begin(), einsum.tensors.end(),
                                        [](const Tensor& tensor) { return !tensor.is_output; });
      if (inputs == 2 && einsum.tensors.size() == 3 && einsum.is_product)
        layers.push_back(layer(einsum));
      else
        ++unmapped[einsum.name];
    }
    if (layers.empty()) reading_.fail(*list, "no Einsum is a product of two tensors");
    return network_json(std::move(layers), unmapped);
  }

 private:
  void read_sizes(const Node& workload) {
    const auto sizes = workload.find("rank_sizes");
    for (std::size_t i = 0; sizes && sizes->is_map() && i < sizes->size(); ++i)
      ranks_[std::string(sizes->key(i).text())] =
          read_whole(sizes->value(i), fmt::format("size of rank {}", quote(sizes->key(i).text())),
                     bound_range, reading_);
    const auto bits = workload.find("bits_per_value");
    for (std::size_t i = 0; bits && bits->is_map() && i < bits->size(); ++i)
      bits_[std::string(bits->key(i).text())] =
          read_whole(bits->value(i), "bits_per_value", {1, 1024}, reading_);
  }

  // Reads bounds such as "0 <= m < 128", in a list or under the variable's name.
  void read_shape(const Node& shape, std::map<std::string, Int>& variables) {
    const std::size_t count = shape.is_scalar() ? 1 : shape.size();
    for (std::size_t i = 0; i < count && !reading_.failed(); ++i) {
      const Node item = shape.is_map() ? shape.value(i) : shape.is_list() ? shape.item(i) : shape;
      Scanner scanner(item.text());
      const auto low = scanner.number();
      const bool inclusive = low && scanner.accept("<=");
      const auto name = inclusive ? scanner.word() : std::string();
      const auto high = !name.empty() && scanner.accept("<") ? scanner.number() : std::nullopt;
      if (!high || !scanner.at_end() || *high <= *low || *high - *low > bound_range.high)
        reading_.fail(item,
                      fmt::format("iteration space {} does not have the form 0 <= m < 128", item.describe()));
      else
        variables[name] = *high - *low;
    }
  }

  Einsum read_einsum(const Node& node) {
    Einsum einsum{"", node, {}, true};
    std::optional<Node> text;
    if (node.is_scalar()) {
      text = node;
    } else {
      notes_.leave_out_others(node, "workload.einsums.*", known_einsum);
      text = node.find("einsum");
      if (!text) read_accesses(node, einsum);
    }
    if (text && !read_text(text->text(), einsum))
      reading_.fail(*text, fmt::format("einsum {} does not have the form O[m, n] = I[m, k] * W[k, n]",
                                       quote(text->text())));
    const auto name = node.find("name");
    if (name) einsum.name = read_title(*name, "name", reading_);
    for (const Tensor& tensor : einsum.tensors)
      if (tensor.is_output && einsum.name.empty()) einsum.name = tensor.name;
    if (einsum.name.empty()) reading_.fail(node, "an Einsum without a name and without an output");
    return einsum;
  }

  void read_accesses(const Node& node, Einsum& einsum) {
    const auto list = require(node, "tensor_accesses", "einsum", reading_);
    if (!list) return;
    for (const Node& item : read_list(*list, "tensor_accesses", 1, 16, reading_)) {
      const auto name = require(item, "name", "tensor", reading_);
      const auto projection = require(item, "projection", "tensor", reading_);
      if (!name || !projection) return;
      notes_.leave_out_others(item, "workload.einsums.*.tensor_accesses.*", known_access);
      Tensor tensor{std::string(name->text()), is_true(item.find("output")), {}, 0, {}};
      if (const auto bits = item.find("bits_per_value"))
        tensor.bits = read_whole(*bits, "bits_per_value", {1, 1024}, reading_);
      if (projection->size() > most_indices)
        reading_.fail(*projection, fmt::format("projection has {} indices, expected at most {}",
                                               projection->size(), most_indices));
      for (std::size_t i = 0; i < projection->size() && !reading_.failed(); ++i) {
        const Node value = projection->is_map() ? projection->value(i) : projection->item(i);
        Scanner scanner(value.text());
        const auto index = scan_index(scanner);
        if (!index || !scanner.at_end()) {
          reading_.fail(value,
                        fmt::format("index {}, expected a variable or a sum of two", value.describe()));
          return;
        }
        const std::string rank =
            projection->is_map() ? std::string(projection->key(i).text()) : upper((*index)[0].dim);
        tensor.indices.emplace_back(rank, *index);
      }
      einsum.tensors.push_back(std::move(tensor));
    }
  }

  // Reads "V[b, m, h] = I[b, m, d] * WV[h, d]", with RANK: variable or RANK=variable where the two names
  // differ.
  static bool read_text(std::string_view text, Einsum& einsum) {
    Scanner scanner(text);
    if (!read_tensor(scanner, einsum, true) || !(scanner.accept("+=") || scanner.accept("="))) return false;
    do {
      if (einsum.tensors.size() == 16) return false;
      Scanner before = scanner;
      bool called = !before.word().empty() && before.accept("(");  // copy(I[b]), but not I(input)[b]
      if (Scanner role = before; called && !role.word().empty() && role.accept(")")) called = false;
      if (called) scanner = before;
      if (!read_tensor(scanner, einsum, false) || (called && !scanner.accept(")"))) return false;
    } while (scanner.accept("*") || another_term(scanner, einsum));
    return scanner.at_end();
  }
  static bool another_term(Scanner& scanner, Einsum& einsum) {
    if (!scanner.accept("+") && !scanner.accept("-")) return false;
    einsum.is_product = false;
    return true;
  }
  static bool read_tensor(Scanner& scanner, Einsum& einsum, bool is_output) {
    Tensor tensor{scanner.word(), is_output, {}, 0, {}};
    if (scanner.accept("(")) {
      tensor.role = scanner.word();
      if (!scanner.accept(")")) return false;
    }
    if (tensor.name.empty() || !scanner.accept("[")) return false;
    do {
      Scanner ahead = scanner;
      std::string rank = ahead.word();
      if (ahead.accept(":") || ahead.accept("="))
        scanner = ahead;
      else
        rank.clear();
      const auto index = scan_index(scanner);
      if (!index || tensor.indices.size() == most_indices) return false;
      tensor.indices.emplace_back(rank.empty() ? upper((*index)[0].dim) : rank, *index);
    } while (scanner.accept(","));
    if (!scanner.accept("]")) return false;
    einsum.tensors.push_back(std::move(tensor));
    return true;
  }

  // Returns the bound of a variable: its own bound, the size of the rank with its name, or the size of a rank
  // that it indexes alone.
  std::optional<Int> bound_of(const Einsum& einsum, const std::map<std::string, Int>& own,
                              const std::string& variable) {
    for (const auto* const shapes : {&own, static_cast<const std::map<std::string, Int>*>(&variables_)})
      if (const auto found = shapes->find(variable); found != shapes->end()) return found->second;
    if (const auto found = ranks_.find(upper(variable)); found != ranks_.end()) return found->second;
    for (const Tensor& tensor : einsum.tensors)
      for (const auto& [rank, index] : tensor.indices)
        if (index.size() == 1 && index[0].dim == variable && ranks_.contains(rank)) return ranks_.at(rank);
    return std::nullopt;
  }

  Json layer(const Einsum& einsum) {
    std::map<std::string, Int> own;
    if (const auto shape = einsum.node.find("iteration_space_shape")) read_shape(*shape, own);
    const auto order = operands_of(einsum);
    Equation equation;
    Json bits = {{"I", 8}, {"W", 8}, {"O", 8}, {"psum", 32}};
    for (const Operand operand : all_operands) {
      const Tensor& tensor = einsum.tensors[order[index_of(operand)]];
      for (const auto& [rank, index] : tensor.indices) {
        equation.operands[index_of(operand)].push_back(index);
        for (const Term& term : index) {
          if (equation.bound(term.dim) != nullptr) continue;
          if (const auto bound = bound_of(einsum, own, term.dim))
            equation.bounds.emplace_back(term.dim, *bound);
        }
      }
      if (const Int width = width_of(tensor); width != 0) bits[std::string(1, letter(operand))] = width;
    }
    if (reading_.failed()) return {};
    notes_.leave_out("workload.bits_per_value",
                     "partial sums have no width in this format; 32 bits here, or --bits");
    std::string why;
    Json json = layer_of(equation, einsum.name, notes_, why);
    if (!why.empty()) reading_.fail(einsum.node, fmt::format("einsum {}: {}", quote(einsum.name), why));
    json["name"] = einsum.name;
    json["bits"] = bits;
    if (made_.contains(einsum.tensors[order[index_of(Operand::W)]].name)) json["activation_product"] = true;
    return json;
  }

  Int width_of(const Tensor& tensor) const {
    if (tensor.bits != 0) return tensor.bits;
    for (const std::string& name : {tensor.name, std::string("All")})
      if (const auto found = bits_.find(name); found != bits_.end()) return found->second;
    return 0;
  }

  // Returns the indices of the tensors in the order I, W, O.
  std::array<std::size_t, operand_count> operands_of(const Einsum& einsum) {
    std::array<std::size_t, operand_count> order{};
    std::vector<std::size_t> inputs;
    for (std::size_t t = 0; t < einsum.tensors.size(); ++t)
      einsum.tensors[t].is_output ? void(order[index_of(Operand::O)] = t) : inputs.push_back(t);
    const Tensor& first = einsum.tensors[inputs[0]];
    const Tensor& second = einsum.tensors[inputs[1]];
    bool swapped = !made_.contains(first.name) && made_.contains(second.name);
    if (first.role == "weight" || second.role == "input") swapped = true;
    if (first.role == "input" || second.role == "weight") swapped = false;
    const auto renames = einsum.node.find("renames");
    if (const auto input = renames ? renames->find("input") : std::nullopt)
      swapped = input->text() == second.name;
    if (const auto weight = renames ? renames->find("weight") : std::nullopt)
      swapped = weight->text() == first.name;
    order[index_of(Operand::I)] = inputs[swapped ? 1 : 0];
    order[index_of(Operand::W)] = inputs[swapped ? 0 : 1];
    return order;
  }

  Notes& notes_;
  Reading& reading_;
  std::map<std::string, Int> ranks_, variables_, bits_;
  std::vector<Einsum> einsums_;
  std::set<std::string> made_;  // tensors that an Einsum computes
};

}  // namespace

Json read_accelforge_network(const Node& root, Notes& notes, Reading& reading) {
  return AccelForgeNetworkReader(notes, reading).read(root);
}

}  // namespace nestor::io::neighbours
