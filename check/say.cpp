#include <iostream>

#include "check/json.h"

namespace nestor::check {

int say(const Verdict& verdict, const std::string& name, const std::string& of,
        std::string (*quoted)(const std::string&)) {
  const auto& word = verdict.word;
  const auto said = quoted(verdict.sentence);
  std::cout << word << std::string(13 - word.size(), ' ') << name << ": " << said.substr(1, said.size() - 2)
            << '\n'
            << (word == "verified"  ? "VERIFIED"
                : word == "REFUTED" ? word
                                    : "NOT ALL CHECKED")
            << ": " << of << '\n';
  return word == "verified" ? 0 : 1;
}

}  // namespace nestor::check
