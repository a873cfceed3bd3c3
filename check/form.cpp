#include "check/form.h"

#include <istream>
#include <set>
#include <string_view>

namespace nestor::check {
namespace {

bool is_printable(const std::string& text, std::size_t longest) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  return !text.empty() && text.size() <= longest && std::none_of(text.begin(), text.end(), is_control);
}

bool is_one_of(std::string_view word, const char* words) {
  const std::string all = std::string(" ") + words + " ";
  return word.find(' ') == std::string_view::npos && !word.empty() &&
         all.find(" " + std::string(word) + " ") != std::string::npos;
}

bool is_integer(const Json& node, Int least, Int most) {
  if (!node.is_number_integer()) return false;
  if (node.is_number_unsigned() && node.get<std::uint64_t>() > static_cast<std::uint64_t>(most)) return false;
  return node.get<Int>() >= least && node.get<Int>() <= most;
}

bool are_letters(const Json& node, const char* all) {
  if (!node.is_array() || node.empty()) return false;
  std::set<std::string> seen;
  return std::all_of(node.begin(), node.end(), [&](const Json& letter) {
    return letter.is_string() && letter.get<std::string>().size() == 1 &&
           std::string_view(all).find(letter.get<std::string>()) != std::string_view::npos &&
           seen.insert(letter.get<std::string>()).second;
  });
}

bool is_of_kind(const Json& node, const Field& field) {
  constexpr std::size_t longest_name = 64;
  constexpr std::size_t longest_title = 1024;
  constexpr double most_amount = 1e30;
  switch (field.kind) {
    case Field::Kind::any:
      return true;
    case Field::Kind::name:
      return node.is_string() && is_printable(node.get<std::string>(), longest_name);
    case Field::Kind::title:
      return node.is_string() && is_printable(node.get<std::string>(), longest_title);
    case Field::Kind::flag:
      return node.is_boolean();
    case Field::Kind::integer:
      return is_integer(node, field.least, field.most);
    case Field::Kind::amount:
      return node.is_number() && node.get<double>() >= 0 && node.get<double>() <= most_amount;
    case Field::Kind::word:
      return node.is_string() && is_one_of(node.get<std::string>(), field.words);
    case Field::Kind::letters:
      return are_letters(node, field.words);
    case Field::Kind::pair:
      return node.is_array() && node.size() == 2 && is_integer(node[0], field.least, field.most) &&
             is_integer(node[1], field.least, field.most);
    case Field::Kind::counts:
      return node.is_object() && std::all_of(node.begin(), node.end(), [&](const Json& count) {
               return is_integer(count, field.least, field.most);
             });
    case Field::Kind::object:
      return node.is_object();
    case Field::Kind::list:
      return node.is_array() && node.size() >= static_cast<std::size_t>(field.least) &&
             node.size() <= static_cast<std::size_t>(field.most);
  }
  return false;
}

void check_field(const Json& node, const Field& field, const std::string& what) {
  if (!is_of_kind(node, field)) {
    const std::string shown = node.is_structured() ? std::string(node.type_name()) : node.dump();
    throw Unreadable(what + ": '" + field.key + "' is " + shown + ", which is not valid");
  }
  if (field.fields.empty()) return;
  if (field.kind == Field::Kind::object) check_form(node, field.fields, field.key);
  if (field.kind == Field::Kind::list)
    for (const Json& entry : node) check_form(entry, field.fields, field.key);
}

}  // namespace

void check_form(const Json& object, Form fields, const std::string& what, bool knows_all) {
  if (!object.is_object()) throw Unreadable(what + " is not an object");
  for (const Field& field : fields) {
    const auto found = object.find(field.key);
    if (found != object.end())
      check_field(*found, field, what);
    else if (field.is_required)
      throw Unreadable(what + ": it has no key '" + field.key + "'");
  }
  if (!knows_all) return;
  for (const auto& entry : object.items())
    if (std::none_of(fields.begin(), fields.end(),
                     [&](const Field& field) { return entry.key() == field.key; }))
      throw Unreadable(what + " has the unknown key '" + entry.key() + "'");
}

Json parse_strictly(std::istream& in) {
  std::vector<std::set<std::string>> open;  // keys of the enclosing objects
  std::string twice;
  const auto watch = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second)
      twice = parsed.get<std::string>();
    return true;
  };
  auto json = Json::parse(in, watch, false);
  if (!json.is_object()) throw Unreadable("it is not a JSON object");
  if (!twice.empty()) throw Unreadable("an object has the key '" + twice + "' twice");
  return json;
}

}  // namespace nestor::check
