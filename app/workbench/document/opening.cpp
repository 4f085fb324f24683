#include "app/workbench/document/opening.hpp"

#include "app/export/png.hpp"
#include "app/ui/known.hpp"
#include "app/workbench/document/lesson_file.hpp"
#include "core/encodings/encodings.hpp"
#include "core/experiment/shown.hpp"
#include "core/formats/file.hpp"
#include "core/formats/table.hpp"
#include "core/measure/report.hpp"
#include "core/models/config_parts.hpp"
#include "core/models/gguf_config.hpp"
#include "core/models/models.hpp"
#include "core/scene/source.hpp"
#include "core/scene/tensors.hpp"
#include "core/scene/words.hpp"

#include <algorithm>

namespace posiscope::workbench {
namespace {

// Numbers that are measured before a table is opened: all of a table of as many, else its first ones. They take seconds.
constexpr std::size_t kMostMeasured = 1 << 20, kFirstMeasured = 1 << 18;
constexpr std::string_view kTableBegins = "\x93NUMPY", kPictureBegins = "\x89PNG";

std::string absolute(const std::string& path) {
    std::error_code error;
    return std::filesystem::absolute(path, error).lexically_normal().string();
}

// The first of a long array's numbers, which say what it is.
StoredTensor beginning(StoredTensor dump) {
    const std::int64_t row = std::max<std::int64_t>(dump.row(), 1);
    if (dump.shape.empty() || dump.values.size() <= kMostMeasured) return dump;
    dump.shape[0] =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(kFirstMeasured) / row, 1, dump.shape[0]);
    dump.values.resize(static_cast<std::size_t>(dump.shape[0] * row));
    return dump;
}

// True for what the Scene or a known model makes, however damaged: cos and sin, positions, frequencies, biases.
bool is_dump(std::span<const StoredTensor> arrays, const Scene& present) {
    const auto known = [&](std::span<const measuring::Reference> references, bool own) {
        measuring::Wanted wanted;
        (own ? wanted.references : wanted.known) = references;
        const auto report =
            measuring::report_on_all(arrays, wanted, own ? std::span(&present, 1) : std::span<const Scene>());
        if (!report || report->measured.verdict == measuring::Verdict::unknown) return false;
        // Waves that nothing explains are the Scene's only if there are as many.
        const auto& found = report->measured;
        return !own || found.given ||
               (!references.empty() && std::ssize(found.pairs) == references[0].pairs());
    };
    return known(measuring::references_of_layers(present), true) || known(ui::known_spectra(), false);
}

// The Scene with a dump on the bench that measures it.
Opened on_bench(const std::string& path, const std::string& after, const Scene& present) {
    Opened made{path, present, {}, {}, {}};
    made.scene.bench = "measured";
    Json& dump = made.scene.view["dump"] = {{"file", path}};
    allow_table(path);
    if (after.empty()) return made;
    dump["after"] = after;
    allow_table(after);
    return made;
}

// An array that is no learned table: it is measured beside the Scene.
Result<Opened> as_dump(const std::string& path, const Scene& present) {
    const auto dump = read_tensor(path, "");
    if (!dump) return tl::unexpected(dump.error());
    const StoredTensor some = beginning(*dump);
    if (!is_dump(std::span(&some, 1), present)) return failure("recognised.none");
    return on_bench(path, "", present);
}

// An array of a form that no Scene names: it is recognised. Where there are several, the sentence leads to the command that
// takes a name; where there is none, it is `otherwise`.
Result<Opened> as_array(const std::string& path, const Scene& present, const Problem* otherwise = nullptr) {
    auto dump = as_dump(path, present);
    if (dump || dump.error().key == "recognised.none") return dump;
    if (const std::string* names = value_of(dump.error(), "names"); dump.error().key == "tensor.which")
        return failure("file.several", {{"path", path}, {"names", names != nullptr ? *names : ""}});
    if (otherwise != nullptr) return tl::unexpected(*otherwise);
    return tl::unexpected(in_file(dump.error(), path));
}

// W_q and W_k of a checkpoint, with heads as wide as its q_norm, or as those of the present Scene: its config.json was
// opened before.
Result<Opened> as_checkpoint(const std::string& path, const Scene& present) {
    allow_table(path);
    forget_stored(path);
    Json content{{"kind", "checkpoint"}, {"file", path}};
    auto named = overlay(present, {{"content", content}});
    if (!named) return tl::unexpected(in_file(named.error(), path));
    auto heads = stored_heads(named->scene.content);
    if (!heads && heads.error().key == "content.no_head_dim" && head_dim(present) % 2 == 0) {
        named->scene.content.parameters["head_dim"] = head_dim(present);
        heads = stored_heads(named->scene.content);
    }
    if (!heads) return tl::unexpected(heads.error());
    content["head_dim"] = heads->head_dim;
    auto laid = overlay(present, {{"content", content},
                                  {"num_heads", heads->heads},
                                  {"head_dim", heads->head_dim},
                                  {"d_model", std::min(heads->heads * heads->head_dim, kLargestWidth)}});
    if (!laid) return tl::unexpected(in_file(laid.error(), path));
    return Opened{path, std::move(laid->scene), std::move(laid->adjusted), {}, {}};
}

bool has_weights(const std::string& path) {
    const auto names = tensor_names(path);
    return names && std::any_of(names->begin(), names->end(),
                                [](const std::string& name) { return name.ends_with(".weight"); });
}

Result<Opened> as_table(const std::string& path, const Scene& present);

// The arrays q and k of one .safetensors file, the weights of a checkpoint, or a table alone.
Result<Opened> as_heads(const std::string& path, const Scene& present) {
    const auto names = tensor_names(path);
    if (names && names->size() == 1) return as_table(path, present);
    const auto q = TensorFile::open(path, "q"), k = TensorFile::open(path, "k");
    if (!q || !k) return has_weights(path) ? as_checkpoint(path, present) : as_dump(path, present);
    allow_table(path);
    forget_stored(path);
    const Json content{
        {"kind", "tensors"}, {"query", path}, {"key", path}, {"query_name", "q"}, {"key_name", "k"}};
    const auto named = overlay(present, {{"content", content}});
    if (!named) return tl::unexpected(in_file(named.error(), path));
    const auto heads = stored_heads(named->scene.content);
    if (!heads) return tl::unexpected(in_file(heads.error(), path));
    auto laid = overlay(present, {{"content", content},
                                  {"num_heads", heads->heads},
                                  {"head_dim", heads->head_dim},
                                  {"d_model", std::min(heads->heads * heads->head_dim, kLargestWidth)},
                                  {"length", heads->rows}});
    if (!laid) return tl::unexpected(in_file(laid.error(), path));
    return Opened{path, std::move(laid->scene), std::move(laid->adjusted), {}, {}};
}

Result<Opened> as_table(const std::string& path, const Scene& present) {
    allow_table(path);
    renew_table(path);  // opened again, it is read again
    auto dump = as_dump(path, present);
    if (dump) return dump;
    const auto table = table_of_rows(path);
    if (!table) return tl::unexpected(table.error());
    auto laid = overlay(present, {{"encoding", {{"kind", "learned"}, {"table", path}}},
                                  {"d_model", (*table)->columns()},
                                  {"length", std::min(present.length, (*table)->rows())}});
    if (!laid) return tl::unexpected(in_file(laid.error(), path));
    return Opened{path, std::move(laid->scene), std::move(laid->adjusted), {}, {}};
}

Result<Opened> as_config(const std::string& path, Result<ModelScene> model, const Scene& present) {
    if (!model) return tl::unexpected(in_file(model.error(), path));
    name_origin(*model, ui::known_models(), path);
    auto laid = with_model(present, *model);
    if (!laid) return tl::unexpected(in_file(laid.error(), path));
    // Remarks on its settings are made of whatever Scene is shown.
    const auto remarks = remarks_on(laid->scene);
    std::erase_if(model->notes, [&](const Problem& note) {
        return std::find(remarks.begin(), remarks.end(), note) != remarks.end();
    });
    return Opened{path, std::move(laid->scene), std::move(laid->adjusted), std::move(model->notes), {}};
}

Result<Opened> as_lesson(const std::string& path, std::string_view text) {
    auto lesson = read_lesson(path, text);
    if (!lesson) return tl::unexpected(lesson.error());
    auto scene = lessons::step_scene(**lesson, (*lesson)->steps.front());
    if (!scene) return tl::unexpected(in_file(scene.error(), path));
    return Opened{path, std::move(*scene), {}, {}, {}, std::move(*lesson), std::string(text)};
}

Result<Opened> as_scene(const std::string& path, Json json) {
    (void)admit(json, Source::file(path));  // what it may not read is asked for once it is shown
    auto laid = overlay(Scene(), json);
    if (!laid) return tl::unexpected(in_file(laid.error(), path));
    return Opened{path, std::move(laid->scene), std::move(laid->adjusted), {}, {}};
}

std::shared_ptr<const experiment::Results> shared(experiment::Results results) {
    return std::make_shared<const experiment::Results>(std::move(results));
}

Result<Opened> as_results(const std::string& path, const std::string& text) {
    auto results = experiment::results_from(text);
    if (!results) return tl::unexpected(in_file(results.error(), path));
    auto opened = as_scene(path, experiment::scene_of(results->settings));
    if (opened) opened->results = shared(std::move(*results));
    return opened;
}

}  // namespace

