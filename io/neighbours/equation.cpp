#include "io/neighbours/equation.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parse_number.h"

namespace nestor::io::neighbours {
namespace {

constexpr Int most = Int{1} << 31;

// Bits of the set of operands to which a dimension is relevant.
constexpr unsigned in_i = 1, in_w = 2, in_o = 4;

class Classifier {
 public:
  Classifier(const Equation& equation, const std::string& path, Notes& notes, std::string& why)
      : equation_(equation), path_(path), notes_(notes), why_(why) {}

  Json layer() {
    for (const auto operand : all_operands)
      for (const Index& index : equation_.operands[index_of(operand)])
        for (const Term& term : index) seen_[term.dim] |= 1U << index_of(operand);
    find_windows();
    for (const auto& [dim, bound] : equation_.bounds) {
      if (!why_.empty()) break;
      if (!placed_.contains(dim)) place(dim, bound);
    }
    Json layer;
    if (!why_.empty()) return layer;
    for (const Dim dim : all_dims)
      if (const auto& names = names_[index_of(dim)]; names.size() > 1)
        notes_.leave_out(path_, fmt::format("dimensions {} are one dimension here, {}",
                                            fmt::join(names, " and "), letter(dim)));
    const Int groups = bounds_[index_of(Dim::G)];
    auto& dims = layer["dims"] = Json::object();
    for (const Dim dim : group_dims) {
      Int bound = bounds_[index_of(dim)];
      if ((dim == Dim::K || dim == Dim::C) && !grow(bound, groups)) return layer;
      if (bound != 1) dims[std::string(1, letter(dim))] = bound;
    }
    layer["stride"] = stride_;
    layer["dilation"] = dilation_;
    if (groups != 1) layer["groups"] = groups;
    return layer;
  }

 private:
  void fail(std::string why) {
    if (why_.empty()) why_ = std::move(why);
  }
  bool grow(Int& value, Int factor) {
    if (value <= most / factor) {
      value *= factor;
      return true;
    }
    fail("a bound is larger than 2^31");
    return false;
  }

  void put(Dim dim, const std::string& name, Int bound) {
    placed_.insert({name, dim});
    if (bound == 1) return;
    grow(bounds_[index_of(dim)], bound);
    names_[index_of(dim)].push_back(name);
  }

  void find_windows() {
    for (const auto operand : all_operands)
      for (const Index& index : equation_.operands[index_of(operand)]) {
        if (index.size() == 1 && (index[0].factor == 1 || operand == Operand::I)) continue;
        if (operand != Operand::I || index.size() != 2)
          return fail(
              fmt::format("an index of {} is a sum or a product, expected a dimension", letter(operand)));
        const auto sees = [&](const Term& term) { return seen_[term.dim]; };
        const bool first_is_output = sees(index[0]) == (in_i | in_o);
        const Term& output = index[first_is_output ? 0 : 1];
        const Term& kernel = index[first_is_output ? 1 : 0];
        if (sees(output) != (in_i | in_o) || sees(kernel) != (in_i | in_w))
          return fail(
              fmt::format("the index {} + {} of I is not a window of an output and a kernel dimension",
                          index[0].dim, index[1].dim));
        put_window(output, kernel);
      }
    // A plain index with a stride is a window with a kernel of one element.
    for (const Index& index : equation_.operands[index_of(Operand::I)])
      if (index.size() == 1 && index[0].factor != 1) put_window(index[0], {});
  }

  void put_window(const Term& output, const Term& kernel) {
    if (!why_.empty()) return;
    if (placed_.contains(output.dim) || placed_.contains(kernel.dim))
      return fail(fmt::format("dimension {} is in two indices of I", output.dim));
    if (seen_[output.dim] != (in_i | in_o))
      return fail(fmt::format("dimension {} has a factor in I, but does not index the output", output.dim));
    const Int* const bound = equation_.bound(output.dim);
    const Int* const size = kernel.dim.empty() ? nullptr : equation_.bound(kernel.dim);
    if (bound == nullptr || (size == nullptr && !kernel.dim.empty()))
      return fail(fmt::format("the bound of {} is not given", bound == nullptr ? output.dim : kernel.dim));
    std::size_t window = is_among_q(output.dim) ? 1 : 0;
    if (windows_[window]) window = 1 - window;
    if (windows_[window]) return fail("more than two indices of I are windows");
    windows_[window] = true;
    put(window == 0 ? Dim::P : Dim::Q, output.dim, *bound);
    stride_[window] = output.factor;
    if (size == nullptr) return;
    put(window == 0 ? Dim::R : Dim::S, kernel.dim, *size);
    dilation_[window] = kernel.factor;
  }

