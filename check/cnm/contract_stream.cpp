// Reader of the text of HBM-PIM streams ("llvcnm" in docs/models/cnm.md). It executes the text line by line,
// and loops trip by trip.
#include <algorithm>

#include "check/cnm/contract_channel.h"

namespace nestor::check::cnm {
namespace {

constexpr Int largest_number = Int{1} << 50;
constexpr std::size_t most_bursts = 1'000'000;  // of a group
[[noreturn]] void fail(const std::string& why) { throw Unreadable("its stream is invalid: " + why); }

Int stream_number(std::string_view word) {
  const bool is_number =
      !word.empty() && word.size() <= 16 && word.find_first_not_of("0123456789") == std::string_view::npos;
  const Int value = is_number ? std::stoll(std::string(word)) : -1;
  if (!is_number || value > largest_number) fail("expected a number, found " + harmless(std::string(word)));
  return value;
}

class StreamReader {
 public:
  StreamReader(std::string_view text, const PimMachine& machine,
               const std::function<void(const Group&)>& take)
      : machine_(machine), take_(take) {
    while (!text.empty()) {
      auto line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      line = line.substr(0, line.find(';'));
      std::vector<std::string_view> words;
      for (auto begin = line.find_first_not_of(' '); begin != std::string_view::npos;
           begin = line.find_first_not_of(' ')) {
        line.remove_prefix(begin);
        words.push_back(line.substr(0, line.find(' ')));
        line.remove_prefix(words.back().size());
      }
      if (!words.empty()) lines_.push_back(std::move(words));
    }
  }

  void run() {
    if (lines_.empty() || lines_[0].size() != 4 || lines_[0][0] != "llvcnm" || lines_[0][3] != "hbm-pim")
      fail("the header is missing");
    std::size_t at = 1;
    walk(at, true);
    if (at < lines_.size()) fail("an unmatched '}'");
    if (!group_.empty()) fail("bursts without a fence after them");
  }

 private:
  // Returns the value of a sum of numbers and of multiples of the trip numbers of surrounding loops.
  Int sum(std::string_view text) const {
    Int all = 0;
    if (text.ends_with('+')) fail("a sum has an empty term");
    while (!text.empty()) {
      auto term = text.substr(0, text.find('+'));
      text.remove_prefix(std::min(term.size() + 1, text.size()));
      Int value = 1;
      if (const auto letter = term.find_first_of("ijklmnopqr"); letter != std::string_view::npos) {
        const auto loop = static_cast<std::size_t>(term[letter] - 'i');
        if (loop >= trips_.size()) fail("no loop surrounds " + harmless(std::string(term)));
        value = trips_[loop];
        term = letter == 0 ? std::string_view("1") : term.substr(0, letter - 1);
      }
      all = plus(all, times(stream_number(term), value));
    }
    return all;
  }

  // Reads up to the closing '}' or the end. If `runs` is false, lines are only skipped.
  void walk(std::size_t& at, bool runs) {
    for (; at < lines_.size() && lines_[at][0] != "}"; ++at) {
      const auto& line = lines_[at];
      if (line[0] == "operand") continue;
      if (line[0] == "loop" && line.size() == 3 && line[2] == "{") {
        repeat(at, stream_number(line[1].substr(1)), runs);
      } else if (line[0] == "fence" && line.size() == 1) {
        if (runs) close_group();
      } else if ((line[0] == "rd" || line[0] == "wr") && line.size() == 6) {
        if (runs) add_bursts(line);
      } else {
        fail("expected a burst, a fence or a loop, found " + harmless(std::string(line[0])));
      }
    }
  }

  void repeat(std::size_t& at, Int trips, bool runs) {
    if (!group_.empty()) fail("a loop inside a group");
    const std::size_t begin = at + 1;
    trips_.push_back(0);
    at = begin;
    if (trips == 0 || !runs) walk(at, false);
    for (Int trip = 0; runs && trip < trips; ++trip) {
      trips_.back() = trip;
      at = begin;
      const Int before = groups_;
      walk(at, true);
      if (groups_ == before) break;  // the body is empty
    }
    trips_.pop_back();
    if (at >= lines_.size()) fail("a loop does not end");
  }

  void add_bursts(const std::vector<std::string_view>& line) {
    const Int bank = stream_number(line[1]), count = stream_number(line[4]);
    if (bank >= machine_.banks) fail("no such bank");
    if (count < 1 || count > machine_.queue) fail("too many bursts for the queue");
    const Int column = plus(times(sum(line[2]), machine_.row_bursts), sum(line[3]));
    if (group_.size() > most_bursts) fail("a group has too many bursts");
    for (Int i = column; i < column + count; ++i)
      group_.push_back({line[0] == "wr", bank, i / machine_.row_bursts, i % machine_.row_bursts});
  }
  void close_group() {
    if (group_.empty()) fail("a fence without a burst before it");
    take_(group_);
    group_.clear();
    ++groups_;
  }

  const PimMachine& machine_;
  const std::function<void(const Group&)>& take_;
  std::vector<std::vector<std::string_view>> lines_;
  std::vector<Int> trips_;  // trip numbers of the surrounding loops, outermost first
  Group group_;
  Int groups_ = 0;
};

}  // namespace

void read_stream(const std::string& text, const PimMachine& machine,
                 const std::function<void(const Group&)>& take) {
  StreamReader(text, machine, take).run();
}

}  // namespace nestor::check::cnm
