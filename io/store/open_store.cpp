// Implements the functions of store.h that accept a URL. The form of the URL determines the database.
#include <fmt/format.h>

#include "io/document.h"
#include "io/store/backends.h"

namespace nestor::io {
namespace {

constexpr std::string_view expected_form =
    "expected FILE.db, sqlite:FILE.db or postgresql://USER@HOST/DATABASE";

std::string path_of(const std::string& url) {
  constexpr std::string_view scheme = "sqlite:";
  return url.starts_with(scheme) ? url.substr(scheme.size()) : url;
}

}  // namespace

bool is_on_server(std::string_view url) {
  return url.starts_with("postgresql://") || url.starts_with("postgres://");
}

MaybeError check_store_url(const std::string& url) {
  if (is_on_server(url)) return check_postgresql_url(url);
  const auto path = path_of(url);
  if (const auto colon = path.find("://"); colon != std::string::npos)
    return usage_error(
        fmt::format("--store: no store of kind {}, {}", quote(path.substr(0, colon)), expected_form));
  if (path.empty()) return usage_error(fmt::format("--store: {}", expected_form));
  return std::nullopt;
}

Result<std::unique_ptr<Store>> open_store(const std::string& url, StoreUse use, std::string& remark,
                                          StorePatience patience) {
  if (auto error = check_store_url(url)) return *error;
  return is_on_server(url) ? open_postgresql(url, use, patience) : open_sqlite(path_of(url), use, remark);
}

}  // namespace nestor::io
