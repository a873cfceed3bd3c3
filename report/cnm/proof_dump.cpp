#include "report/cnm/proof_dump.h"

#include <fmt/format.h>

#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "report/keys/proof.h"
#include "report/proof_words.h"
#include "report/tables/table.h"

namespace nestor::report {
namespace {

std::string numbers_text(const io::Json& numbers) {
  std::string text;
  for (const io::Json& each : numbers) text += (text.empty() ? "" : " ") + each.dump();
  return text;
}

std::string forms_text(const io::Json& forms) {
  io::Table table({{"block", io::Align::left}, {"order", io::Align::left}, {"cycles"}});
  for (const io::Json& form : forms)
    if (form.is_array() && form.size() == 3)
      table.add_row({numbers_text(form[0]), numbers_text(form[1]), form[2].dump()});
  return table.to_string();
}

}  // namespace

io::Result<bool> dump_kernel_proof(io::ProofReader& reader, const io::Json& head,
                                   const std::function<void(std::string_view)>& sink) {
  sink(fmt::format("proof of the least time of '{}' on '{}': {}, at least {} ms\n",
                   proof_word(head, key::kernel), proof_word(head, key::architecture),
                   proof_word(head, key::status), proof_word(head, key::lower_bound_ms)));
  for (;;) {
    auto work = reader.layer();
    if (!work) return work.error();
    if (!*work) return true;
    sink(fmt::format("\ntasklets {}, of which each has {}: not closed by bounds, estimated\n\n",
                     numbers_text(proof_list(**work, key::tasklets)),
                     numbers_text(proof_list(**work, key::local))));
    sink(forms_text(proof_list(**work, key::forms)));
    const auto end = reader.choice(0);
    if (!end) return end.error();
    if (*end) return io::input_error({}, "is a damaged proof: work of a tasklet has spatial choices");
  }
}

}  // namespace nestor::report
