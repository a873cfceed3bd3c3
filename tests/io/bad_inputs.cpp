#include "io/bad_inputs.h"

#include <map>
#include <sstream>

namespace nestor::tests {
namespace {

struct Kind {
  std::string default_file;
  BadInputReader reader;
};

// Static objects fill these tables in their constructors. A static local of a function is created at the
// first call, so the table exists by then.
std::map<std::string, Kind>& kinds() {
  static std::map<std::string, Kind> all;
  return all;
}
std::map<std::string, std::function<std::string()>>& generators() {
  static std::map<std::string, std::function<std::string()>> all;
  return all;
}

std::string from_hex(const std::string& text) {
  std::string bytes;
  std::istringstream words(text);
  for (std::string word; words >> word;) bytes += static_cast<char>(std::stoi(word, nullptr, 16));
  return bytes;
}

class Parser {
 public:
  explicit Parser(std::string name) : name_(std::move(name)) {}

  std::vector<BadInputCase> parse(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      ++number_;
      if (line.starts_with("=== "))
        start(line.substr(4));
      else if (line.starts_with(">>> "))
        current().expected = line.substr(4);
      else if (!current().expected.empty() || cases_.empty())
        continue;  // skip blank lines and remarks between cases
      else
        add(line);
    }
    std::erase_if(cases_, [](const BadInputCase& bad) { return bad.kind == "base"; });
    return std::move(cases_);
  }

 private:
  BadInputCase& current() {
    if (cases_.empty()) cases_.push_back({name_, "base", "", "", "", ""});
    return cases_.back();
  }

  void malformed(const std::string& why) {
    current().kind = "malformed";
    current().title = why;
  }

  // Starts a case. `head` is "kind: title", "kind as file: title" or "base name".
  void start(const std::string& head) {
    finish_base();
    cases_.push_back({name_ + ":" + std::to_string(number_), "", "", "", "", ""});
    auto& fresh = cases_.back();
    if (head.starts_with("base ")) {
      fresh.kind = "base";
      fresh.title = head.substr(5);
      return;
    }
    const auto colon = head.find(": ");
    if (colon == std::string::npos) return malformed("no ': ' in " + head);
    fresh.title = head.substr(colon + 2);
    fresh.kind = head.substr(0, colon);
    if (const auto as = fresh.kind.find(" as "); as != std::string::npos) {
      fresh.file = fresh.kind.substr(as + 4);
      fresh.kind.resize(as);
    }
    const auto kind = kinds().find(fresh.kind);
    if (kind == kinds().end()) return malformed("unknown kind " + fresh.kind);
    if (fresh.file.empty()) fresh.file = kind->second.default_file;
  }

  void finish_base() {
    if (!cases_.empty() && cases_.back().kind == "base") bases_[cases_.back().title] = cases_.back().input;
  }

  void add(const std::string& line) {
    auto& input = current().input;
    const auto space = line.find(' ');
    const auto directive = line.substr(0, space);
    const auto rest = space == std::string::npos ? "" : line.substr(space + 1);
    if (directive == "@use") {
      if (!bases_.contains(rest)) return malformed("no base " + rest);
      input += bases_[rest];
    } else if (directive == "@hex") {
      input += from_hex(rest);
    } else if (directive == "@repeat") {
      const auto gap = rest.find(' ');
      for (int i = std::stoi(rest); i > 0; --i) input += rest.substr(gap + 1);
    } else if (directive == "@generate") {
      if (!generators().contains(rest)) return malformed("no generator " + rest);
      input += generators()[rest]();
    } else if (directive == "@replace") {
      const auto arrow = rest.find(" => ");
      const auto old_text = rest.substr(0, arrow);
      const auto at = input.find(old_text);
      if (arrow == std::string::npos || at == std::string::npos)
        return malformed("nothing to replace: " + rest);
      input.replace(at, old_text.size(), rest.substr(arrow + 4));
    } else {
      input += line + "\n";
    }
  }

  std::string name_;
  int number_ = 0;
  std::vector<BadInputCase> cases_;
  std::map<std::string, std::string> bases_;
};

}  // namespace

BadInputKind::BadInputKind(const std::string& kind, const std::string& default_file, BadInputReader reader) {
  kinds()[kind] = {default_file, std::move(reader)};
}

BadInputGenerator::BadInputGenerator(const std::string& name, std::function<std::string()> generate) {
  generators()[name] = std::move(generate);
}

std::vector<BadInputCase> parse_bad_inputs(const std::string& text, const std::string& name) {
  return Parser(name).parse(text);
}

std::string message_for(const BadInputCase& bad) {
  if (bad.kind == "malformed") return "malformed case: " + bad.title;
  return kinds().at(bad.kind).reader(bad.input, bad.file);
}

}  // namespace nestor::tests
