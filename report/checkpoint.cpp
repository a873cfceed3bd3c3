#include "report/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/options.h"
#include "io/output_file.h"
#include "report/keys/common.h"

namespace nestor::report {
namespace {

using io::Json;

using Clock = std::chrono::steady_clock;

// Returns the time of the next write, given the start of the last one. The wait is at least ten times the
// duration of that write, because small states change faster than they can be written.
Clock::time_point next_turn(Clock::time_point begin, std::chrono::duration<double> interval) {
  constexpr int share_of_time = 10;
  constexpr std::chrono::duration<double> longest{1e9};
  const auto wait = std::max<std::chrono::duration<double>>(interval, share_of_time * (Clock::now() - begin));
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::min(wait, longest));
}

Json at(const Json& object, const char* key) {
  return object.is_object() && object.contains(key) ? object[key] : Json();
}

std::string words_of(const Json& value) {
  return value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump();
}

// Returns the difference between a saved and a new value as text, or an empty string if they are equal.
std::string difference(std::string_view what, const Json& saved, const Json& now) {
  if (saved == now) return {};
  const auto shown = [](const Json& value) {
    const std::string words = words_of(value);
    return words.empty() ? "none" : fmt::format("'{}'", words);
  };
  return fmt::format("{} was {}, now {}", what, shown(saved), shown(now));
}

// Returns the value of an option, or its default if it was not given.
Json value_of(const Json& options, const std::string& name) {
  if (auto given = at(options, name.c_str()); !given.is_null()) return given;
  const auto* const option = io::find_option(io::Verb::map, name);
  return option == nullptr ? Json() : Json(option->get(io::RunOptions{}));
}

std::string option_difference(const Json& saved, const Json& now) {
  for (const auto* options : {&saved, &now})
    for (const auto& [name, value] : options->items()) {
      const auto* const option = io::find_option(io::Verb::map, name);
      if (option != nullptr && option->may_change) continue;
      auto text = difference("--" + name, value_of(saved, name), value_of(now, name));
      if (!text.empty()) return text;
    }
  return {};
}

// Compares inputs by their content and ignores their names.
std::string input_difference(const Json& saved, const Json& now) {
  for (std::size_t i = 0; i < std::max(saved.size(), now.size()); ++i) {
    const Json a = i < saved.size() ? saved[i] : Json();
    const Json b = i < now.size() ? now[i] : Json();
    const Json& known = b.is_null() ? a : b;
    auto text = difference("an input", at(a, key::role), at(b, key::role));
    if (text.empty() && at(a, key::sha256) != at(b, key::sha256))
      text = difference(fmt::format("the content of {} '{}'", words_of(at(known, key::role)),
                                    words_of(at(known, key::name))),
                        at(a, key::sha256), at(b, key::sha256));
    if (!text.empty()) return text;
  }
  return {};
}

std::string layer_difference(const Json& saved, const Json& now) {
  auto text = difference("the number of layers", saved.size(), now.size());
  for (std::size_t i = 0; i < now.size() && text.empty(); ++i)
    if (saved[i] != now[i])
      text = fmt::format("layer {} differs from '{}' in this run", i + 1, words_of(at(now[i], key::name)));
  return text;
}

// Returns the reason why a checkpoint belongs to another run, or an empty string.
std::string difference_of(const Json& saved, const Json& now) {
  for (const auto& [key, value] : now.items())
    if (at(saved, key.c_str()).type() != value.type()) return fmt::format("'{}' has a different type", key);
  const std::array<std::pair<const char*, const char*>, 4> words = {{{key::version, "the version"},
                                                                     {key::verb, "the verb"},
                                                                     {key::space, "the kind"},
                                                                     {key::network, "the network"}}};
  for (const auto& [key, what] : words)
    if (auto text = difference(what, at(saved, key), at(now, key)); !text.empty()) return text;
  const Json was = at(saved, key::objective), is = at(now, key::objective);
  for (const auto& [key, what] :
       {std::pair(key::name, "the objective"), std::pair(key::latency_model, "the latency model")})
    if (auto text = difference(what, at(was, key), at(is, key)); !text.empty()) return text;
  for (const auto& text : {option_difference(at(saved, key::options), at(now, key::options)),
                           input_difference(at(saved, key::inputs), at(now, key::inputs)),
                           layer_difference(at(saved, key::layers), at(now, key::layers))})
    if (!text.empty()) return text;
  return at(saved, key::architecture) == at(now, key::architecture) ? "" : "the architecture differs";
}

// Returns the parts of a result that identify a run.
Json identity_of(const Json& result) {
  Json identity;
  for (const auto* const key : {key::version, key::verb, key::space, key::network, key::objective,
                                key::options, key::inputs, key::architecture, key::layers})
    if (result.contains(key)) identity[key] = result[key];
  return identity;
}

}  // namespace

