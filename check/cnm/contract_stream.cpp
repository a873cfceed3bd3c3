// Reader of the text of HBM-PIM streams ("llvcnm" in docs/models/cnm.md). It executes the text line by line,
// and loops trip by trip.
#include <algorithm>

#include "check/cnm/contract_channel.h"
#include "check/cnm/contract_text.h"

namespace nestor::check::cnm {
namespace {

constexpr std::size_t most_bursts = 1'000'000;  // of a group

class StreamReader {
 public:
  StreamReader(std::string_view text, const PimMachine& machine,
               const std::function<void(const Group&)>& take)
      : machine_(machine), take_(take), lines_(lines_of(text, " ")) {}

  void run() {
    if (lines_.empty() || lines_[0].size() != 4 || lines_[0][0] != "llvcnm" || lines_[0][3] != "hbm-pim")
      refuse_text("the header is missing");
    std::size_t at = 1;
    walk(at, true);
    if (at < lines_.size()) refuse_text("an unmatched '}'");
    if (!group_.empty()) refuse_text("bursts without a fence after them");
  }

 private:
  // Returns the value of a sum of numbers and of multiples of the trip numbers of surrounding loops.
  Int sum(std::string_view text) const {
    Int all = 0;
    if (text.ends_with('+')) refuse_text("a sum has an empty term");
    while (!text.empty()) {
      auto term = text.substr(0, text.find('+'));
      text.remove_prefix(std::min(term.size() + 1, text.size()));
      Int value = 1;
      if (const auto letter = term.find_first_of("ijklmnopqr"); letter != std::string_view::npos) {
        const auto loop = static_cast<std::size_t>(term[letter] - 'i');
        if (loop >= trips_.size()) refuse_text("no loop surrounds " + harmless(std::string(term)));
        value = trips_[loop];
        term = letter == 0 ? std::string_view("1") : term.substr(0, letter - 1);
      }
      all = plus(all, times(number_of(term), value));
    }
    return all;
  }

  // Reads up to the closing '}' or the end. If `runs` is false, lines are only skipped.
  void walk(std::size_t& at, bool runs) {
    for (; at < lines_.size() && lines_[at][0] != "}"; ++at) {
      const auto& line = lines_[at];
      if (line[0] == "operand") continue;
      if (line[0] == "loop" && line.size() == 3 && line[2] == "{") {
        repeat(at, number_of(line[1].substr(1)), runs);
      } else if (line[0] == "fence" && line.size() == 1) {
        if (runs) close_group();
      } else if ((line[0] == "rd" || line[0] == "wr") && line.size() == 6) {
        if (runs) add_bursts(line);
      } else {
        refuse_text("expected a burst, a fence or a loop, found " + harmless(std::string(line[0])));
      }
    }
  }

  void repeat(std::size_t& at, Int trips, bool runs) {
    if (!group_.empty()) refuse_text("a loop inside a group");
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
    if (at >= lines_.size()) refuse_text("a loop does not end");
  }

  void add_bursts(const Words& line) {
    const Int bank = number_of(line[1]), count = number_of(line[4]);
    if (bank >= machine_.banks) refuse_text("no such bank");
    if (count < 1 || count > machine_.queue) refuse_text("too many bursts for the queue");
    const Int column = plus(times(sum(line[2]), machine_.row_bursts), sum(line[3]));
    if (group_.size() > most_bursts) refuse_text("a group has too many bursts");
    for (Int i = column; i < column + count; ++i)
      group_.push_back({line[0] == "wr", bank, i / machine_.row_bursts, i % machine_.row_bursts});
  }
  void close_group() {
    if (group_.empty()) refuse_text("a fence without a burst before it");
    take_(group_);
    group_.clear();
    ++groups_;
  }

  const PimMachine& machine_;
  const std::function<void(const Group&)>& take_;
  const std::vector<Words> lines_;
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
