// A reference to something that can be called, as std::function_ref of C++26: for what a function calls
// before it returns. A large function that takes one, and not any type, is in the program once.
//
//     void each_divisor(Int n, FunctionRef<void(Int)> visit);
//     each_divisor(12, [&](Int divisor) { sum += divisor; });
#pragma once

#include <memory>

namespace nestor {

template <typename Signature>
class FunctionRef;

template <typename Result, typename... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  /// Of what outlives it, as a temporary does in the call that it is made for.
  template <typename Callable>
  FunctionRef(const Callable& callable)
      : callable_(std::addressof(callable)), call_([](const void* object, Arguments... arguments) -> Result {
          return (*static_cast<const Callable*>(object))(arguments...);
        }) {}

  Result operator()(Arguments... arguments) const { return call_(callable_, arguments...); }

 private:
  const void* callable_;
  Result (*call_)(const void*, Arguments...);
};

}  // namespace nestor
