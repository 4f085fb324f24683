// code.cpp — posiscope code FORM [-o OUT]: the encoding as a program, a config object, flags or a formula.
#include "core/code/code.hpp"
#include "app/commands/command.hpp"
#include "app/commands/streams.hpp"

#include <memory>

namespace posiscope::commands {
namespace code_command {
namespace {

struct Typed {
    std::string form, output;
};

Result<void> run(const Typed& typed, const SharedOptions& shared, const Terminal& terminal) {
    const CodeForm* form = find_code_form(typed.form);
    if (form == nullptr) {
        std::vector<std::string_view> names;
        for (const CodeForm& known : code_forms()) names.push_back(known.id);
        return tl::unexpected(not_one_of("FORM", typed.form, names));
    }
    const auto scene = shared.scene(terminal);
    if (!scene) return tl::unexpected(scene.error());
    const auto text = form->write(*scene);
    if (!text) return tl::unexpected(text.error());
    auto file = open_output(typed.output);
    if (!file) return tl::unexpected(file.error());
    file->write(*text);
    return file->commit();
}

Run add(CLI::App& app, const SharedOptions& shared, const Strings& strings) {
    auto typed = std::make_shared<Typed>();
    add_option(app, "FORM", typed->form, strings.text("option.form.help"), "");
    add_option(app, "-o,--output", typed->output, strings.text("option.output.help"), "OUT");
    return [typed, &shared](const Terminal& terminal) { return run(*typed, shared, terminal); };
}

}  // namespace
}  // namespace code_command

extern const Command kCode{"code", code_command::add};

}  // namespace posiscope::commands
