// Reader of llvcnm ("llvcnm" in docs/models/cnm.md), the text of lowered kernels in results. It follows
// branches by executing them, and loops pass by pass until the passes repeat.
#include <algorithm>
#include <numeric>

#include "check/cnm/contract_text.h"
#include "check/cnm/contract_tree.h"

namespace nestor::check::cnm {
namespace {

using What = TreeItem::What;
constexpr std::size_t most_items = 200'000, most_lines = 10'000'000;
constexpr std::size_t most_depth = 16;
// Maximum numbers of passes of a loop until its shares repeat, without and with requests.
constexpr Int most_passes = 1'000, most_passes_with_requests = 64;
constexpr Int default_k = 7;

// Returns a share such as 0.5 in thousandths.
Int thousandths(const std::string& word) {
  const Decimal share = parse_decimal(word);
  if (share.places > 3) refuse_text("a share has more than three decimal places");
  return static_cast<Int>(share.in(1000));
}
std::string type_of(std::string_view word) { return word == "idx" ? "index" : std::string(word); }

bool is_branch(const Words& line) {
  constexpr std::array<std::string_view, 26> conditions = {
      "true", "z",   "nz",  "e",    "o",  "pl",  "mi",   "c",    "nc",   "ov",   "nov",  "sz", "snz",
      "spl",  "smi", "max", "nmax", "xz", "xnz", "xltu", "xleu", "xgtu", "xles", "xgts", "eq", "neq"};
  if (line[0][0] == 'j') return true;
  return line.size() >= 4 && line[0].find('.') != std::string_view::npos && !line[0].starts_with("dma.") &&
         std::find(conditions.begin(), conditions.end(), line[line.size() - 2]) != conditions.end();
}

class ListingReader {
 public:
  ListingReader(std::string_view text, const CnmMachine& machine, const Json& calls, Int tasklets)
      : machine_(machine), calls_(calls), tasklets_(tasklets), lines_(lines_of(text, " \t,\r")) {}

  Listing run() {
    if (lines_.empty() || lines_[0].size() != 4 || lines_[0][0] != "llvcnm" || lines_[0][3] != "upmem")
      refuse_text("the header is missing");
    std::size_t at = 1;
    while (at < lines_.size() && declare(lines_[at])) ++at;
    find_labels();
    result_.iram = times(count_instructions(at), machine_.instruction);
    Shares shares;
    walk(at, lines_.size(), shares, result_.program);
    result_.wram = plus(times(tasklets_, plus(scratch_, machine_.wram_stack)), machine_.wram_reserved);
    if (result_.wram > machine_.wram) refuse_text("its buffers exceed WRAM");
    if (result_.mram >= machine_.mram) refuse_text("its operands exceed MRAM");
    if (result_.iram > machine_.iram) refuse_text("its instructions exceed IRAM");
    return std::move(result_);
  }

 private:
  // The share of the passes of a loop in which a branch is taken, and the passes in which it is still to be
  // taken, both in thousandths.
  struct Share {
    Int part = 0, due = 0;
    Int period() const { return 1000 / std::gcd(part, Int{1000}); }
  };
  using Shares = std::map<std::size_t, Share>;  // by the line of the branch

  // Counts the instructions, without those of the loop `start`, which represents the code before main.
  Int count_instructions(std::size_t at) const {
    Int count = 0;
    bool is_before_main = false;
    for (; at < lines_.size(); ++at) {
      const auto word = lines_[at][0];
      if (word.back() == ':') {
        is_before_main = word == "start:";
        continue;
      }
      if (word != "barrier" && word != "leave" && word != "share" && !is_before_main) ++count;
      if (lines_[at].back() == "start") is_before_main = false;
    }
    return count;
  }

