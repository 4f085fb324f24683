// stacks.hpp — what the programs that run models do with the RoPE of a config.json: transformers, vLLM, llama.cpp.
// One record a stack in stacks.cpp: the files that were read, at which commit, and a row for each rope_type as configs spell it.
// Only what those files show is said. A model's own class may do more: where it was not read, the answer is `unread`.
#pragma once

#include "core/json.hpp"
#include "core/problem.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace posiscope {

enum class Loading {
    loads,    // and rotates as the config means
    differs,  // loads, and rotates otherwise
    ignores,  // runs without the scaling
    unread,   // up to code of the model's class that was not read
    refuses,  // ends with an error
};
std::string_view name_of(Loading does);  // "loads", …

struct StackRule;
struct Scaled;
struct StackAnswer {
    Loading does = Loading::loads;
    std::vector<Problem> why;  // "stack.KEY", the reasons; empty where it loads and there is nothing to add

    bool operator==(const StackAnswer&) const = default;
};
struct Stack {
    std::string_view name;  // as its makers write it
    std::string_view code;  // the code form (core/code) with the same settings for it
    std::string_view read;  // repository, files and commits
    std::span<const StackRule> rules;
    const StackRule* otherwise;  // of a rope_type without a row
    void (*details)(const Scaled& one, StackAnswer& answer);
};
std::span<const Stack> stacks();

// What a stack does with a config's object (rope_parameters, else rope_scaling), of every kind of layer: the worst counts.
// Also of configs that read_config refuses. Takes whatever JSON there is; values are read where they have the right type.
StackAnswer answer_of(const Stack& stack, const Json& config);

}  // namespace posiscope
