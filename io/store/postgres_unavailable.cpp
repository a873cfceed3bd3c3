// Substitutes for the functions of the PostgreSQL store in builds without libpq. They return an error.
#include "io/store/backends.h"

namespace nestor::io {

MaybeError check_postgresql_url(const std::string& /*url*/) {
  return usage_error(
      "--store: this nestor was built without libpq (Debian: libpq-dev), which stores in PostgreSQL need");
}

Result<std::unique_ptr<Store>> open_postgresql(const std::string& url, StoreUse /*use*/,
                                               StorePatience /*patience*/) {
  return *check_postgresql_url(url);
}

}  // namespace nestor::io
