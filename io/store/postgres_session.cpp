#include "io/store/postgres_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/parse_number.h"
#include "io/store/backends.h"

namespace nestor::io {
namespace {

using Options = std::unique_ptr<PQconninfoOption, void (*)(PQconninfoOption*)>;

Options options_of(const std::string& url) {
  char* message = nullptr;  // contains parts of the URL, so it is not shown
  Options options(PQconninfoParse(url.c_str(), &message), PQconninfoFree);
  PQfreemem(message);
  return options;
}

std::string option(const Options& options, std::string_view keyword) {
  for (const auto* one = options.get(); one != nullptr && one->keyword != nullptr; ++one)
    if (one->keyword == keyword && one->val != nullptr) return one->val;
  return {};
}

// Returns the URL without its parameters, for messages.
std::string database_name(const std::string& url) {
  const auto options = options_of(url);
  const auto user = option(options, "user");
  const auto port = option(options, "port");
  return fmt::format("postgresql://{}{}{}{}/{}", user, user.empty() ? "" : "@", option(options, "host"),
                     port.empty() ? "" : ":" + port, option(options, "dbname"));
}

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool is_space = c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (!is_space)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace

MaybeError check_postgresql_url(const std::string& url) {
  const auto options = options_of(url);
  const bool is_plain =
      std::all_of(url.begin(), url.end(), [](char c) { return static_cast<unsigned char>(c) >= ' '; });
  // If the host is missing, the text in place of the port may be a password.
  const bool has_port = option(options, "port").find_first_not_of("0123456789,") == std::string::npos;
  if (!options || !is_plain || !has_port)
    return usage_error(
        "--store: malformed URL of a server, expected postgresql://USER@HOST/DATABASE (docs/cluster.md)");
  for (const auto* one = options.get(); one->keyword != nullptr; ++one) {
    const bool is_secret = one->dispchar != nullptr && one->dispchar[0] == '*';
    if (is_secret && one->val != nullptr && one->val[0] != '\0')
      return usage_error(
          "--store: the URL holds a password, which every user of the machine can see: leave it out, and "
          "name "
          "a file that holds it in PGPASSFILE (docs/cluster.md)");
  }
  return std::nullopt;
}

namespace postgres {
namespace {

constexpr int least_server_version = 120000;
constexpr std::size_t pipelined = 256;  // statements sent before their answers are read
constexpr double patience_when_interrupted = 5;

// The schema of a store is `nestor`. Statements are short and all use an index; query plans are computed
// once.
constexpr char session_settings[] =
    "SET search_path = nestor, pg_temp; SET enable_seqscan = off; SET jit = off; "
    "SET plan_cache_mode = force_generic_plan; SET idle_in_transaction_session_timeout = '60s'";

bool is_temporary_state(std::string_view state) {
  return state.starts_with("08") || state.starts_with("53") || state.starts_with("57P") || state == "40001" ||
         state == "40P01" || state == "55P03";
}

}  // namespace

Parameters& Parameters::bind(std::string text) {
  check(text);
  values_.emplace_back(std::move(text));
  return *this;
}
Parameters& Parameters::bind(Int number) { return bind(fmt::format("{}", number)); }
Parameters& Parameters::bind(double number) { return bind(fmt::format("{}", number)); }
Parameters& Parameters::bind(const std::optional<double>& number) {
  if (number) return bind(*number);
  values_.emplace_back();
  return *this;
}
Parameters& Parameters::bind(const std::vector<Int>& numbers) {
  values_.emplace_back(fmt::format("{{{}}}", fmt::join(numbers, ",")));
  return *this;
}
Parameters& Parameters::bind(const std::vector<std::optional<double>>& numbers) {
  std::string list;
  for (const auto& number : numbers)
    list += (list.empty() ? "" : ",") + (number ? fmt::format("{}", *number) : std::string("NULL"));
  values_.emplace_back("{" + list + "}");
  return *this;
}
Parameters& Parameters::bind(const std::vector<std::string>& texts) {
  std::string list;
  for (const auto& text : texts) {
    check(text);
    list += list.empty() ? "\"" : ",\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') list += '\\';
      list += c;
    }
    list += '"';
  }
  values_.emplace_back("{" + list + "}");
  return *this;
}

std::vector<const char*> Parameters::pointers() const {
  std::vector<const char*> pointers;
  for (const auto& value : values_) pointers.push_back(value ? value->c_str() : nullptr);
  return pointers;
}

void Parameters::check(const std::string& text) {
  if (text.find('\0') != std::string::npos)
    fault_ = "cannot store a text with a zero byte, which PostgreSQL does not support";
  else if (text.size() > Store::most_text)
    fault_ =
        fmt::format("cannot store a text of {} bytes, expected at most {}", text.size(), Store::most_text);
}

std::string Row::text(int column) const {
  return {PQgetvalue(result_, 0, column), static_cast<std::size_t>(PQgetlength(result_, 0, column))};
}
Int Row::integer(int column) const { return parse_number<Int>(text(column)).value_or(0); }
std::optional<double> Row::optional(int column) const {
  if (PQgetisnull(result_, 0, column) != 0) return std::nullopt;
  return parse_number<double>(text(column));
}
bool Row::is_within_limits() const {
  for (int column = 0; column < PQnfields(result_); ++column)
    if (static_cast<std::size_t>(PQgetlength(result_, 0, column)) > Store::most_text) return false;
  return true;
}

Session::Session(std::string url, StorePatience patience)
    : url_(std::move(url)), name_(database_name(url_)), patience_(patience) {}
Session::~Session() = default;

MaybeError Session::run(FunctionRef<MaybeFailure(bool again)> work) {
  const auto begin = Clock::now();
  bool again = false;
  constexpr std::chrono::milliseconds longest_pause(4000);
  for (auto pause = std::chrono::milliseconds(50);; pause = std::min(pause * 2, longest_pause)) {
    auto failed = is_connected() ? MaybeFailure() : connect();
    if (!failed) {
      failed = work(again);
      again = true;
    }
    if (!failed) return std::nullopt;
    if (!failed->is_temporary || !is_patient(begin)) return failed->error;
    // Many workers lose a server at the same moment; the jitter spreads their reconnections.
    const auto jitter = Clock::now().time_since_epoch() % pause;
    std::this_thread::sleep_for(pause / 2 + jitter);
  }
}

bool Session::is_patient(Clock::time_point begin) const {
  const bool interrupted = patience_.interrupted != nullptr && patience_.interrupted->load();
  const double limit =
      interrupted ? std::min(patience_.seconds, patience_when_interrupted) : patience_.seconds;
  return std::chrono::duration<double>(Clock::now() - begin).count() < limit;
}

// Connects to the server. The defaults below detect the loss of a server within a minute or two; settings of
// the URL override them.
MaybeFailure Session::connect() {
  const char* const keywords[] = {"fallback_application_name",
                                  "connect_timeout",
                                  "keepalives_idle",
                                  "keepalives_interval",
                                  "keepalives_count",
                                  "tcp_user_timeout",
                                  "dbname",
                                  "client_encoding",
                                  nullptr};
  const char* const values[] = {"nestor", "10", "30", "10", "3", "60000", url_.c_str(), "UTF8", nullptr};
  prepared_.clear();
  is_broken_ = false;
  connection_.reset(PQconnectdbParams(keywords, values, 1));
  if (!is_connected()) return connection_failure();
  PQsetNoticeProcessor(
      connection_.get(), [](void*, const char*) {}, nullptr);
  if (auto failed = begin_session()) {
    connection_.reset();
    return failed;
  }
  was_connected_ = true;
  return std::nullopt;
}

MaybeFailure Session::begin_session() {
  if (PQserverVersion(connection_.get()) < least_server_version)
    return Failure{refuse("is older than PostgreSQL 12, the first supported version")};
  const char* const encoding = PQparameterStatus(connection_.get(), "server_encoding");
  if (encoding == nullptr || std::string_view(encoding) != "UTF8")
    return Failure{refuse(fmt::format("has the encoding {}, expected a database with the encoding UTF8",
                                      encoding == nullptr ? "?" : encoding))};
  return command(session_settings);
}

// If a server was never reached, its URL is probably misspelt, unless the server reports that it is starting
// or full.
Failure Session::connection_failure() const {
  if (!connection_) return {refuse("out of memory")};
  auto message = one_line(PQerrorMessage(connection_.get()));
  if (PQconnectionNeedsPassword(connection_.get()) != 0)
    message += " (name a file with the password in PGPASSFILE: docs/cluster.md)";
  Failure failed{refuse(fmt::format("cannot be reached: {}", message))};
  const auto says = [&](std::string_view words) { return message.find(words) != std::string::npos; };
  failed.is_temporary = was_connected_ || says("starting up") || says("shutting down") || says("too many") ||
                        says("remaining connection slots");
  return failed;
}

// Failures reported by the server have a code; all others are failures of the connection.
Failure Session::failure(const PGresult* answer) {
  const char* const code = answer == nullptr ? nullptr : PQresultErrorField(answer, PG_DIAG_SQLSTATE);
  const char* const text = answer == nullptr ? nullptr : PQresultErrorField(answer, PG_DIAG_MESSAGE_PRIMARY);
  const std::string_view state = code == nullptr ? "" : code;
  const auto message = one_line(text == nullptr ? PQerrorMessage(connection_.get()) : text);
  is_broken_ = is_broken_ || code == nullptr;
  Failure failed{refuse(message)};
  auto& error = failed.error;
  failed.is_temporary = !is_connected() || is_temporary_state(state);
  if (state == "53100") {
    error.kind = ErrorKind::output;
    error.message = fmt::format("cannot be written: {} (is the disk full?)", message);
  } else if (state == "42501") {
    error.kind = ErrorKind::output;
    error.message = fmt::format("{} (roles and their rights: docs/cluster.md)", message);
  } else if (failed.is_temporary) {
    error.kind = ErrorKind::output;
    error.message = fmt::format("does not answer: {}", message);
  }
  return failed;
}

MaybeFailure Session::prepare(const char* sql, std::string& name) {
  auto& known = prepared_[sql];
  if (known.empty()) {
    const auto fresh = fmt::format("s{}", prepared_.size());
    const Answer answer(PQprepare(connection_.get(), fresh.c_str(), sql, 0, nullptr));
    if (PQresultStatus(answer.get()) != PGRES_COMMAND_OK) {
      prepared_.erase(sql);
      return failure(answer.get());
    }
    known = fresh;
  }
  name = known;
  return std::nullopt;
}

MaybeFailure Session::execute(const char* sql, const Parameters& parameters, Int* changed) {
  return execute(
      sql, parameters, [](const Row&) {}, changed);
}

MaybeFailure Session::execute(const char* sql, const Parameters& parameters, OnRow on_row, Int* changed) {
  if (auto fault = parameters.fault(); !fault.empty()) return Failure{refuse(std::move(fault))};
  std::string name;
  if (auto failed = prepare(sql, name)) return failed;
  const auto values = parameters.pointers();
  auto* const connection = connection_.get();
  if (PQsendQueryPrepared(connection, name.c_str(), static_cast<int>(values.size()), values.data(), nullptr,
                          nullptr, 0) == 0)
    return failure(nullptr);
  PQsetSingleRowMode(connection);  // avoids a second copy of tables with millions of rows
  MaybeFailure failed;
  while (const Answer answer{PQgetResult(connection)}) {
    switch (PQresultStatus(answer.get())) {
      case PGRES_SINGLE_TUPLE:
        if (const Row row(answer.get()); row.is_within_limits())
          on_row(row);
        else
          failed = Failure{refuse(fmt::format("has a text of more than {} bytes", Store::most_text))};
        break;
      case PGRES_TUPLES_OK:
      case PGRES_COMMAND_OK:
        if (changed != nullptr) *changed = parse_number<Int>(PQcmdTuples(answer.get())).value_or(0);
        break;
      default:
        failed = failure(answer.get());
    }
  }
  return failed;
}

MaybeFailure Session::execute_all(const char* sql, std::size_t count,
                                  FunctionRef<void(Parameters&, std::size_t)> bind, Int* changed) {
  std::string name;
  Int rows = 0;
  if (auto failed = prepare(sql, name)) return failed;
  auto* const connection = connection_.get();
  MaybeFailure failed;
  if (PQenterPipelineMode(connection) == 0) return failure(nullptr);
  for (std::size_t i = 0; i < count && !failed;) {
    for (const auto end = std::min(count, i + pipelined); i < end && !failed; ++i) {
      Parameters parameters;
      bind(parameters, i);
      if (!parameters.fault().empty()) {
        failed = Failure{refuse(parameters.fault())};
        break;
      }
      const auto values = parameters.pointers();
      if (PQsendQueryPrepared(connection, name.c_str(), static_cast<int>(values.size()), values.data(),
                              nullptr, nullptr, 0) == 0)
        failed = failure(nullptr);
    }
    auto answered = PQpipelineSync(connection) == 0 ? failure(nullptr) : read_pipeline(rows);
    if (!failed) failed = std::move(answered);
  }
  if (changed != nullptr) *changed = rows;
  if (PQexitPipelineMode(connection) == 0 && !failed) return failure(nullptr);
  return failed;
}

// Reads answers up to the next synchronisation point. After the answers of each statement, there is an empty
// answer.
MaybeFailure Session::read_pipeline(Int& changed) {
  MaybeFailure failed;
  for (;;) {
    const Answer answer(PQgetResult(connection_.get()));
    if (!answer) {
      if (!is_connected()) return failed ? failed : failure(nullptr);
      continue;
    }
    const auto status = PQresultStatus(answer.get());
    if (status == PGRES_PIPELINE_SYNC) return failed;
    const bool is_fine = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK ||
                         status == PGRES_SINGLE_TUPLE || status == PGRES_PIPELINE_ABORTED;
    if (!is_fine && !failed) failed = failure(answer.get());
    if (is_fine) changed += parse_number<Int>(PQcmdTuples(answer.get())).value_or(0);
  }
}

MaybeFailure Session::command(const char* sql) {
  const Answer answer(PQexec(connection_.get(), sql));
  const auto status = PQresultStatus(answer.get());
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK ? MaybeFailure() : failure(answer.get());
}

MaybeFailure Session::in_transaction(FunctionRef<MaybeFailure()> work) {
  if (auto failed = command("BEGIN")) return failed;
  if (auto failed = work()) {
    if (is_connected()) command("ROLLBACK");
    return failed;
  }
  return command("COMMIT");
}

}  // namespace postgres
}  // namespace nestor::io