// Stores the states of the searches of one shape, which run one after another. Only the thread that maps the
// shape calls it.
class Checkpoint::Keeper final : public StateKeeper {
 public:
  Keeper(Checkpoint& checkpoint, std::size_t shape)
      : checkpoint_(checkpoint), shape_(shape), next_(next_turn(Clock::now(), checkpoint.interval_)) {}

  bool begin(const Read& read) override {
    ++search_;
    const std::string packed = saved();
    if (!packed.empty() && io::unpack_state(packed, checkpoint_.memory_.limit(), read)) return true;
    checkpoint_.replace(shape_, search_, {});
    return false;
  }
  bool is_due() const override { return !checkpoint_.path_.empty() && Clock::now() >= next_; }
  void keep(const Write& write) override {
    if (checkpoint_.path_.empty()) return;
    const auto begin = Clock::now();
    if (auto packed = io::pack_state(write); !packed.empty())
      checkpoint_.replace(shape_, search_, std::move(packed));
    static_cast<void>(checkpoint_.catch_up());  // a failed write is reported at the end
    next_ = next_turn(begin, checkpoint_.interval_);
  }

 private:
  std::string saved() const {
    const std::lock_guard lock(checkpoint_.mutex_);
    const auto& states = checkpoint_.file_.shapes[shape_];
    return search_ < states.size() ? states[search_] : std::string();
  }

  Checkpoint& checkpoint_;
  std::size_t shape_;
  std::size_t search_ = static_cast<std::size_t>(-1);  // no search has begun
  Clock::time_point next_;
};

Checkpoint::Checkpoint(std::string path, std::chrono::duration<double> interval, std::size_t shapes,
                       MemoryBudget& memory)
    : path_(std::move(path)), interval_(interval), memory_(memory) {
  file_.shapes.resize(shapes);
}

Checkpoint::~Checkpoint() {
  for (auto& states : file_.shapes)
    for (const auto& state : states) memory_.give_back(state.size());
}

io::MaybeError Checkpoint::begin(const std::function<Json()>& result, const std::string& resume) {
  if (!path_.empty() && !io::is_replaced(path_))
    return io::usage_error(fmt::format("--checkpoint is '{}', expected a regular file", path_));
  if (resume.empty() && path_.empty()) return std::nullopt;
  file_.run = identity_of(result());
  for (std::size_t i = 0; i < file_.shapes.size(); ++i)
    keepers_.push_back(std::make_unique<Keeper>(*this, i));
  if (resume.empty()) return std::nullopt;
  auto saved = io::read_checkpoint(resume);
  if (!saved) return saved.error();
  auto text = difference_of(saved->run, file_.run);
  if (text.empty() && saved->shapes.size() != file_.shapes.size())
    text = difference("the number of shapes", saved->shapes.size(), file_.shapes.size());
  if (!text.empty()) return io::input_error({resume}, "is a checkpoint of a different run: " + text);
  for (std::size_t i = 0; i < file_.shapes.size(); ++i)
    for (std::size_t search = 0; search < saved->shapes[i].size(); ++search)
      replace(i, search, std::move(saved->shapes[i][search]));
  return std::nullopt;
}

StateKeeper* Checkpoint::states(std::size_t shape) {
  return keepers_.empty() ? nullptr : keepers_[shape].get();
}

// Replaces the state of a search and drops those of later searches. If there is too little memory for the new
// state, the old state is kept.
void Checkpoint::replace(std::size_t shape, std::size_t search, std::string packed) {
  const std::lock_guard lock(mutex_);
  auto& states = file_.shapes[shape];
  if (!packed.empty() && !memory_.take(packed.size())) return;
  for (std::size_t later = search; later < states.size(); ++later) memory_.give_back(states[later].size());
  states.resize(search);  // missing states before this one are empty
  if (!packed.empty()) states.push_back(std::move(packed));
  behind_ = true;
}

io::MaybeError Checkpoint::catch_up(bool at_end) {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  if (path_.empty() || failure_ || !behind_ || (!at_end && now < next_write_)) return failure_;
  failure_ = io::write_checkpoint(path_, file_);
  next_write_ = next_turn(now, interval_);
  behind_ = false;
  return failure_;
}

}  // namespace nestor::report
