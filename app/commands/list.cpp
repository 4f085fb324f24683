// list.cpp — posiscope list KIND: what there is, one id a line, with its name where it has one.
#include "app/commands/command.hpp"
#include "app/commands/usage.hpp"
#include "app/figures/figure.hpp"
#include "app/workbench/benches.hpp"
#include "core/formats/file.hpp"
#include "core/quantities/quantities.hpp"
#include "core/scaling/scaling.hpp"

#include <algorithm>

namespace posiscope::commands {
namespace {

struct List {
    std::string_view kind;
    std::string_view word;  // a name's key is "WORD.ID.name"
    std::vector<std::string_view> (*ids)();
};

template <class Registry, class Id>
std::vector<std::string_view> ids_of(const Registry& registry, Id id) {
    std::vector<std::string_view> ids;
    for (const auto& entry : registry) ids.push_back(id(entry));
    return ids;
}

std::span<const List> lists() {
    static const std::vector<List> all = {
        {"encodings", "option.encoding",
         [] { return ids_of(encodings(), [](const Encoding* e) { return e->kind; }); }},
        {"scalings", "scaling",
         [] { return ids_of(scalings(), [](const Scaling* s) { return s->rope_type; }); }},
        {"figures", "figure",
         [] { return ids_of(figures::figures(), [](const figures::Figure* f) { return f->id; }); }},
        {"benches", "bench",
         [] { return ids_of(workbench::benches(), [](const workbench::Bench& b) { return b.id; }); }},
        {"quantities", "quantity",
         [] { return ids_of(quantities(), [](const Quantity* q) { return q->name; }); }},
    };
    return all;
}

Result<void> run(const std::string& kind, const Terminal& terminal) {
    const auto list =
        std::find_if(lists().begin(), lists().end(), [&](const List& l) { return l.kind == kind; });
    if (list == lists().end())
        return tl::unexpected(
            not_one_of("KIND", kind, ids_of(lists(), [](const List& l) { return l.kind; })));
    const std::vector<std::string_view> ids = list->ids();
    std::size_t widest = 0;
    for (const std::string_view id : ids) widest = std::max(widest, id.size());
    FileWriter out = FileWriter::standard_output();
    for (const std::string_view id : ids) {
        const std::string key = fmt::format("{}.{}.name", list->word, id);
        if (terminal.strings.contains(key))
            out.write(fmt::format("{:<{}}  {}\n", id, widest, terminal.strings.text(key)));
        else out.write(fmt::format("{}\n", id));
    }
    return out.commit();
}

Run add(CLI::App& app, const SharedOptions&, const Strings& strings) {
    auto kind = std::make_shared<std::string>();
    app.add_option("KIND", *kind,
                   std::string(strings.text("option.kind.help")) +
                       joined(ids_of(lists(), [](const List& l) { return l.kind; })))
        ->type_name("");
    return [kind](const Terminal& terminal) { return run(*kind, terminal); };
}

}  // namespace

extern const Command kList{"list", add};

}  // namespace posiscope::commands
