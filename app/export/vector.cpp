#include "app/export/vector.hpp"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <fmt/format.h>
#include <stdexcept>
#include <unordered_map>

namespace posiscope::exporting {
namespace {

constexpr double kPdfUnits = 72.0 / 96.0;  // per point

cairo_status_t append(void* bytes, const unsigned char* data, unsigned length) {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '&') out += "&amp;";
        else if (c == '<') out += "&lt;";
        else if (c == '>') out += "&gt;";
        else out += c;
    }
    return out;
}

// Cairo numbers its surfaces over the life of a process; renumbers them from 1 within the file.
std::string renumbered(const std::string& svg) {
    constexpr std::string_view kNames[] = {"surface", "image", "source", "mask", "clip", "linear", "radial"};
    std::string out;
    std::unordered_map<std::string, std::size_t> numbers;
    out.reserve(svg.size());
    for (std::size_t at = 0; at < svg.size();) {
        bool replaced = false;
        for (const std::string_view name : kNames) {
            const bool begins = at > 0 && (svg[at - 1] == '"' || svg[at - 1] == '#') &&
                                svg.compare(at, name.size(), name) == 0;
            std::size_t end = at + name.size();
            while (begins && end < svg.size() && svg[end] >= '0' && svg[end] <= '9') ++end;
            if (!begins || end == at + name.size()) continue;
            const auto known = numbers.emplace(svg.substr(at, end - at), numbers.size() + 1).first;
            out.append(name).append(std::to_string(known->second));
            at = end;
            replaced = true;
            break;
        }
        if (!replaced) out += svg[at++];
    }
    return out;
}

// Letters are as wide as the outlines, whatever font a viewer has.
std::string unseen_text(std::span<const canvas::Vector::Text> texts) {
    std::string out = "<g font-family=\"sans-serif\" fill-opacity=\"0\">\n";
    for (const canvas::Vector::Text& text : texts)
        out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:.2f}\" textLength=\"{:.2f}\" "
                           "lengthAdjust=\"spacingAndGlyphs\">{}</text>\n",
                           text.x, text.y, text.size, text.width, escaped(text.words));
    return out + "</g>\n";
}

}  // namespace

struct VectorPage::State {
    VectorHead head;
    std::string bytes;
    canvas::Typefaces typefaces;

    explicit State(const VectorHead& given) : head(given), typefaces(given.typeface) {}
    cairo_surface_t* surface = nullptr;
    cairo_t* cairo = nullptr;
    std::unique_ptr<canvas::Vector> canvas;

    void end_page() const {
        canvas->flush();
        cairo_show_page(cairo);
        check();
    }
    // After an error Cairo draws nothing more, and says so only when it is asked.
    void check() const {
        for (const cairo_status_t status : {cairo_status(cairo), cairo_surface_status(surface)}) {
            if (status == CAIRO_STATUS_NO_MEMORY) throw std::bad_alloc();
            if (status != CAIRO_STATUS_SUCCESS)
                throw std::logic_error(std::string("Cairo refused a page of ours: ") +
                                       cairo_status_to_string(status));
        }
    }
    ~State() {
        cairo_destroy(cairo);
        cairo_surface_destroy(surface);
    }
};

VectorPage::VectorPage(const VectorHead& head) : state_(std::make_unique<State>(head)) {
    State& s = *state_;
    const double unit = head.format == VectorFormat::pdf ? kPdfUnits : 1.0;
    if (head.format == VectorFormat::pdf) {
        s.surface =
            cairo_pdf_surface_create_for_stream(append, &s.bytes, unit * head.width, unit * head.height);
        cairo_pdf_surface_set_metadata(s.surface, CAIRO_PDF_METADATA_TITLE, head.title.c_str());
        cairo_pdf_surface_set_metadata(s.surface, CAIRO_PDF_METADATA_CREATOR, "Posiscope " POSISCOPE_VERSION);
        cairo_pdf_surface_set_metadata(s.surface, CAIRO_PDF_METADATA_CREATE_DATE, "1970-01-01T00:00:00Z");
    } else {
        s.surface = cairo_svg_surface_create_for_stream(append, &s.bytes, head.width, head.height);
        cairo_svg_surface_set_document_unit(s.surface, CAIRO_SVG_UNIT_PX);
    }
    // A heatmap keeps its pixels; Cairo's resolution affects only what it would have to rasterise.
    cairo_surface_set_fallback_resolution(s.surface, head.dpi, head.dpi);
    s.cairo = cairo_create(s.surface);
    cairo_scale(s.cairo, unit * head.scale, unit * head.scale);
    s.canvas = std::make_unique<canvas::Vector>(s.cairo, s.typefaces,
                                                static_cast<float>(head.dpi / 96.0 * head.scale));
}

VectorPage::~VectorPage() = default;

canvas::Canvas& VectorPage::canvas() { return *state_->canvas; }

void VectorPage::next_page() { state_->end_page(); }

void VectorPage::push_origin(Point at, double scale) {
    state_->canvas->flush();
    cairo_save(state_->cairo);
    cairo_translate(state_->cairo, static_cast<double>(at.x), static_cast<double>(at.y));
    cairo_scale(state_->cairo, scale, scale);
}

void VectorPage::pop_origin() {
    state_->canvas->flush();
    cairo_restore(state_->cairo);
}

std::string VectorPage::finish() {
    State& s = *state_;
    s.end_page();
    cairo_surface_finish(s.surface);
    s.check();
    if (s.head.format == VectorFormat::pdf) return std::move(s.bytes);
    std::string svg = renumbered(s.bytes);
    svg.insert(svg.rfind("</svg>"), unseen_text(s.canvas->texts()));
    const std::size_t root = svg.find("<svg");
    svg.insert(svg.find('>', root) + 1, "\n<title>" + escaped(s.head.title) + "</title>");
    return svg;
}

}  // namespace posiscope::exporting
