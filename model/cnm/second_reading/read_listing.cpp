#include "model/cnm/second_reading/read_listing.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/parse_number.h"

namespace nestor::cnm::second {
namespace {

constexpr std::size_t most_items = 200'000;
constexpr std::size_t most_passes = 1'000;  // after this number of passes, shares in whole thousandths repeat

using Words = std::vector<std::string_view>;

Words words_of(std::string_view line) {
  Words words;
  const std::string_view gaps = " \t,\r";
  line = line.substr(0, line.find(';'));
  while (true) {
    const auto begin = line.find_first_not_of(gaps);
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const auto end = std::min(line.find_first_of(gaps), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

std::optional<Int> whole(std::string_view text) {
  const auto value = parse_number<Int>(text);
  return value && *value >= 0 && *value <= max_count ? value : std::nullopt;
}

// Converts "0.5" to 500. Returns nothing if there are more than three decimal places.
std::optional<Int> thousandths(std::string_view text) {
  const auto dot = std::min(text.find('.'), text.size());
  const auto ones = whole(text.substr(0, dot));
  std::string places(text.substr(std::min(dot + 1, text.size())));
  if (!ones || places.size() > 3) return std::nullopt;
  places.resize(3, '0');
  const auto rest = whole(places);
  return rest ? std::optional(*ones * 1000 + *rest) : std::nullopt;
}

std::optional<Type> type_named(std::string_view word) {
  return element_types.find(word == "idx" ? "index" : word);
}

class ListingReader {
 public:
  ListingReader(std::string_view text, const System& system, Int tasklets)
      : system_(system), tasklets_(tasklets) {
    while (!text.empty()) {
      const auto end = std::min(text.find('\n'), text.size());
      if (auto words = words_of(text.substr(0, end)); !words.empty()) lines_.push_back(std::move(words));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  ReadListing run() {
    if (tasklets_ < 1 || tasklets_ > system_.levels.back().size) fail("too many tasklets");
    if (lines_.empty() || lines_[0].size() != 4 || lines_[0][0] != "llvcnm" || lines_[0][3] != "upmem")
      fail("the header is missing");
    std::size_t at = 1;
    while (at < lines_.size() && declare(lines_[at])) ++at;
    Shares shares;
    std::size_t instructions = 0;
    bool starting = false;
    for (std::size_t i = at; i < lines_.size(); ++i) {
      const auto word = lines_[i][0];
      if (word.back() == ':') {
        starting = word == "start:";
        continue;
      }
      if (word != "barrier" && word != "leave" && word != "share" && !starting) ++instructions;
      if (starting && lines_[i].back() == "start") starting = false;
    }
    if (result_.fault.empty()) walk(at, lines_.size(), shares, result_.program);
    result_.wram = tasklets_ * (scratch_ + system_.wram.stack) + system_.wram.reserved;
    result_.iram = static_cast<Int>(instructions) * system_.iram_instruction;
    if (result_.wram > system_.wram.capacity) fail("too little WRAM");
    if (result_.mram >= system_.mram_capacity) fail("too little MRAM");
    if (result_.iram > system_.iram_capacity) fail("too many instructions");
    return std::move(result_);
  }

 private:
  // A branch with a share in the current loop: its line, its share, and the amount that is due, in
  // thousandths.
  struct Share {
    std::size_t line = 0;
    Int part = 0;
    Int due = 0;
  };
  using Shares = std::vector<Share>;

  void fail(std::string_view why) {
    if (result_.fault.empty()) result_.fault = "llvcnm: " + std::string(why);
  }
  Int number(std::string_view word) {
    const auto value = whole(word);
    if (!value) fail("expected a number, found " + std::string(word));
    return value.value_or(0);
  }

  // Reads a line that declares an operand, a buffer or the values. Returns false for any other line.
  bool declare(const Words& line) {
    if (line[0] == "values" && line.size() == 2) {
      k_ = number(line[1].substr(line[1].find('=') + 1));
      return true;
    }
    if (line.size() < 5 || (line[0] != "operand" && line[0] != "buffer")) return false;
    const auto type = type_named(line[2]);
    if (!type) return fail("expected a type, found " + std::string(line[2])), true;
    double bytes = static_cast<double>(bytes_of(*type));
    for (std::string_view dims = line[3]; !dims.empty();) {
      const auto end = std::min(dims.find('x'), dims.size());
      bytes *= static_cast<double>(number(dims.substr(0, end)));
      dims.remove_prefix(std::min(end + 1, dims.size()));
    }
    if (bytes > static_cast<double>(max_count)) return fail("too many bytes"), true;
    const Int all = static_cast<Int>(bytes);
    if (line[0] == "buffer")
      scratch_ += all + (8 - all % 8) % 8;
    else
      add_operand(line[4], line.back() == "shared" ? all : all * tasklets_);
    if (scratch_ > max_count || result_.mram > max_count * 64) fail("too many bytes");
    return true;
  }

  void add_operand(std::string_view direction, Int bytes) {
    result_.mram += bytes;
    if (direction != "out") result_.bytes_in += bytes;
    if (direction != "in") result_.bytes_out += bytes;
  }

  std::size_t label(std::string_view name) {
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (lines_[i][0].size() == name.size() + 1 && lines_[i][0].back() == ':' &&
          lines_[i][0].starts_with(name))
        return i;
    fail("unknown label " + std::string(name));
    return lines_.size();
  }

  static bool branches(const Words& line) {
    constexpr std::array<std::string_view, 26> conditions = {
        "true", "z",   "nz",  "e",    "o",  "pl",  "mi",   "c",    "nc",   "ov",   "nov",  "sz", "snz",
        "spl",  "smi", "max", "nmax", "xz", "xnz", "xltu", "xleu", "xgtu", "xles", "xgts", "eq", "neq"};
    if (line[0][0] == 'j') return true;
    return line.size() >= 4 && line[0].find('.') != std::string_view::npos && !line[0].starts_with("dma.") &&
           std::find(conditions.begin(), conditions.end(), line[line.size() - 2]) != conditions.end();
  }

  // Returns the last branch back to the label of line `head`.
  std::size_t closing(std::size_t head) {
    const auto name = lines_[head][0].substr(0, lines_[head][0].size() - 1);
    for (std::size_t i = lines_.size(); i-- > head;)
      if (branches(lines_[i]) && lines_[i].back() == name) return i;
    fail("a loop does not end");
    return head;
  }

  void put(Program& program, ItemKind kind, Int amount) {
    if (++items_ > most_items) fail("too long");
    if (kind == ItemKind::slots && !program.empty() && program.back().kind == ItemKind::slots)
      program.back().amount += amount;
    else
      program.push_back({kind, amount});
  }

  // Executes lines [begin, end) once.
  void walk(std::size_t begin, std::size_t end, Shares& shares, Program& program) {
    Int asked = -1;
    for (std::size_t i = begin; i < end && result_.fault.empty();) {
      const Words& line = lines_[i];
      if (line[0].back() == ':') {
        if (line.size() == 1) {
          ++i;
          continue;
        }
        const std::size_t close = closing(i);
        if (close >= end) return fail("loops overlap");
        repeat(i, close, program);
        i = close + 1;
        continue;
      }
      if (line[0] == "ret") return;
      if (line[0] == "share") asked = thousandths(line[1]).value_or(0);
      execute(line, program);
      std::size_t next = i + 1;
      if (branches(line) && (line[0] == "jump" || is_taken(shares, i, asked))) next = label(line.back());
      if (next <= i || next > end) return fail("a branch leaves its loop");
      i = next;
    }
  }

  // True if the branch is taken in the current pass. It is taken in its share of the passes; these are spread
  // evenly, starting with the first pass.
  bool is_taken(Shares& shares, std::size_t at, Int& asked) {
    auto known = std::find_if(shares.begin(), shares.end(), [at](const Share& s) { return s.line == at; });
    if (known == shares.end()) {
      if (asked < 0) fail("a branch has no share");
      known = shares.insert(shares.end(), {at, asked, 0});
    }
    asked = -1;
    known->due += known->part;
    if (known->due <= 0) return false;
    known->due -= 1000;
    return true;
  }

  // Executes a loop pass by pass, until no share has an amount due. From there on, the passes repeat.
  void repeat(std::size_t head, std::size_t close, Program& program) {
    const std::string_view trips_word = lines_[head][1];
    const Int trips = number(trips_word.substr(1));
    Shares shares;
    std::vector<Program> passes;
    bool repeats = trips == 0;
    while (!repeats && static_cast<Int>(passes.size()) < trips && result_.fault.empty()) {
      Program pass;
      walk(head + 1, close, shares, pass);
      execute(lines_[close], pass);
      passes.push_back(std::move(pass));
      if (passes.size() > most_passes) return fail("the shares have too long a period");
      repeats = std::all_of(shares.begin(), shares.end(), [](const Share& s) { return s.due == 0; });
    }
    const auto period = static_cast<Int>(passes.size());
    if (period == 0) return;
    Program body, rest;
    for (const Program& pass : passes) body.insert(body.end(), pass.begin(), pass.end());
    for (std::size_t i = 0; i < static_cast<std::size_t>(trips % period); ++i)
      rest.insert(rest.end(), passes[i].begin(), passes[i].end());
    items_ += body.size() + rest.size();
    if (trips / period > 0) program.push_back(loop(trips / period, std::move(body)));
    program.insert(program.end(), rest.begin(), rest.end());
  }

  void execute(const Words& line, Program& program) {
    const auto word = line[0];
    if (word == "share") return;
    if (word == "barrier") return wait(program);
    if (word == "leave") {
      left_ = true;
      return put(program, ItemKind::leave, 0);
    }
    if (word == "dma.read" || word == "dma.write") {
      if (line.size() != 4) return fail("a transfer has an unsupported form");
      const Int bytes = number(line[3]);
      const auto& dma = system_.dma;
      if (bytes < dma.min_bytes || bytes > dma.max_bytes || bytes % dma.align != 0)
        fail("the engine does not support a transfer of this size");
      return put(program, word == "dma.read" ? ItemKind::read : ItemKind::write, bytes);
    }
    if (word == "call") {
      const auto known = line.size() > 1 ? system_.calls.find(line[1]) : system_.calls.end();
      if (known == system_.calls.end()) return fail("the system does not know a called function");
      if (known->second.is_barrier) return wait(program);
      return put(program, ItemKind::slots, slots_of(known->second, line.size() > 2 ? number(line[2]) : 0));
    }
    const auto dot = word.find('.');
    if (dot == std::string_view::npos) {
      if (word[0] != 'j') return fail("unknown instruction: " + std::string(word));
      return put(program, ItemKind::slots, 1);
    }
    const auto op = operations.find(word.substr(0, dot));
    const auto type = type_named(word.substr(dot + 1));
    if (!op || !type || system_.cost(*op, *type).base < 0) return fail("no slots for " + std::string(word));
    put(program, ItemKind::slots, slots_of(system_.cost(*op, *type), 0));
  }

  Int slots_of(const SlotCost& cost, Int bytes) const {
    Int slots = cost.base;
    if (cost.plus_k) slots += k_;
    if (cost.bytes_per_slot > 0) slots += bytes / cost.bytes_per_slot;
    return slots;
  }

  void wait(Program& program) {
    if (left_) fail("a barrier follows 'leave'");
    put(program, ItemKind::barrier, 0);
  }

  const System& system_;
  const Int tasklets_;
  std::vector<Words> lines_;
  ReadListing result_;
  Int k_ = default_multiply_k;
  Int scratch_ = 0;
  std::size_t items_ = 0;
  bool left_ = false;
};

}  // namespace

ReadListing read_listing(std::string_view text, const System& system, Int tasklets) {
  return ListingReader(text, system, tasklets).run();
}

}  // namespace nestor::cnm::second
