#include "model/chip/program/program.h"

#include <algorithm>

namespace nestor::chip_program {
namespace {

constexpr Argument number = {"", Slot::expression};
constexpr Argument op_name = {"", Slot::name};

constexpr std::array wait_form = {op_name, number};
constexpr std::array wait_run_form = {op_name, number, number};
constexpr std::array write_crossbar_form = {number, op_name, number, number};
constexpr std::array write_rows_form = {number, number, number, op_name, number, number};
constexpr std::array read_core_form = {op_name,
                                       Argument{"core=", Slot::expression},
                                       Argument{"y=", Slot::range},
                                       Argument{"x=", Slot::range},
                                       Argument{"src=", Slot::expression},
                                       Argument{"dst=", Slot::expression}};
constexpr std::array read_crossbars_form = {number, number};
constexpr std::array read_rows_form = {number, number, number};
constexpr std::array move_form = {Argument{"", Slot::address}, Argument{"", Slot::address}, number};
constexpr std::array gather_form = {number, op_name, number, number};
constexpr std::array store_form = {op_name, number, number, number};

constexpr std::array form_table = {
    Form{Kind::wait, "wait", wait_form},
    Form{Kind::write_crossbar, "cim.writexb", write_crossbar_form},
    Form{Kind::write_rows, "cim.writerow", write_rows_form},
    Form{Kind::read_core, "cim.readcore", read_core_form},
    Form{Kind::read_crossbars, "cim.readxb", read_crossbars_form},
    Form{Kind::read_rows, "cim.readrow", read_rows_form},
    Form{Kind::move, "mov", move_form},
    Form{Kind::gather, "mov.window", gather_form},
    Form{Kind::store, "store", store_form},
    Form{Kind::wait_run, "wait", wait_run_form},
};

}  // namespace

std::span<const Form> forms() { return form_table; }

const Form* form_of(Kind kind) {
  const auto found =
      std::find_if(form_table.begin(), form_table.end(), [&](const Form& form) { return form.kind == kind; });
  return found == form_table.end() ? nullptr : &*found;
}

std::size_t expressions_of(const Form& form) {
  std::size_t count = 0;
  for (const Argument& argument : form.arguments) {
    if (argument.slot == Slot::expression) count += 1;
    if (argument.slot == Slot::range || argument.slot == Slot::address) count += 2;
  }
  return count;
}

bool has_body(Kind kind) {
  return kind == Kind::loop || kind == Kind::parallel || kind == Kind::row || kind == Kind::run;
}

bool names_operator(Kind kind) {
  if (kind == Kind::digital_row) return true;
  const Form* form = form_of(kind);
  return form != nullptr && std::any_of(form->arguments.begin(), form->arguments.end(),
                                        [](const Argument& a) { return a.slot == Slot::name; });
}

}  // namespace nestor::chip_program
