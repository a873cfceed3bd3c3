#include "io/cnm/kernel_template.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "io/checked_reader.h"
#include "io/cnm/llvcnm.h"
#include "io/files.h"
#include "io/find_data.h"

namespace nestor::io {
namespace {

using Values = HashMap<std::string, Int>;

// Evaluator of expressions with + - * / % and parentheses over integers and names.
class Expression {
 public:
  Expression(std::string_view text, const Values& values) : text_(text), values_(values) {}

  std::optional<Int> value() {
    const auto result = sum();
    return at_ == text_.size() ? result : std::nullopt;
  }

 private:
  char look() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  std::optional<Int> sum() {
    auto left = product();
    for (char sign = look(); left && (sign == '+' || sign == '-'); sign = look()) {
      ++at_;
      const auto right = product();
      left = right ? checked_add(*left, sign == '+' ? *right : -*right) : std::nullopt;
    }
    return left;
  }
  std::optional<Int> product() {
    auto left = factor();
    for (char sign = look(); left && (sign == '*' || sign == '/' || sign == '%'); sign = look()) {
      ++at_;
      const auto right = factor();
      if (!right || (sign != '*' && *right <= 0)) return std::nullopt;
      left = sign == '*' ? checked_multiply(*left, *right) : sign == '/' ? *left / *right : *left % *right;
    }
    return left;
  }
  std::optional<Int> factor() {
    if (look() == '(') {
      ++at_;
      const auto inner = sum();
      if (look() != ')') return std::nullopt;
      ++at_;
      return inner;
    }
    const auto begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0)) ++at_;
    const auto word = text_.substr(begin, at_ - begin);
    if (const auto known = values_.find(word); known != values_.end()) return known->second;
    return to_integer(word);
  }

  std::string_view text_;
  const Values& values_;
  std::size_t at_ = 0;
};

constexpr std::string_view gemm_prefix = "gemm_n";

std::filesystem::path kernel_folder() { return data_directory() / "cnm" / "kernels"; }

std::string file_stem(const std::string& name) {
  return name.substr(0, gemm_prefix.size()) == gemm_prefix ? "gemm" : name;
}

std::vector<std::string> shipped_kernels() {
  std::vector<std::string> names;
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator(kernel_folder(), code))
    if (entry.path().extension() == ".llvcnm") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

// Tables refer to a kernel hundreds of times, so each file is read only once.
Result<std::string> kernel_text(const std::string& stem) {
  static std::mutex mutex;
  static HashMap<std::string, std::string> known;
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(stem); found != known.end()) return found->second;
  auto text = read_file(kernel_folder() / (stem + ".llvcnm"));
  if (text) known.emplace(stem, *text);
  return text;
}

}  // namespace

Result<cnm::Type> data_type_named(std::string_view word) {
  using cnm::Type;
  constexpr std::array<std::pair<std::string_view, Type>, 22> words = {
      {{"uint8", Type::i8},   {"int8", Type::i8},   {"i8", Type::i8},      {"u8", Type::i8},
       {"uint16", Type::i16}, {"int16", Type::i16}, {"i16", Type::i16},    {"u16", Type::i16},
       {"uint32", Type::i32}, {"int32", Type::i32}, {"i32", Type::i32},    {"u32", Type::i32},
       {"uint64", Type::i64}, {"int64", Type::i64}, {"i64", Type::i64},    {"u64", Type::i64},
       {"float", Type::f32},  {"f32", Type::f32},   {"double", Type::f64}, {"f64", Type::f64},
       {"f16", Type::f16},    {"bf16", Type::bf16}}};
  std::vector<std::string_view> names;
  for (const auto& [name, type] : words) {
    if (name == word) return type;
    names.push_back(name);
  }
  return input_error({},
                     fmt::format("expected a data type, found {}{}", quote(word), suggestion(word, names)));
}

bool is_built_in_kernel(const std::string& name) {
  const auto names = shipped_kernels();
  return std::binary_search(names.begin(), names.end(), file_stem(name));
}

