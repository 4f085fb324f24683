// main.cpp — writes a scene as PDF or SVG in a worker of the page, as the desktop leaves an export to another process.
// worker.js brings what the page has, then what is asked for (app/web/exporting.cpp), and takes the file away.
#include "app/ui/assets.hpp"
#include "app/workbench/document/store.hpp"
#include "app/workbench/share/picture.hpp"
#include "core/experiment/results.hpp"
#include "core/formats/file.hpp"
#include "core/formats/table.hpp"

#include <emscripten.h>

namespace {

using namespace posiscope;

Result<void> write(const Json& request) {
    auto laid = overlay(Scene(), request.at("scene"));
    if (!laid) return tl::unexpected(laid.error());
    const auto figure = request.at("figure").get<std::string>();
    workbench::PictureOptions options;
    options.width = request.at("width"), options.height = request.at("height");
    options.scale = request.at("scale");
    options.transparent = request.at("transparent");
    options.figure = figure;
    if (const auto text = request.at("results").get<std::string>(); !text.empty()) {
        auto results = experiment::results_from(text);
        if (!results) return tl::unexpected(results.error());
        options.results = std::make_shared<const experiment::Bank>(
            experiment::bank_of(std::move(*results), experiment::Origin::own));
    }
    const auto format =
        request.at("format") == ".pdf" ? exporting::VectorFormat::pdf : exporting::VectorFormat::svg;
    return write_file(
        "/made", workbench::vector_picture(
                     laid->scene, workbench::preferences_from(request.at("preferences")), options, format));
}

}  // namespace

// Embeds nothing: the page has it all.
std::span<const posiscope::assets::detail::Entry> posiscope::assets::detail::table() noexcept { return {}; }

extern "C" {

// A file of the program's own.
EMSCRIPTEN_KEEPALIVE void posiscope_asset(const char* name, const char* bytes, std::size_t size) {
    assets::arrived(name, std::string(bytes, size));
}
// A file that somebody opened in the page, under the same name here.
EMSCRIPTEN_KEEPALIVE void posiscope_allow(const char* path) { allow_table(path); }
// Null once the file is at /made, else the reason.
EMSCRIPTEN_KEEPALIVE const char* posiscope_write(const char* request) {
    static std::string why;
    try {
        const auto written = write(Json::parse(request));
        if (written) return nullptr;
        why = to_string(written.error());
    } catch (const std::exception& error) {
        why = error.what();
    }
    return why.c_str();
}
}

int main() { return 0; }
