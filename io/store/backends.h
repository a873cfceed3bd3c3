// Databases behind the interface of stores (private to io/store). Without libpq, those of PostgreSQL say so.
#pragma once

#include "io/store/store.h"

namespace nestor::io {

Result<std::unique_ptr<Store>> open_sqlite(const std::string& path, StoreUse use, std::string& remark);

Result<std::unique_ptr<Store>> open_postgresql(const std::string& url, StoreUse use, StorePatience patience);

/// A usage error if the URL is malformed or holds a password; neither is repeated.
MaybeError check_postgresql_url(const std::string& url);

}  // namespace nestor::io