  // Reads a line that declares an operand, a buffer or the values. Returns false for any other line.
  bool declare(const Words& line) {
    if (line[0] == "values" && line.size() == 2) {
      k_ = number_of(line[1].substr(line[1].find('=') + 1));
      return true;
    }
    if (line.size() < 5 || (line[0] != "operand" && line[0] != "buffer")) return false;
    Int bytes = bytes_of(type_of(line[2]));
    for (std::string_view dims = line[3]; !dims.empty();) {
      const auto extent = dims.substr(0, dims.find('x'));
      bytes = times(bytes, number_of(extent));
      dims.remove_prefix(std::min(extent.size() + 1, dims.size()));
    }
    if (line[0] == "buffer") {
      scratch_ = plus(scratch_, times(ceiling<Int>(bytes, 8), Int{8}));
      return true;
    }
    if (line.back() != "shared") bytes = times(bytes, tasklets_);
    result_.mram = plus(result_.mram, bytes);
    if (line[4] != "out") result_.bytes_in = plus(result_.bytes_in, bytes);
    if (line[4] != "in") result_.bytes_out = plus(result_.bytes_out, bytes);
    return true;
  }

  void find_labels() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const auto word = lines_[i][0];
      if (word.back() == ':' && !labels_.emplace(word.substr(0, word.size() - 1), i).second)
        refuse_text("a label occurs twice");
      if (word == "dma.read" || word == "dma.write") check_transfer(lines_[i]);
      if (is_branch(lines_[i])) last_branches_[lines_[i].back()] = i;
    }
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const Words& line = lines_[i];
      const bool is_loop = line[0].back() == ':' && line.size() > 1;
      if (is_loop) end_of(i);
      if (line[0] != "share" && !is_branch(line)) continue;
      const std::size_t to = line_of(line.back());
      if (to < i && line[0] != "share" && lines_[to].size() == 1)
        refuse_text("a backward branch has no trips");
    }
  }
  // Transfers that are never executed must be valid, too.
  void check_transfer(const Words& line) const {
    if (line.size() != 4) refuse_text("a transfer has an unsupported form");
    if (!machine_.can_transfer(number_of(line[3])))
      refuse_text("the machine cannot transfer a part of this size");
  }
  std::size_t line_of(std::string_view label) const {
    const auto found = labels_.find(label);
    if (found == labels_.end()) refuse_text("unknown label " + harmless(std::string(label)));
    return found->second;
  }
  // Returns the last branch back to the label of line `head`.
  std::size_t end_of(std::size_t head) const {
    const auto found = last_branches_.find(lines_[head][0].substr(0, lines_[head][0].size() - 1));
    if (found == last_branches_.end() || found->second <= head) refuse_text("a loop does not end");
    return found->second;
  }

  void put(Tree& tree, What what, Int amount) {
    if (++items_ > most_items) refuse_text("it is too long");
    if (what == What::slots && !tree.empty() && tree.back().what == What::slots)
      tree.back().amount = plus(tree.back().amount, amount);
    else
      tree.push_back({what, amount});
  }

  // Executes lines [begin, end) once.
  void walk(std::size_t begin, std::size_t end, Shares& shares, Tree& tree) {
    std::map<std::string_view, Int> stated;  // shares of the next branches, by label
    for (std::size_t i = begin; i < end;) {
      const Words& line = lines_[i];
      if (++executed_ > most_lines) refuse_text("it is too long");
      if (line[0].back() == ':') {
        if (line.size() == 1) {
          ++i;
          continue;
        }
        const std::size_t last = end_of(i);
        if (last >= end) refuse_text("loops overlap");
        repeat(i, last, tree);
        i = last + 1;
        continue;
      }
      if (line[0] == "ret") return;
      if (line[0] == "share") {
        if (line.size() != 3) refuse_text("a share has an unsupported form");
        stated[line[2]] = thousandths(std::string(line[1]));
      }
      execute(line, tree);
      std::size_t next = i + 1;
      if (is_branch(line) && (line[0] == "jump" || is_taken(shares, i, stated))) next = line_of(line.back());
      if (next <= i || next > end) refuse_text("a branch leaves its loop");
      i = next;
    }
  }

  // True if the branch is taken in the current pass. It is taken in its share of the passes since it was
  // first reached; these are spread evenly, starting with the first one.
  bool is_taken(Shares& shares, std::size_t at, std::map<std::string_view, Int>& stated) const {
    const auto share = stated.find(lines_[at].back());
    if (share == stated.end()) refuse_text("a branch has no share");
    Share& known = shares[at];
    known.part = share->second;
    stated.erase(share);
    return known.due + known.part > 0;
  }

  // Executes a loop pass by pass, until the passes repeat.
  void repeat(std::size_t head, std::size_t last, Tree& tree) {
    if (++depth_ > most_depth) refuse_text("its loops are nested too deeply");
    for (std::size_t i = head; i < last; ++i)
      if (lines_[i][0] == "leave") refuse_text("'leave' in a loop");
    const Int trips = number_of(lines_[head][1].substr(1));
    Shares shares;
    std::vector<Tree> passes;
    Int period = 1;
    bool has_requests = false;
    while (static_cast<Int>(passes.size()) < std::min(period, trips)) {
      Tree pass;
      walk(head + 1, last, shares, pass);
      execute(lines_[last], pass);
      for (auto& [line, share] : shares) {
        share.due += share.part;
        if (share.due > 0) share.due -= 1000;
        period = std::lcm(period, share.period());
      }
      has_requests |= std::any_of(pass.begin(), pass.end(),
                                  [](const TreeItem& item) { return item.what != What::slots; });
      if (period > (has_requests ? most_passes_with_requests : most_passes))
        refuse_text("its shares have too long a period");
      passes.push_back(std::move(pass));
    }
    --depth_;
    if (trips == 0) return;
    Tree body, rest;
    for (const Tree& pass : passes) body.insert(body.end(), pass.begin(), pass.end());
    for (std::size_t i = 0; i < static_cast<std::size_t>(trips % period); ++i)
      rest.insert(rest.end(), passes[i].begin(), passes[i].end());
    items_ += body.size() + rest.size();
    if (items_ > most_items) refuse_text("it is too long");
    if (trips / period > 0) tree.push_back({What::loop, trips / period, std::move(body)});
    tree.insert(tree.end(), rest.begin(), rest.end());
  }

  void execute(const Words& line, Tree& tree) {
    const auto word = line[0];
    if (word == "share") return;
    if (word == "barrier") return wait(tree);
    if (word == "leave") {
      has_left_ = true;
      return put(tree, What::leave, 0);
    }
    if (word == "dma.read" || word == "dma.write")
      return put(tree, word == "dma.read" ? What::read : What::write, number_of(line[3]));
    if (word == "call") {
      const auto known = line.size() > 1 ? calls_.find(std::string(line[1])) : calls_.end();
      if (known == calls_.end()) refuse_text("the machine does not know a called function");
      const SlotCost cost = read_slots(*known);
      if (cost.is_barrier) return wait(tree);
      const Int bytes = line.size() > 2 ? number_of(line[2]) : 0;
      return put(tree, What::slots,
                 plus(cost.of(k_), cost.bytes_per_slot > 0 ? bytes / cost.bytes_per_slot : 0));
    }
    const auto dot = word.find('.');
    if (dot == std::string_view::npos) {
      if (word[0] != 'j') refuse_text("unknown instruction " + harmless(std::string(word)));
      return put(tree, What::slots, 1);
    }
    const auto found =
        machine_.slots.find(std::string(word.substr(0, dot)) + "." + type_of(word.substr(dot + 1)));
    if (found == machine_.slots.end()) refuse_text("no slots for " + harmless(std::string(word)));
    put(tree, What::slots, found->second.of(k_));
  }
  void wait(Tree& tree) {
    if (has_left_) refuse_text("a barrier follows 'leave'");
    put(tree, What::barrier, 0);
  }

  const CnmMachine& machine_;
  const Json& calls_;
  const Int tasklets_;
  const std::vector<Words> lines_;
  Listing result_;
  std::map<std::string_view, std::size_t> labels_, last_branches_;  // lines, by label
  Int k_ = default_k;
  Int scratch_ = 0;
  std::size_t items_ = 0, executed_ = 0, depth_ = 0;
  bool has_left_ = false;
};

}  // namespace

Listing read_listing(const std::string& text, const CnmMachine& machine, const Json& calls, Int tasklets) {
  return ListingReader(text, machine, calls, tasklets).run();
}

}  // namespace nestor::check::cnm
