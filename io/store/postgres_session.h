// A connection to PostgreSQL that outlives restarts of the server (private to io/store). What is run on it
// may be repeated after a failure, so every piece of work must have the same effect once and twice. Values
// reach SQL only as parameters of prepared statements.
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

/// Values of a statement's parameters, in their order.
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
  /// Why the server cannot take them; empty if it can.
  const std::string& fault() const { return fault_; }

 private:
  void check(const std::string& text);

  std::vector<std::optional<std::string>> values_;
  std::string fault_;
};

/// A row of an answer, valid in the call that it is passed to.
class Row {
 public:
  explicit Row(const PGresult* result) : result_(result) {}
  std::string text(int column) const;
  Int integer(int column) const;
  double number(int column) const { return optional(column).value_or(0); }
  std::optional<double> optional(int column) const;
  /// True if no value is longer than stores keep.
  bool is_within_limits() const;

 private:
  const PGresult* result_;
};

struct Failure {
  Error error;
  bool is_temporary = false;  ///< the server may come back, or have room again
};
using MaybeFailure = std::optional<Failure>;

class Session {
 public:
  using OnRow = FunctionRef<void(const Row&)>;

  Session(std::string url, StorePatience patience);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  /// Runs `work` on a connection, and again while its failures are temporary and patience lasts. `again` is
  /// true if an earlier try may have had its effect.
  MaybeError run(FunctionRef<MaybeFailure(bool again)> work);

  // Of a piece of work.
  MaybeFailure execute(const char* sql, const Parameters& parameters, OnRow on_row, Int* changed = nullptr);
  MaybeFailure execute(const char* sql, const Parameters& parameters = {}, Int* changed = nullptr);
  /// One statement with `count` sets of parameters, without waiting for each answer; outside a transaction,
  /// those that are sent together (256) have their effect together. `changed`: rows in all.
  MaybeFailure execute_all(const char* sql, std::size_t count,
                           FunctionRef<void(Parameters&, std::size_t)> bind, Int* changed = nullptr);
  /// Several statements without parameters.
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
  std::string name_;  ///< of the database in messages
  StorePatience patience_;
  std::unique_ptr<PGconn, Free> connection_;
  bool was_connected_ = false;
  bool is_broken_ = false;  ///< libpq may call a connection good on which it could not write
  std::map<const char*, std::string> prepared_;  ///< statements of this connection
};

}  // namespace nestor::io::postgres
