// export_command.cpp — the command line of an export.
#include "app/panels/export_dialog.hpp"

namespace posiscope::panels {

std::string_view ending(const ExportDialog& d) {
    using Kind = ExportDialog::Kind;
    switch (d.kind) {
        case Kind::png: return ".png";
        case Kind::pdf: return ".pdf";
        case Kind::svg: return ".svg";
        case Kind::film: return d.film;
        case Kind::numbers: return d.numbers;
        case Kind::code: break;
    }
    constexpr std::pair<std::string_view, std::string_view> endings[] = {
        {"numpy", ".py"}, {"pytorch", ".py"},           {"flex_attention", ".py"},
        {"cpp", ".cpp"},  {"rope_parameters", ".json"}, {"latex", ".tex"}};
    for (const auto& [form, its] : endings)
        if (form == d.code) return its;
    return ".txt";
}

std::vector<std::string> command_of(const ExportDialog& d, std::string_view own_quantity,
                                    std::string_view theme, std::string_view language) {
    using Kind = ExportDialog::Kind;
    std::vector<std::string> words;
    const auto add = [&](std::initializer_list<std::string_view> more) {
        words.insert(words.end(), more.begin(), more.end());
    };
    const bool picture = d.kind != Kind::numbers && d.kind != Kind::code;
    if (picture) add({"render"});
    else if (d.kind == Kind::code) add({"code", d.code});
    else add({"data", d.quantity.empty() ? own_quantity : d.quantity});
    add({"-o", d.path.data()});
    if (picture) {
        if (!d.figure.empty()) add({"--figure", d.figure});
        const bool pixels = d.kind == Kind::png || d.kind == Kind::film;
        add({"--size", fmt::format("{}x{}", d.size[0], d.size[1]), "--dpi", std::to_string(d.dpi), "--theme",
             d.theme.empty() ? theme : d.theme});
        if (d.transparent && d.kind != Kind::film) add({"--transparent"});
        if (d.controls && pixels) add({"--controls"});
    }
    if (d.kind == Kind::film) {
        add({"--over", d.over, "--from", std::to_string(d.range[0]), "--to", std::to_string(d.range[1])});
        if (d.film != "-%04d.png") add({"--fps", std::to_string(d.fps)});
    }
    add({"--lang", language});
    return words;
}

}  // namespace posiscope::panels
