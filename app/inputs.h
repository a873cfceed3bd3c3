// Inputs of verbs, read and checked: networks, and mappings either from a result file or from --arch,
// --layers and --mapping. Each space reads its own mappings.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "io/error.h"
#include "io/onnx/import.h"
#include "io/options.h"
#include "model/workload/network.h"
#include "report/results/result_parts.h"
#include "report/verify/run_claims.h"

namespace nestor::app {

/// Prints on standard error how many parts of another tool's file were not translated, if any.
void remark_untranslated(const std::string& file, std::span<const std::string> untranslated);

/// Reads a layer file, an ONNX model, another tool's network (io/neighbours) or a shipped network.
io::Result<Network> read_network(const std::string& path_or_name, const io::RunOptions& options);

/// Returns the options that apply to an ONNX model.
io::OnnxOptions onnx_options(const io::RunOptions& options);

/// Reads a network with the import options (--bits, --batch, --dim) of the run that wrote a result.
io::Result<Network> read_network_of(const std::string& name, const io::OptionTexts& given);

/// Accepts either a single result file, without options for anything that it contains, or all of --arch,
/// --layers and --mapping.
io::MaybeError check_mapped_inputs(const io::RunOptions& options, io::Verb verb, std::string_view kind);

/// Describes the files of --arch, --layers and --mapping.
std::vector<io::ResultInput> describe_mapped_inputs(const io::RunOptions& options);

/// Returns the mapping that --point or --rank selects for a layer of a result, by default the best mapping.
/// Returns null if the layer has no mapping, or if `show` prints a whole front.
template <typename Point>
io::Result<const Point*> chosen_point(const io::LayerFindings<Point>& record, const io::RunOptions& options,
                                      io::Verb verb) {
  const auto count = [](std::size_t points, const char* word) {
    return fmt::format("{} {}{}", points, word, points == 1 ? "" : "s");
  };
  const auto refusal = [&](const std::string& what) {
    return io::usage_error(fmt::format("layer '{}' {}", record.layer.name, what));
  };
  if (options.is_given("point")) {
    if (record.front.empty()) return refusal("has no front: --point requires a result of --objective pareto");
    if (static_cast<std::size_t>(options.point) > record.front.size())
      return refusal(fmt::format("has a front of {}, --point is {}", count(record.front.size(), "point"),
                                 options.point));
    return &record.front[static_cast<std::size_t>(options.point) - 1];
  }
  if (!record.front.empty()) {
    if (verb == io::Verb::show) return nullptr;
    return refusal(fmt::format("has a front of {}: choose one with --point N (`nestor show` prints them)",
                               count(record.front.size(), "point")));
  }
  if (!record.best.mapping || options.rank == 1) return &record.best;
  if (static_cast<std::size_t>(options.rank) > record.alternatives.size() + 1)
    return refusal(fmt::format("has {}, --rank is {}",
                               count(record.alternatives.size() + 1, "ranked mapping"), options.rank));
  return &record.alternatives[static_cast<std::size_t>(options.rank) - 2];
}

/// Reduces a layer of a result to the selection of chosen_point(): a mapping without its figures, or the
/// front.
template <typename Record>
io::MaybeError keep_chosen(Record& record, const io::RunOptions& options, io::Verb verb) {
  const auto chosen = chosen_point(record, options, verb);
  if (!chosen) return chosen.error();
  Record kept;
  if (*chosen != nullptr) {
    static_cast<io::MappedBounds&>(kept.best) = **chosen;
    kept.best.mapping = (*chosen)->mapping;
  } else {
    kept.front = std::move(record.front);
  }
  kept.layer = std::move(record.layer);
  record = std::move(kept);
  return std::nullopt;
}

/// Keeps only the items with these names (--layer). Without names, it keeps all.
template <typename Item, typename NameOf>
io::MaybeError keep_named(std::vector<Item>& items, const std::string& network,
                          std::span<const std::string> wanted, const NameOf& name_of) {
  if (wanted.empty()) return std::nullopt;
  std::vector<std::string_view> names;
  names.reserve(items.size());
  for (const auto& item : items) names.push_back(name_of(item));
  for (const auto& name : wanted)
    if (std::find(names.begin(), names.end(), name) == names.end())
      return io::usage_error(
          fmt::format("--layer is '{}', no such layer in {}{}", name, network, io::suggestion(name, names)));
  std::erase_if(items, [&](const Item& item) {
    return std::find(wanted.begin(), wanted.end(), name_of(item)) == wanted.end();
  });
  return std::nullopt;
}

io::MaybeError keep_layers(Network& network, std::span<const std::string> names);

}  // namespace nestor::app