Result<Opened> open_file(const std::string& given, const Scene& present) {
    const std::string path = absolute(given);
    if (!is_utf8(path)) return failure("file.utf8", {{"path", as_utf8(path)}});
    if (auto refused = refused_yaml(path)) return tl::unexpected(std::move(*refused));
    if (path.ends_with(".npy")) return as_table(path, present);
    if (path.ends_with(".safetensors")) return as_heads(path, present);
    if (path.ends_with(".gguf")) {
        const auto config = config_of_gguf(path);
        return config ? as_config(path, read_config(*config), present)
                      : as_array(path, present, &config.error());
    }
    if (path.ends_with(".npz") || path.ends_with(".pt")) return as_array(path, present);
    if (path.ends_with(".safetensors.index.json")) return as_checkpoint(path, present);
    const auto as_picture = [&] {
        auto opened =
            exporting::scene_in_png(path).and_then([&](const Json& json) { return as_scene(path, json); });
        if (!opened) return opened;
        const auto text = exporting::results_in_png(path);
        if (!text || text->empty()) return opened;
        auto results = experiment::results_from(*text);
        if (!results) return Result<Opened>(tl::unexpected(in_file(results.error(), path)));
        opened->results = shared(std::move(*results));
        return opened;
    };
    if (path.ends_with(".png")) return as_picture();
    const auto text = read_file(path);
    if (!text) return tl::unexpected(text.error());
    if (text->starts_with(kTableBegins)) return as_table(path, present);
    if (text->starts_with(kPictureBegins)) return as_picture();
    const auto first = text->find_first_not_of(" \t\r\n");
    if (first == std::string::npos || ((*text)[first] != '{' && (*text)[first] != '[')) {
        const Problem unknown{"file.unknown", {{"path", path}}, Cause::failure};
        return as_array(path, present, &unknown);  // numbers as text
    }
    auto json = parse_json(*text);
    if (!json)  // Python writes Infinity
        if (auto config = parse_json(without_infinities(*text)); config && looks_like_config(*config))
            json = std::move(config);
    if (!json) return tl::unexpected(in_file(json.error(), path));
    if (experiment::looks_like_results(*json)) return as_results(path, *text);
    if (looks_like_lesson(*json)) return as_lesson(path, *text);
    return looks_like_config(*json) ? as_config(path, read_config_text(*text), present)
                                    : as_scene(path, *json);
}

std::optional<Opened> open_both(const std::string& first, const std::string& second, const Scene& present) {
    const std::string before = absolute(first), after = absolute(second);
    std::vector<StoredTensor> arrays;
    for (const std::string& path : {before, after}) {
        auto dump = is_utf8(path) ? read_tensor(path, "") : failure("recognised.none");
        if (!dump || dump->values.size() > kMostMeasured) return std::nullopt;
        arrays.push_back(std::move(*dump));
    }
    if (!is_dump(arrays, present)) return std::nullopt;
    return on_bench(before, after, present);
}

}  // namespace posiscope::workbench
