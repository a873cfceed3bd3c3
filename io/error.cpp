#include "io/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace nestor::io {
namespace {

// Returns the Levenshtein distance, ignoring case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (lower(a[i - 1]) != lower(b[j - 1]) ? 1 : 0);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

// Shortens long words and long runs of blanks, because messages quote the input.
std::string with_short_words(std::string_view message) {
  constexpr std::size_t longest = 200;
  constexpr std::size_t kept = 80;
  constexpr std::string_view blanks = " \t\n";
  std::string text;
  while (!message.empty()) {
    const auto end = std::min(message.find_first_of(blanks), message.size());
    const auto word = message.substr(0, end);
    text += word.substr(0, word.size() > longest ? kept : word.size());
    if (word.size() > longest) text += fmt::format("... ({} more characters)", word.size() - kept);
    const auto next = std::min(message.find_first_not_of(blanks, end), message.size());
    text += message.substr(end, std::min(next - end, kept));
    message.remove_prefix(next);
  }
  return text;
}

}  // namespace

std::string Error::to_string() const {
  std::string text = where.file;
  if (where.line > 0) text += fmt::format(":{}", where.line);
  if (where.line > 0 && where.column > 0) text += fmt::format(":{}", where.column);
  const std::string shown = with_short_words(message);
  return text.empty() ? shown : text + ": " + shown;
}

Error input_error(SourceLocation where, std::string message) {
  return {ErrorKind::input, std::move(where), std::move(message)};
}

Error usage_error(std::string message) { return {ErrorKind::usage, {}, std::move(message)}; }

Error limit_error(std::string message) { return {ErrorKind::limit, {}, std::move(message)}; }

Error infeasible_error(std::string message) { return {ErrorKind::infeasible, {}, std::move(message)}; }

Error internal_error(std::string message) { return {ErrorKind::internal, {}, std::move(message)}; }

std::string_view nearest_word(std::string_view word, const std::vector<std::string_view>& candidates) {
  constexpr std::size_t longest = 64;  // a malicious key must not take quadratic time
  if (word.size() > longest) return {};
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 2) + 1;
  for (const auto candidate : candidates) {
    if (candidate.size() > longest) continue;
    const auto distance = edit_distance(word, candidate);
    if (distance < best_distance && distance < candidate.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string_view>& candidates) {
  const auto nearest = nearest_word(word, candidates);
  return nearest.empty() ? std::string() : fmt::format(" (did you mean '{}'?)", nearest);
}

}  // namespace nestor::io
