// Reader of the text of a stream. It executes the text line by line, and loops trip by trip. The address of
// every burst is computed again in each trip.
#include <algorithm>
#include <array>
#include <charconv>

#include "model/cnm/second_reading/read_listing.h"

namespace nestor::cnm::second {
namespace {

class StreamReader {
 public:
  StreamReader(std::string_view text, const System& system, Int most_groups)
      : system_(system), most_groups_(most_groups) {
    while (!text.empty()) {
      auto line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      line = line.substr(0, line.find(';'));
      std::vector<std::string_view> words;
      while (true) {
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        if (line.empty()) break;
        words.push_back(line.substr(0, line.find(' ')));
        line.remove_prefix(words.back().size());
      }
      if (!words.empty()) lines_.push_back(std::move(words));
    }
  }

  ReadStream run() {
    if (lines_.empty() || lines_[0].size() != 4 || lines_[0][0] != "llvcnm" || lines_[0][3] != "hbm-pim")
      fail("the header is missing");
    std::size_t at = 1;
    walk(at, true);
    if (at < lines_.size()) fail("an unmatched '}'");
    if (!group_.empty()) fail("bursts without a fence after them");
    return std::move(result_);
  }

 private:
  void fail(std::string_view why) {
    if (result_.fault.empty()) result_.fault = "stream: " + std::string(why);
  }
  bool failed() const { return !result_.fault.empty() || result_.too_long; }

  Int number(std::string_view word) {
    Int value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < 0 || value > max_count)
      fail("expected a number, found " + std::string(word));
    return std::clamp<Int>(value, 0, max_count);
  }

  // Returns the value of a sum. Its terms are numbers and multiples of the current trip numbers of
  // surrounding loops.
  Int sum(std::string_view text) {
    Int all = 0;
    while (!text.empty()) {
      auto term = text.substr(0, text.find('+'));
      text.remove_prefix(std::min(term.size() + 1, text.size()));
      Int value = 1;
      if (const auto letter = term.find_first_of("ijklmnopqr"); letter != std::string_view::npos) {
        const auto loop = static_cast<std::size_t>(term[letter] - 'i');
        if (loop >= trips_.size()) fail("no enclosing loop for " + std::string(term));
        value = loop < trips_.size() ? trips_[loop] : 0;
        term = letter == 0 ? std::string_view("1") : term.substr(0, letter - 1);
      }
      const auto product = checked_multiply(number(term), value);
      if (!product || *product > max_count) fail("a row or column is too large");
      all += product.value_or(0);
    }
    return all;
  }

  // Reads up to the closing '}' or the end. If `run` is false, lines are only skipped.
  void walk(std::size_t& at, bool run) {
    for (; at < lines_.size() && lines_[at][0] != "}" && !failed(); ++at) {
      const auto& line = lines_[at];
      if (line[0] == "operand") continue;
      if (line[0] == "loop" && line.size() == 3) {
        repeat(at, number(line[1].substr(1)), run);
      } else if (line[0] == "fence") {
        if (run) close_group();
      } else if ((line[0] == "rd" || line[0] == "wr") && line.size() >= 5) {
        if (run) burst(line);
      } else {
        fail("expected a burst, fence or loop, found " + std::string(line[0]));
      }
    }
  }

  void repeat(std::size_t& at, Int trips, bool run) {
    if (!group_.empty()) fail("a loop inside a group");
    const std::size_t begin = at + 1;
    trips_.push_back(0);
    at = begin;
    if (trips == 0 || !run) walk(at, false);
    for (Int trip = 0; run && trip < trips && !failed(); ++trip) {
      trips_.back() = trip;
      at = begin;
      const std::size_t before = result_.stream.size();
      walk(at, true);
      if (result_.stream.size() == before) break;  // the body is empty
    }
    trips_.pop_back();
    if (at >= lines_.size()) fail("a loop does not end");
  }

  void burst(const std::vector<std::string_view>& line) {
    const Int bank = number(line[1]), count = number(line[4]);
    if (bank >= system_.dram.banks) fail("no such bank");
    if (count < 1 || count > system_.dram.queue) fail("too many bursts for the queue");
    group_.push_back(
        {line[0] == "wr", bank, count, sum(line[2]) * system_.pim.row_bursts + sum(line[3]), {}});
  }

  void close_group() {
    if (group_.empty()) return fail("a fence without a burst before it");
    result_.stream.push_back({-1, std::move(group_), {}});
    group_.clear();
    result_.too_long = static_cast<Int>(result_.stream.size()) > most_groups_;
  }

  const System& system_;
  const Int most_groups_;
  std::vector<std::vector<std::string_view>> lines_;
  std::vector<Int> trips_;  // current trip number of each surrounding loop, outermost first
  std::vector<Access> group_;
  ReadStream result_;
};

}  // namespace

ReadStream read_stream(std::string_view text, const System& system, Int most_groups) {
  return StreamReader(text, system, most_groups).run();
}

}  // namespace nestor::cnm::second
