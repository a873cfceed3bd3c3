#include "report/proof_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/checked.h"
#include "model/loopnest/capacity.h"
#include "report/keys/common.h"
#include "report/keys/proof.h"
#include "report/proof_words.h"

namespace nestor::report {
namespace {

// The placed loops of a nest, and the memories of its operands.
struct Place {
  Extents loops{};
  std::array<std::uint8_t, operand_count> at{};
};

std::string factors_text(const Extents& factors) {
  std::string text;
  for (const Dim dim : all_dims)
    if (const Int factor = factors[index_of(dim)]; factor != 1)
      text += fmt::format("{}{} {}", text.empty() ? "" : " ", letter(dim), factor);
  return text.empty() ? "-" : text;
}

class Dump {
 public:
  Dump(io::ProofReader& reader, const TextSink& sink, bool is_inward)
      : reader_(reader), sink_(sink), is_inward_(is_inward) {}

  io::Result<bool> run(const io::Json& head) {
    if (!read_names(head)) return false;
    std::string objective = proof_word(head, key::objective);
    for (const auto* const weight : key::weight_names)
      if (head.contains(weight)) objective += fmt::format(", {} {}", weight, proof_word(head, weight));
    if (head.contains(key::pad)) objective += fmt::format(", pad {}", proof_word(head, key::pad));
    const bool has_models = head.contains(key::latency_model);
    print("proof of {} on '{}'{}{}\n", objective, proof_word(head, key::architecture),
          has_models ? ", latency model " : "", has_models ? proof_word(head, key::latency_model) : "");
    while (true) {
      const auto layer = reader_.layer();
      if (!layer) return layer.error();
      if (!*layer) return true;
      print("\nlayer '{}': {}\n", proof_word(**layer, key::name), claim_text(**layer));
      if (auto error = layer_lists()) return *error;
    }
  }

 private:
  static std::string claim_text(const io::Json& layer) {
    if (const auto front = layer.find(key::front); front != layer.end() && front->is_array())
      return fmt::format("{}, a front of {} points covers every mapping", proof_word(layer, key::status),
                         front->size());
    if (proof_word(layer, key::status) == "infeasible") return "there is no mapping";
    return fmt::format("{}, no mapping costs less than {}", proof_word(layer, key::status),
                       proof_word(layer, key::lower_bound));
  }

  bool read_names(const io::Json& head) {
    const auto strings = [](const io::Json& list, std::vector<std::string>& names) {
      for (const auto& name : list)
        if (name.is_string()) names.push_back(name.get<std::string>());
      return list.is_array() && names.size() == list.size();
    };
    if (!head.contains(key::axes) || !head.contains(key::memories) || !head[key::memories].is_object())
      return false;
    for (const Operand operand : all_operands) {
      const std::string key(1, letter(operand));
      auto& chain = chains_[index_of(operand)];
      if (!head[key::memories].contains(key) || !strings(head[key::memories][key], chain) || chain.empty() ||
          chain.size() > max_memories)
        return false;
    }
    return strings(head[key::axes], axes_);
  }

  io::MaybeError layer_lists() {
    for (std::size_t number = 1;; ++number) {
      const auto choice = reader_.choice(axes_.size());
      if (!choice) return choice.error();
      if (!*choice) return std::nullopt;
      std::string parallel;
      for (std::size_t a = 0; a < axes_.size(); ++a) {
        Extents factors{};
        std::copy_n((*choice)->factors.begin() + static_cast<std::ptrdiff_t>(a * dim_count), dim_count,
                    factors.begin());
        if (const auto text = factors_text(factors); text != "-")
          parallel += fmt::format("{}{} {}", parallel.empty() ? "" : ", ", axes_[a], text);
      }
      print("\nchoice {}: {}, {} nests\n", number, parallel.empty() ? "nothing in parallel" : parallel,
            (*choice)->nests);
      if (auto error = list((*choice)->nests)) return error;
    }
  }

  io::MaybeError list(std::uint64_t nests) {
    if (nests > 0)
      print("{:>7} {:>7}  {:<9} {:<28} {:<12} {:<12} {}\n", "nest", "from", "next loop",
            is_inward_ ? "loops outside" : "loops inside", "I in", "W in", "O in");
    Place root;
    root.loops.fill(1);
    for (std::size_t x = 0; x < operand_count && !is_inward_; ++x)
      root.at[x] = static_cast<std::uint8_t>(chains_[x].size() - 1);
    places_.assign(1, root);
    for (std::uint64_t i = 1; i <= nests; ++i) {
      const auto nest = reader_.nest();
      if (!nest) return nest.error();
      const auto& step = nest->step;
      Place place = places_[nest->parent];
      const auto product = checked_multiply(place.loops[step.dim], step.factor);
      if (!product) return io::input_error({}, "is a damaged proof: a loop is too long");
      place.loops[step.dim] = *product;
      std::array<std::string, operand_count> in;
      for (std::size_t x = 0; x < operand_count; ++x) {
        if (step.moved[x]) {
          const bool leads = is_inward_ ? step.at[x] > place.at[x] : step.at[x] < place.at[x];
          if (!leads || step.at[x] >= chains_[x].size())
            return io::input_error({}, "is a damaged proof: a move has no target");
          place.at[x] = step.at[x];
        }
        in[x] = chains_[x][place.at[x]] + (step.doubled[x] ? " (2)" : "");
      }
      print("{:>7} {:>7}  {:<9} {:<28} {:<12} {:<12} {}\n", i, nest->parent,
            step.factor == 1 ? "-" : fmt::format("{} {}", letter(static_cast<Dim>(step.dim)), step.factor),
            factors_text(place.loops), in[0], in[1], in[2]);
      places_.push_back(place);
    }
    return std::nullopt;
  }

  template <typename... Values>
  void print(fmt::format_string<Values...> format, Values&&... values) {
    sink_(fmt::format(format, std::forward<Values>(values)...));
  }

  io::ProofReader& reader_;
  const TextSink& sink_;
  bool is_inward_;
  std::vector<std::string> axes_;
  std::array<std::vector<std::string>, operand_count> chains_;
  std::vector<Place> places_;
};

}  // namespace

io::Result<bool> dump_nest_proof(io::ProofReader& reader, const io::Json& head, const TextSink& sink,
                                 bool is_inward) {
  return Dump(reader, sink, is_inward).run(head);
}

}  // namespace nestor::report
