// Results with one random change: a value is changed, dropped, doubled or exchanged between layers.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"

namespace nestor::tests {

using Json = nlohmann::ordered_json;

/// A changed document, the kind of change, and the changed place: its keys ("layers[].search.nodes") and its
/// JSON pointer.
struct Forgery {
  std::string action;
  std::string path;
  Json document;
  Json::json_pointer at{};
};

// A place in a document, as a JSON pointer and as its keys alone.
struct Place {
  Json::json_pointer at;
  std::string path;
};
inline void collect(const Json& node, const Place& here, std::vector<Place>& places) {
  if (node.is_object())
    for (const auto& [key, value] : node.items()) {
      const Place next{here.at / key, here.path.empty() ? key : here.path + "." + key};
      places.push_back(next);
      collect(value, next, places);
    }
  if (node.is_array())
    for (std::size_t i = 0; i < node.size(); ++i) {
      const Place next{here.at / i, here.path + "[]"};
      places.push_back(next);
      collect(node[i], next, places);
    }
}

inline Json changed(const Json& value, Random& random) {
  if (value.is_boolean()) return !value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>() + (random.below(2) == 0 ? 1 : -1);
  if (value.is_number()) return value.get<double>() * (random.below(2) == 0 ? 2.0 : 0.5);
  const std::vector<std::string> words = {"optimal", "infeasible", "time_limit", "energy", "latency",
                                          "miredo",  "zzz",        "0.0.9",      "conv",   "simulate"};
  return words[random.below(words.size())];
}

// Draws a place and a change. Returns nullopt if the change does not apply to the place.
inline std::optional<Forgery> forge(const Json& original, const std::vector<Place>& places, Random& random) {
  const Place& place = places[random.below(places.size())];
  Forgery forgery{"", place.path, original, place.at};
  const auto parent = place.at.parent_pointer();
  Json& holder = forgery.document[parent];
  Json& value = forgery.document[place.at];
  switch (random.below(4)) {
    case 0:
      if (value.is_structured()) return std::nullopt;
      forgery.action = "changed";
      value = changed(value, random);
      break;
    case 1:
      forgery.action = "dropped";
      if (holder.is_array())
        holder.erase(std::stoul(place.at.back()));
      else
        holder.erase(place.at.back());
      break;
    case 2:
      if (!holder.is_array()) return std::nullopt;
      forgery.action = "doubled";
      holder.push_back(Json(value));
      break;
    default: {
      const auto text = place.at.to_string();
      if (!text.starts_with("/layers/0/")) return std::nullopt;
      const Json::json_pointer other("/layers/2" + text.substr(std::string("/layers/0").size()));
      if (!forgery.document.contains(other)) return std::nullopt;
      forgery.action = "exchanged";
      std::swap(value, forgery.document[other]);
    }
  }
  return forgery;
}

// Returns the paths of the values in which a forged document differs.
inline std::vector<std::string> changed_paths(const Json& honest, const Json& forged) {
  std::vector<std::string> paths;
  for (const Json& change : Json::diff(honest, forged)) {
    std::string path;
    for (Json::json_pointer at(change["path"].get<std::string>()); !at.empty(); at.pop_back()) {
      const std::string& key = at.back();
      const bool is_index = honest[at.parent_pointer()].is_array();
      path = (is_index ? "[]" : "." + key) + path;
    }
    paths.push_back(path.substr(path.starts_with('.') ? 1 : 0));
  }
  return paths;
}

// True if an entry such as "layers[].search (...)" names the changed place or a part of the document that
// contains it.
inline bool is_named(const std::vector<std::string>& not_checked, const std::string& path) {
  const auto covers = [&](std::string_view entry) {
    return !entry.empty() && path.starts_with(entry) &&
           (path.size() == entry.size() || path[entry.size()] == '.' || path[entry.size()] == '[');
  };
  return std::any_of(not_checked.begin(), not_checked.end(), [&](const std::string& entry) {
    auto list = entry.substr(0, std::min(entry.find(" ("), entry.find(" of ")));
    std::erase_if(list, [](char c) { return c >= '0' && c <= '9'; });  // "inputs[2]" becomes "inputs[]"
    for (std::size_t begin = 0; begin <= list.size();) {
      const auto end = std::min(list.find(", ", begin), list.size());
      if (covers(std::string_view(list).substr(begin, end - begin))) return true;
      begin = end + 2;
    }
    return false;
  });
}

}  // namespace nestor::tests
