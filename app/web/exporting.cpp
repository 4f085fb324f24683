#include "app/web/page.hpp"

#include "app/export/png.hpp"
#include "app/workbench/document/store.hpp"
#include "app/workbench/share/picture.hpp"
#include "core/code/code.hpp"
#include "core/quantities/quantities.hpp"

namespace posiscope::web {
namespace {

Result<std::string> numbers(const Scene& scene, std::string_view name, std::string_view ending) {
    const auto arrays = evaluate(*find_quantity(name), scene, available_memory());
    if (!arrays) return tl::unexpected(arrays.error());
    std::string bytes;
    const auto take = [&](std::string_view piece) { bytes += piece; };
    const std::string about = to_partial_json(scene).dump();
    if (ending == ".npy") {
        if (auto written = write_npy(*arrays, take); !written) return tl::unexpected(written.error());
    } else if (ending == ".csv") {
        write_csv(*arrays, about, take);
    } else {
        write_json(*arrays, about, take);
    }
    return bytes;
}

Result<std::string> picture_of(const workbench::Workbench& bench, const Scene& scene) {
    const panels::ExportDialog& dialog = bench.sharing.asking.target.dialog();
    workbench::Preferences preferences = bench.preferences;
    if (!dialog.theme.empty()) preferences.theme = dialog.theme;
    workbench::PictureOptions options;
    options.width = dialog.size[0], options.height = dialog.size[1];
    options.scale = dialog.dpi / 96.0;
    options.figure = dialog.figure;
    options.controls = dialog.controls;
    options.transparent = dialog.transparent;
    options.results = bench.training.trainer().bank();
    if (std::max(options.pixel_width(), options.pixel_height()) > workbench::kLargestPicture)
        return refuse("render.size", {{"value", fmt::format("{}x{}", dialog.size[0], dialog.size[1])},
                                      {"scale", fmt::format("{:g}", options.scale)},
                                      {"maximum", std::to_string(workbench::kLargestPicture)}});
    const auto text = exporting::scene_text(scene);
    if (!text) return tl::unexpected(text.error());
    const auto results =
        scene.bench == "experiment" ? workbench::results_text(options) : Result<std::string>();
    if (!results) return tl::unexpected(results.error());
    std::string bytes;
    exporting::PngWriter png({options.pixel_width(), options.pixel_height(), double(dialog.dpi),
                              options.transparent, *text, *results},
                             [&](std::string_view piece) { bytes += piece; });
    const auto drawn = workbench::picture(scene, preferences, options, [&](auto rows) { png.rows(rows); });
    if (!drawn) return tl::unexpected(drawn.error());
    png.finish();
    return bytes;
}

}  // namespace

Result<Image> printed(const workbench::Workbench& bench) {
    workbench::Preferences preferences = bench.preferences;
    preferences.theme = "light";
    workbench::PictureOptions options;
    const Rect seen = bench.layout.around(bench.sizing.alone());
    if (seen.empty()) return failure("export.failed", {{"path", ""}});
    options.width = static_cast<double>(seen.width()), options.height = static_cast<double>(seen.height());
    options.scale = std::min(3.0, 2400.0 / std::max(options.width, options.height));
    options.figure = bench.sizing.alone();
    options.transparent = true;
    options.results = bench.training.trainer().bank();
    return workbench::picture(bench.session.shown(), preferences, options);
}

Result<std::string> vector_request(const workbench::Workbench& bench, const Scene& scene) {
    const panels::ExportDialog& dialog = bench.sharing.asking.target.dialog();
    workbench::Preferences preferences = bench.preferences;
    if (!dialog.theme.empty()) preferences.theme = dialog.theme;
    workbench::PictureOptions options;
    options.results = bench.training.trainer().bank();
    const auto results =
        scene.bench == "experiment" ? workbench::results_text(options) : Result<std::string>(std::string());
    if (!results) return tl::unexpected(results.error());
    return Json{{"scene", to_json(scene)},
                {"preferences", workbench::to_json(preferences)},
                {"format", panels::ending(dialog)},
                {"figure", dialog.figure},
                {"width", dialog.size[0]},
                {"height", dialog.size[1]},
                {"scale", dialog.dpi / 96.0},
                {"transparent", dialog.transparent},
                {"results", *results}}
        .dump();
}

Result<std::string> exported(const workbench::Workbench& bench, const workbench::Exports::Order& order) {
    const std::string& what = order.words.front();
    if (what == "data")
        return numbers(order.scene, order.words[1], panels::ending(bench.sharing.asking.target.dialog()));
    if (what == "code") return find_code_form(order.words[1])->write(order.scene);
    return picture_of(bench, order.scene);
}

}  // namespace posiscope::web
