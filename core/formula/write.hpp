// write.hpp — a formula in the notation of other programs.
//   typed    as parse() reads it, with no bracket too many
//   latex    \frac{1}{2}\,b^{-2i/d}: as it is set in a paper
//   screen   the part of LaTeX that the interface sets (app/ui/formula.hpp)
//   numpy    np.where(c, x, y) …: every name is a number or an array
//   jax      the same with jnp
//   pytorch  the same for tensors; what holds no tensor is written with math.log, since torch.log wants one
//   cpp      double expressions with <cmath>
// In programs x/y is float division, and a condition that is used as a number is 1.0 or 0.0, as evaluate() has it.
#pragma once

#include "core/formula/formula.hpp"

#include <functional>

namespace posiscope::formula {

enum class Notation { typed, latex, screen, numpy, jax, pytorch, cpp };

struct Words {
    // How a name is written; nothing: as it is (in LaTeX, longer ones upright and with their digits as an index).
    std::function<std::string(std::string_view)> name = {};
    // True if a name is a tensor; empty: all are. Asked by pytorch alone.
    std::function<bool(std::string_view)> tensor = {};
    // In mathematics: numbers will stand for the names, so that every product shows its sign.
    bool numbers = false;
};

std::string write(const Formula& formula, Notation notation, const Words& words = {});

}  // namespace posiscope::formula
