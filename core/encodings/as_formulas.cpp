#include "core/encodings/as_formulas.hpp"

#include "core/formula/evaluate.hpp"
#include "core/formula/write.hpp"

#include <fmt/format.h>
#include <functional>
#include <map>

namespace posiscope {
namespace {

bool starts_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool in_word(char c) { return starts_word(c) || (c >= '0' && c <= '9'); }

// Each name of a text as `meaning` has it; functions keep theirs, but pick is our if.
std::string with_names(std::string_view text, const std::function<std::string(std::string_view)>& meaning) {
    std::string made;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at + 1;
        if (starts_word(text[at]))
            while (end < text.size() && in_word(text[end])) ++end;
        else if (in_word(text[at]))  // 2.5 and 1e-300
            while (end < text.size() &&
                   (in_word(text[end]) || text[end] == '.' || (text[end] == '-' && text[end - 1] == 'e')))
                ++end;
        const std::string_view word = text.substr(at, end - at);
        at = end;
        if (word == " ") continue;  // a slot is limited to 500 bytes
        if (!starts_word(word[0])) made += word;
        else if (at < text.size() && text[at] == '(') made += word == "pick" ? "if" : word;
        else made += meaning(word);
    }
    return made;
}

class Inlined {
public:
    Inlined(const CodeSketch& program, const Scene& scene, std::span<const TypedName> free, Json& values)
        : scene_(scene), free_(free), values_(values) {
        for (const CodeLine& line : program.sizes) sizes_[line.name] = line.value;
        for (const CodeLine& line : program.constants) constants_[line.name] = line.value;
        for (const CodeLine& line : program.body) body_[line.name] = line.value;
    }

    std::string text(std::string_view line) {
        return with_names(line, [&](std::string_view name) -> std::string {
            for (const auto& [word, typed] : free_)
                if (word == name) return std::string(typed);
            if (const auto found = body_.find(name); found != body_.end())
                return fmt::format("({})", text(found->second));
            if (const auto found = sizes_.find(name); found != sizes_.end()) return found->second;
            const auto found = constants_.find(name);
            if (found == constants_.end()) return std::string(name);  // pi, divisors[i]
            if (name == "base" && found->second == code_number(scene_.base)) return "b";
            values_[std::string(name)] = number(found->second);
            return std::string(name);
        });
    }

private:
    // A constant, also one that follows from others.
    double number(std::string_view value) const {
        const std::string plain = with_names(value, [&](std::string_view name) -> std::string {
            if (const auto found = sizes_.find(name); found != sizes_.end()) return found->second;
            const auto found = constants_.find(name);
            return found == constants_.end() ? std::string(name) : code_number(number(found->second));
        });
        const auto parsed = formula::parse(plain, "");
        return parsed ? formula::value_of(*parsed, std::vector<formula::Binding>(parsed->names().size()))
                      : 0.0;
    }

    using Lines = std::map<std::string, std::string, std::less<>>;
    Lines sizes_, constants_, body_;
    const Scene& scene_;
    std::span<const TypedName> free_;
    Json& values_;
};

}  // namespace

Json typed_slots(std::initializer_list<TypedSlot> slots, Json values) {
    Json made = empty_object();
    for (const TypedSlot& slot : slots) made[std::string(slot.slot)] = slot.text;
    if (!values.empty()) made["values"] = std::move(values);
    return made;
}

Result<std::string> typed_line(const CodeSketch& program, const Scene& scene, std::string_view line,
                               std::initializer_list<TypedName> free, Json& values) {
    const std::string text =
        Inlined(program, scene, std::span<const TypedName>(free.begin(), free.size()), values).text(line);
    if (!program.divisors.empty()) values["divisors"] = program.divisors;
    const auto parsed = formula::parse(text, "encoding");
    if (!parsed) return tl::unexpected(parsed.error());
    return formula::write(*parsed, formula::Notation::typed);  // without a bracket too many
}

Result<Json> as_formulas(const Scene& scene) {
    const Encoding& encoding = encoding_of(scene);
    if (encoding.slots.as_formulas == nullptr)
        return failure(std::string(encoding.slots.not_formulas), {{"kind", scene.encoding.kind}});
    return encoding.slots.as_formulas(scene).map([&](Json made) {
        made["from"] = scene.encoding.kind;
        return made;
    });
}

}  // namespace posiscope
