// code_sketch.hpp — an encoding as formulas, independent of a language, and who writes them as text.
// Expressions use the common subset of Python and C++: + - * /, pow, log, log1p, floor, ceil, min, max, abs and
// pick(condition, yes, no); integers are divided only by numbers with a decimal point.
#pragma once

#include "core/scene/scene.hpp"

#include <string>
#include <vector>

namespace posiscope {

struct CodeLine {
    std::string name, value;
};

// A function of positions beside the main one.
struct CodeFunction {
    std::string name;
    std::vector<std::string> arguments;
    std::string value;
};

struct CodeSketch {
    enum class Makes { table, rotation, bias };

    Makes makes = Makes::table;
    std::string title;
    std::vector<CodeLine> sizes;      // whole numbers: length, d_model, pairs …
    std::vector<CodeLine> constants;  // numbers, and values derived from them
    std::vector<double> divisors;     // LongRoPE's list, one per pair
    // The body of frequency(i) or bias_at(head, query, key); the last line's value is the result.
    std::vector<CodeLine> body;
    std::vector<CodeFunction> functions;  // query_factor(position), distance(query, key)
    bool halves = false;                  // pairs (i, i + pairs) instead of (2i, 2i + 1)
    std::optional<std::int64_t> zero;     // a row of zeros
    // Equations, ", \\quad " between them. Every letter but p, i, j, h and those of the vectors has its own equation, so that
    // the formula can be evaluated (tests/latex.py).
    std::string latex;
};

// The encoding must have a CodeSketch. Refused for settings that it cannot say, such as seeded values or a grid.
Result<CodeSketch> program_of(const Scene& scene);

// With the sizes that a bias for each head, query and key has.
CodeSketch bias_program(const Scene& scene, std::string title);

// A number that both languages read as the same double; and as a formula has it, 10^18 instead of 1e+18.
std::string code_number(double value);
std::string latex_number(double value);

// Writes a CodeSketch in one language. Cannot fail: program_of() has refused encodings without a formula.
std::string numpy_text(const CodeSketch& program);
std::string pytorch_text(const CodeSketch& program);
std::string cpp_text(const CodeSketch& program);

// How q and k are made of a checkpoint's weights (scene/tensors.hpp), as Python.
enum class Arrays { numpy, pytorch };  // what the program before it computes with

// The code after the program of an encoding that has `rotate` or `bias`. Fails where the files cannot be read.
Result<std::string> projection_text(const Scene& scene, const CodeSketch& program, Arrays arrays);

// RoPE and its scalings as formulas, config objects and flags.
Result<CodeSketch> rope_program(const Scene& scene);
Result<std::string> rope_parameters_text(const Scene& scene);
// The config.json that the Scene's model was read from, with the Scene's rotation (models/document.hpp).
Result<std::string> config_text(const Scene& scene);
Result<std::string> vllm_flags(const Scene& scene);
Result<std::string> llama_cpp_flags(const Scene& scene);

// Programs of typed formulas (core/encodings/own.hpp), and score_mod of whatever can be written as formulas.
// The Scene with its encoding as formulas (as_formulas.hpp), refused where there are none.
Result<Scene> as_typed(const Scene& scene);

// NumPy: frequency(i), position(p), bias(q, k, h), …; inv_freq and rotate(x), or product(q, k) where query and key meet; table;
// logits(q, k, h) of one head's q and k [length, head_dim] before the encoding, without a mask.
Result<std::string> typed_numpy(const Scene& scene);
// PyTorch: the same on tensors of float64. C++20: rotate(x, p) of one token, logit(q, k, m, j, h), table().
Result<std::string> typed_pytorch(const Scene& scene);
Result<std::string> typed_cpp(const Scene& scene);
// The formulas, each as an equation.
Result<std::string> typed_latex(const Scene& scene);

// PyTorch's FlexAttention: score_mod(score, batch, h, q_idx, kv_idx) and rotate(x) beside it, which no score_mod can do; mask_mod, where the
// mask, a window or chunks hide keys.
// Refused where q and k cannot be rotated one by one, and for what is added to the input.
Result<std::string> flex_attention(const Scene& scene);

}  // namespace posiscope
