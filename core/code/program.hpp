// program.hpp — an encoding as formulas (core/formula), and who writes them as text of other programs. A typed encoding has one
// too (own.hpp), so that all are printed by the same printers.
// Names    those of own.hpp: b, n, L, H, d, and of each slot p, i, D, q, k, h, j; any other is a constant, a list or a
//          line before it.
#pragma once

#include "core/formula/write.hpp"
#include "core/scene/scene.hpp"

#include <string>
#include <vector>

namespace posiscope {

struct ProgramLine {
    std::string name, value;  // a formula
};

// The function of one slot (own.hpp); the last line is its value. "position", "frequency", "bias", …
struct ProgramSlot {
    std::string_view slot;
    std::vector<ProgramLine> lines;
};

struct Program {
    std::string title;
    std::vector<ProgramLine> constants;  // each a formula of those before it
    std::vector<std::pair<std::string, std::vector<double>>> lists;
    std::vector<ProgramSlot> slots;
    double base = 10000.0;           // b
    std::int64_t rotary_dim = 0;     // features of a head that are rotated; 0: all of head_dim
    std::int64_t rotary_offset = 0;  // features before them
    double attention_factor = 1.0;   // of cos and sin
    Json grid;                       // [t, h, w], where a slot is the axis of each pair; else null
    bool names_kept = false;         // its formula shows names, and their numbers beside them

    const ProgramSlot* find(std::string_view slot) const;
    void constant(std::string name, double value);
    // A factor on the logits, a formula. Empty ones change nothing.
    void scale(const std::string& factor);
};

// A Program with one formula for each slot, and the Scene's base.
Program plain_program(const Scene& scene, std::string title, std::vector<ProgramSlot> slots);

// Refused for encodings without formulas, such as tables and networks, and settings that formulas cannot say.
Result<Program> program_of(const Scene& scene);

// A number that every language reads as the same double; and as a formula has it, 10^18 instead of 1e+18.
std::string code_number(double value);
std::string latex_number(double value);

// --- Text of programs ------------------------------------------------------------------------------------

// Code of Python: functions of the slots, then inv_freq, cos, sin and rotate(x), or product(q, k) where query and key meet;
// table; biases; logits(q, k, h) of one head's q and k [length, head_dim] before the encoding, without a mask.
enum class Arrays { numpy, jax, pytorch };
std::string python_text(const Program& program, const Scene& scene, Arrays arrays);
// C++20: the same of one token, rotate(x, p), logit(q, k, m, j, h), table(), biases().
std::string cpp_text(const Program& program, const Scene& scene);
// Equations, ", \\quad " between them.
std::string latex_text(const Program& program, const Scene& scene);

// PyTorch's FlexAttention: score_mod(score, batch, h, q_idx, kv_idx), rotate(x) beside it, which no score_mod can do, and mask_mod
// where the mask, a window or chunks hide keys.
// Refused where q and k cannot be rotated one by one, and for what is added to the input.
Result<std::string> flex_attention(const Scene& scene);

// How q and k are made of a checkpoint's weights (scene/tensors.hpp), as Python after its program. Fails where the files cannot
// be read.
Result<std::string> projection_text(const Scene& scene, Arrays arrays);

// --- RoPE ------------------------------------------------------------------------------------------------

Result<Program> rope_program(const Scene& scene);
Result<std::string> rope_parameters_text(const Scene& scene);
// The config.json that the Scene's model was read from, with the Scene's rotation (models/document.hpp).
Result<std::string> config_text(const Scene& scene);
Result<std::string> vllm_flags(const Scene& scene);
Result<std::string> llama_cpp_flags(const Scene& scene);

}  // namespace posiscope