  static bool is_among_q(const std::string& dim) { return dim == "ox" || lower(dim) == "q"; }

  void place(const std::string& dim, Int bound) {
    const auto found = seen_.find(dim);
    switch (found == seen_.end() ? 0 : found->second) {
      case in_i | in_o:
        return put(position(dim), dim, bound);
      case in_w | in_o:
        return put(Dim::K, dim, bound);
      case in_i | in_w:
        return put(Dim::C, dim, bound);
      case in_i | in_w | in_o:
        return put(Dim::G, dim, bound);
      default:
        if (bound != 1)
          fail(fmt::format("dimension {} is in {} of I, W and O, expected at least two", dim,
                           found == seen_.end() ? "none" : "one"));
    }
  }

  // Returns a dimension for a position or the batch. Without windows, these dimensions are interchangeable,
  // so any free dimension can be used.
  Dim position(const std::string& dim) {
    const auto name = lower(dim);
    const auto is_free = [&](Dim each) {
      const std::size_t window = each == Dim::P ? 0 : 1;
      return (each == Dim::N || !windows_[window]) && names_[index_of(each)].empty();
    };
    const Dim wanted = name == "b" || name == "n"    ? Dim::N
                       : name == "oy" || name == "p" ? Dim::P
                       : name == "ox" || name == "q" ? Dim::Q
                                                     : Dim::P;
    for (const Dim each : {wanted, Dim::P, Dim::Q, Dim::N})
      if (is_free(each)) return each;
    return Dim::N;
  }

  const Equation& equation_;
  const std::string& path_;
  Notes& notes_;
  std::string& why_;
  std::map<std::string, unsigned> seen_;
  std::map<std::string, Dim> placed_;
  Extents bounds_ = unit_extents;
  std::array<std::vector<std::string>, dim_count> names_;
  std::array<bool, 2> windows_{};
  std::array<Int, 2> stride_ = {1, 1}, dilation_ = {1, 1};
};

}  // namespace

const Int* Equation::bound(std::string_view dim) const {
  const auto found =
      std::find_if(bounds.begin(), bounds.end(), [&](const auto& each) { return each.first == dim; });
  return found == bounds.end() ? nullptr : &found->second;
}

Json layer_of(const Equation& equation, const std::string& path, Notes& notes, std::string& why) {
  for (const auto& operand : equation.operands)
    for (const Index& index : operand)
      for (const Term& term : index)
        if (equation.bound(term.dim) == nullptr) {
          why = fmt::format("the bound of {} is not given", term.dim);
          return {};
        }
  return Classifier(equation, path, notes, why).layer();
}

void Scanner::skip() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
}

bool Scanner::accept(std::string_view mark) {
  skip();
  if (!text_.substr(at_).starts_with(mark)) return false;
  at_ += mark.size();
  return true;
}

std::string Scanner::word() {
  skip();
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto begin = at_;
  if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) return {};
  while (at_ < text_.size() && is_part(text_[at_])) ++at_;
  return std::string(text_.substr(begin, at_ - begin));
}

std::optional<Int> Scanner::number() {
  skip();
  const auto begin = at_;
  while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
  return parse_number<Int>(text_.substr(begin, at_ - begin));
}

bool Scanner::at_end() {
  skip();
  return at_ == text_.size();
}

std::optional<Index> scan_index(Scanner& scanner) {
  Index index;
  do {
    Term term;
    const auto before = scanner.number();
    if (before && !scanner.accept("*")) return std::nullopt;
    term.dim = scanner.word();
    if (term.dim.empty()) return std::nullopt;
    std::optional<Int> after;
    if (scanner.accept("*")) {
      after = scanner.number();
      if (before || !after) return std::nullopt;
    }
    term.factor = before ? *before : after.value_or(1);
    if (term.factor < 1 || term.factor > most) return std::nullopt;
    index.push_back(std::move(term));
  } while (index.size() < 8 && scanner.accept("+"));
  return index;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

}  // namespace nestor::io::neighbours
