#include <iostream>

#include "check/json.h"

namespace nestor::check {

int say(const Verdict& verdict, const std::string& name, const std::string& of) {
  const auto& word = verdict.word;
  std::cout << word << std::string(13 - word.size(), ' ') << name << ": " << harmless(verdict.sentence)
            << '\n'
            << (word == "verified"  ? "VERIFIED"
                : word == "REFUTED" ? word
                                    : "NOT ALL CHECKED")
            << ": " << of << '\n';
  return word == "verified" ? 0 : 1;
}

}  // namespace nestor::check
