// A connection to PostgreSQL that survives restarts of the server. A piece of work may be repeated after a
// failure, so running it twice must have the same effect as running it once. Values reach SQL only as
// parameters of prepared statements. Private to io/store.
#pragma once

#include <libpq-fe.h>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/checked.h"
#include "base/function_ref.h"
#include "io/store/store.h"

namespace nestor::io::postgres {

/// Values of a statement's parameters, in order.
class Parameters {
 public:
  Parameters& bind(std::string text);
  Parameters& bind(Int number);
  Parameters& bind(double number);
  Parameters& bind(const std::optional<double>& number);
  Parameters& bind(const std::vector<Int>& numbers);
  Parameters& bind(const std::vector<std::optional<double>>& numbers);
  Parameters& bind(const std::vector<std::string>& texts);

  std::vector<const char*> pointers() const;
  /// Returns the reason why the server cannot accept the values; empty if it can.
  const std::string& fault() const { return fault_; }

 private:
  void check(const std::string& text);

  std::vector<std::optional<std::string>> values_;
  std::string fault_;
};

/// A row of an answer, valid only during the call that receives it.
class Row {
 public:
  explicit Row(const PGresult* result) : result_(result) {}
  std::string text(int column) const;
  Int integer(int column) const;
  double number(int column) const { return optional(column).value_or(0); }
  std::optional<double> optional(int column) const;
  /// True if no value exceeds the length limit of stores.
  bool is_within_limits() const;

 private:
  const PGresult* result_;
};

struct Failure {
  Error error;
  bool is_temporary = false;  ///< the server may become available again, or have space again
};
using MaybeFailure = std::optional<Failure>;

class Session {
 public:
  using OnRow = FunctionRef<void(const Row&)>;

  Session(std::string url, StorePatience patience);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  /// Runs `work` on a connection, and repeats it after temporary failures for as long as StorePatience
  /// allows. `again` is true if an earlier attempt may have taken effect.
  MaybeError run(FunctionRef<MaybeFailure(bool again)> work);

  // Run one statement; to be called only within the `work` of run().
  MaybeFailure execute(const char* sql, const Parameters& parameters, OnRow on_row, Int* changed = nullptr);
  MaybeFailure execute(const char* sql, const Parameters& parameters = {}, Int* changed = nullptr);
  /// Runs one statement with `count` sets of parameters, without waiting for each answer. Outside a
  /// transaction, each batch of 256 statements takes effect as a whole. `changed` is the total number of
  /// changed rows.
  MaybeFailure execute_all(const char* sql, std::size_t count,
                           FunctionRef<void(Parameters&, std::size_t)> bind, Int* changed = nullptr);
  /// Runs several statements without parameters.
  MaybeFailure command(const char* sql);
  MaybeFailure in_transaction(FunctionRef<MaybeFailure()> work);

  Error refuse(std::string message) const { return input_error({name_}, std::move(message)); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Free {
    void operator()(PGresult* result) const { PQclear(result); }
    void operator()(PGconn* connection) const { PQfinish(connection); }
  };
  using Answer = std::unique_ptr<PGresult, Free>;

  bool is_connected() const {
    return connection_ && !is_broken_ && PQstatus(connection_.get()) == CONNECTION_OK;
  }
  MaybeFailure connect();
  MaybeFailure begin_session();
  MaybeFailure prepare(const char* sql, std::string& name);
  MaybeFailure read_pipeline(Int& changed);
  Failure connection_failure() const;
  Failure failure(const PGresult* answer);
  bool is_patient(Clock::time_point begin) const;

  std::string url_;
  std::string name_;  ///< name of the database in messages
  StorePatience patience_;
  std::unique_ptr<PGconn, Free> connection_;
  bool was_connected_ = false;
  /// Set after a failed write, because libpq may still report the connection as good.
  bool is_broken_ = false;
  std::map<const char*, std::string> prepared_;  ///< statements prepared on this connection
};

}  // namespace nestor::io::postgres