std::string dims_of_kernel(const std::string& name) {
  const auto text = kernel_text(file_stem(name));
  if (!text) return {};
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> optional = {
      {{"it", "iterations=N,"}, {"cols", "cols=N,"}}};
  std::string dims;
  for (const auto& [variable, words] : optional) {
    const auto is_letter = [&](std::size_t i) {
      return i < text->size() && std::isalnum(static_cast<unsigned char>((*text)[i])) != 0;
    };
    // Searches the template for an expression that uses the variable, such as $(it$) or $(cols/n$).
    for (auto at = text->find("$("); at != std::string::npos; at = text->find("$(", at + 1)) {
      const auto end = std::min(text->find("$)", at), text->size());
      const auto found = text->find(variable, at);
      if (found < end && !is_letter(found - 1) && !is_letter(found + variable.size())) {
        dims += words;
        break;
      }
    }
  }
  return dims + "buffer_elems=N,tasklets=T";
}

Result<std::string> fill_template(std::string_view text, const std::string& file, const Values& values,
                                  std::string_view type) {
  std::string filled;
  int line = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    line += static_cast<int>(text[i] == '\n');
    if (text[i] != '$') {
      filled += text[i];
      continue;
    }
    if (text.substr(i + 1, 1) == "t") {
      filled += type;
      ++i;
      continue;
    }
    const bool condition = text.substr(i + 1, 2) == "if";
    if (condition) i += 2;
    const auto close = text.find("$)", i);
    const auto end = close == std::string_view::npos ? text.find('\n', i) : close;
    const auto value = text.substr(i + 1, 1) == "(" && close != std::string_view::npos
                           ? Expression(text.substr(i + 2, close - i - 2), values).value()
                           : std::nullopt;
    if (!value)
      return input_error({file, line, 0}, fmt::format("expected a value in a kernel's dimensions, found {}",
                                                      quote(text.substr(i, end - i))));
    i = close + 1;
    if (!condition)
      filled += fmt::format("{}", *value);
    else if (*value == 0)
      i = std::min(text.find('\n', i), text.size()) - 1;
  }
  return filled;
}

Result<cnm::Listing> built_in_kernel(const std::string& name, const KernelDims& dims) {
  const auto stem = file_stem(name);
  if (!is_built_in_kernel(name)) {
    const auto names = shipped_kernels(), networks = shipped_names(DataKind::network);
    std::vector<std::string_view> candidates(names.begin(), names.end());
    candidates.insert(candidates.end(), networks.begin(), networks.end());
    return input_error({},
                       fmt::format("no kernel or network {}{}, expected a file (.mlir, .cnm, .llvcnm, .s), a "
                                   "kernel ({}) or a network ({})",
                                   quote(name), suggestion(name, candidates), fmt::join(names, ", "),
                                   fmt::join(networks, ", ")));
  }
  const auto text = kernel_text(stem);
  if (!text) return text.error();
  Int columns = 0;
  if (stem == "gemm") {
    const auto given = to_integer(std::string_view(name).substr(std::min(name.size(), gemm_prefix.size())));
    if (!given || *given < 1 || *given > 1'000'000'000)
      return input_error(
          {}, fmt::format("expected a number of columns in the kernel's name (such as gemm_n64), found {}",
                          quote(name)));
    columns = *given;
  }
  const Int bytes = cnm::bytes_of(dims.type);
  const Values values = {{"n", dims.buffer_elems},    {"s", bytes},   {"it", dims.iterations},
                         {"cols", dims.cols},         {"N", columns}, {"T", dims.tasklets},
                         {"wide", bytes == 8 ? 1 : 0}};
  const auto file = stem + ".llvcnm";
  const auto filled = fill_template(*text, file, values, cnm::element_types.word(dims.type));
  if (!filled) return filled.error();
  return parse_llvcnm(*filled, file);
}

}  // namespace nestor::io
