#include "core/encodings/as_formulas.hpp"

#include "core/code/writing.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace posiscope {
namespace {

// Slots as one formula each: their lines put into the last one, constants as numbers with their names.
class Inlined {
public:
    Inlined(const Program& program, const Scene& scene)
        : program_(program),
          known_(known_numbers(program, scene)),
          scene_(scene),
          whole_(rotary_width(program, scene) == head_dim(scene)) {}

    // Refused where one formula cannot hold all of it.
    Result<std::string> text(const ProgramSlot& slot) {
        std::string made = line(slot, slot.lines.size() - 1);
        if (slot.slot == "frequency" && !whole_)
            made = fmt::format("i < {}/2 ? {} : 0", known_.at("d"), made);
        return formula::parse(made, "encoding").map([](const formula::Formula& whole) {
            return formula::write(whole, formula::Notation::typed);  // without a bracket too many
        });
    }

    Json values = empty_object();

private:
    std::string line(const ProgramSlot& slot, std::size_t which) {
        const auto name = [&](std::string_view word) -> std::string {
            for (std::size_t before = 0; before < which; ++before)
                if (slot.lines[before].name == word) return "(" + line(slot, before) + ")";
            if (word == "d" && slot.slot == "frequency" && !whole_) return code_number(known_.at("d"));
            if (word == "b" && program_.base != scene_.base) {
                values["base"] = program_.base;
                return "base";
            }
            for (const auto& [list, numbers] : program_.lists)
                if (list == word) values[list] = numbers;
            for (const ProgramLine& constant : program_.constants)
                if (constant.name == word) values[constant.name] = known_.at(constant.name);
            return std::string(word);
        };
        std::string made =
            formula::write(parsed(slot.lines[which].value), formula::Notation::typed, {.name = name});
        std::erase(made, ' ');  // a slot is limited to 500 bytes
        return made;
    }

    const Program& program_;
    const KnownNumbers known_;
    const Scene& scene_;
    bool whole_;
};

}  // namespace

// With a partial rotary width the first features are the first pairs only if pairs are neighbours.
Result<Json> as_formulas(const Scene& scene) {
    auto program = program_of(scene);
    if (!program) return tl::unexpected(program.error());
    const bool whole = rotary_width(*program, scene) == head_dim(scene);
    if (program->rotary_offset != 0 ||
        (!whole && (scene.layout == PairLayout::halves || program->attention_factor != 1.0)))
        return failure("own.not_partial", {{"kind", scene.encoding.kind}});
    if (program->attention_factor != 1.0) {
        program->constant("attention_factor", program->attention_factor);
        program->scale("attention_factor^2");
    }
    Json made = empty_object();
    Inlined inlined(*program, scene);
    for (const ProgramSlot& slot : program->slots) {
        auto text = inlined.text(slot);
        if (!text) return tl::unexpected(text.error());
        made[std::string(slot.slot)] = std::move(*text);
    }
    if (!inlined.values.empty()) made["values"] = std::move(inlined.values);
    if (!program->grid.is_null()) made["grid"] = program->grid;
    made["from"] = scene.encoding.kind;
    return made;
}

}  // namespace posiscope
