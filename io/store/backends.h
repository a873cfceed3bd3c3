// Functions that open a store in a database of each kind. Without libpq, the functions for PostgreSQL return
// an error. Private to io/store.
#pragma once

#include "io/store/store.h"

namespace nestor::io {

Result<std::unique_ptr<Store>> open_sqlite(const std::string& path, StoreUse use, std::string& remark);

Result<std::unique_ptr<Store>> open_postgresql(const std::string& url, StoreUse use, StorePatience patience);

/// Returns a usage error if the URL is malformed or contains a password; the message quotes neither the URL
/// nor the password.
MaybeError check_postgresql_url(const std::string& url);

}  // namespace nestor::io
