#include "app/export/png.hpp"

#include <array>
#include <cmath>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <png.h>
#include <stdexcept>

namespace posiscope::exporting {

struct PngWriter::State {
    Sink sink;
    png_structp png = nullptr;
    png_infop info = nullptr;
    std::size_t row_size = 0;

    ~State() { png_destroy_write_struct(&png, &info); }
};

namespace {

void append(png_structp png, png_bytep data, std::size_t size) {
    (*static_cast<PngWriter::Sink*>(png_get_io_ptr(png)))({reinterpret_cast<const char*>(data), size});
}

[[noreturn]] void refused() { throw std::logic_error("libpng refused a picture of ours"); }

void add_text(png_structp png, png_infop info, const char* key, std::string& bytes, int compression) {
    if (bytes.empty()) return;
    std::string keyword = key;
    std::array<char, 1> none{};
    png_text text{};
    text.compression = compression;
    text.key = keyword.data();
    text.text = bytes.data();
    text.lang = text.lang_key = none.data();
    png_set_text(png, info, &text, 1);  // copies it
}

}  // namespace

Result<std::string> scene_text(const Scene& scene) {
    std::string text = to_json(scene).dump();
    if (text.size() > kLargestSceneText)
        return failure("png.scene_large", {{"bytes", std::to_string(text.size())},
                                           {"maximum", std::to_string(kLargestSceneText)}});
    return text;
}

PngWriter::PngWriter(const PngHead& head, Sink sink) : state_(std::make_unique<State>()) {
    State& s = *state_;
    s.sink = std::move(sink);
    s.row_size = 4 * static_cast<std::size_t>(head.width);
    std::string scene(head.scene), results(head.results);
    s.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    s.info = png_create_info_struct(s.png);
    // libpng's errors jump here. With our own sizes they are bugs.
    if (setjmp(png_jmpbuf(s.png)) != 0) refused();
    png_set_write_fn(s.png, &s.sink, append, nullptr);
    png_set_IHDR(s.png, s.info, static_cast<png_uint_32>(head.width), static_cast<png_uint_32>(head.height),
                 8, head.transparent ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(s.png, s.info, PNG_sRGB_INTENT_PERCEPTUAL);
    const auto per_metre = static_cast<png_uint_32>(std::lround(head.dpi / 0.0254));
    png_set_pHYs(s.png, s.info, per_metre, per_metre, PNG_RESOLUTION_METER);
    add_text(s.png, s.info, kSceneKeyword, scene, PNG_ITXT_COMPRESSION_NONE);
    add_text(s.png, s.info, kResultsKeyword, results, PNG_ITXT_COMPRESSION_zTXt);
    // Flat surfaces and thin lines compress best without a filter, and the fastest level is as good as the slow ones.
    png_set_compression_level(s.png, 1);
    png_set_filter(s.png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_write_info(s.png, s.info);
    if (!head.transparent) png_set_filler(s.png, 0, PNG_FILLER_AFTER);
}

PngWriter::~PngWriter() = default;

void PngWriter::rows(std::span<const std::uint8_t> rgba) {
    if (setjmp(png_jmpbuf(state_->png)) != 0) refused();
    for (std::size_t at = 0; at < rgba.size(); at += state_->row_size)
        png_write_row(state_->png, rgba.data() + at);
}

void PngWriter::finish() {
    if (setjmp(png_jmpbuf(state_->png)) != 0) refused();
    png_write_end(state_->png, nullptr);
}

std::string png(const Image& image, PngHead head) {
    head.width = image.width;
    head.height = image.height;
    std::string bytes;
    PngWriter writer(head, [&](std::string_view piece) { bytes += piece; });
    writer.rows(image.rgba);
    writer.finish();
    return bytes;
}

namespace {

// State that survives libpng's jumps, which skip destructors: its callbacks hold no resources.
struct Source {
    explicit Source(FileReader& opened) : file(opened) {}
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;
    ~Source() { png_destroy_read_struct(&png, &info, nullptr); }

    FileReader& file;
    Result<std::size_t> last = std::size_t{0};
    bool text_lost = false;
    std::size_t held = 0;  // bytes that libpng has of us
    png_structp png = nullptr;
    png_infop info = nullptr;
};

void pull(png_structp png, png_bytep data, std::size_t size) {
    Source& source = *static_cast<Source*>(png_get_io_ptr(png));
    std::span<char> rest(reinterpret_cast<char*>(data), size);
    while (!rest.empty()) {
        source.last = source.file.read(rest);
        if (!source.last || *source.last == 0) png_error(png, "it ends too early");
        rest = rest.subspan(*source.last);
    }
}

void stop(png_structp png, png_const_charp) { png_longjmp(png, 1); }

// libpng drops a text that is broken or too long, and reports it here with the name of the chunk.
void warned(png_structp png, png_const_charp message) {
    if (std::strncmp(message, "iTXt", 4) == 0) static_cast<Source*>(png_get_error_ptr(png))->text_lost = true;
}

// libpng allocates the size that a chunk claims before it reads any of it, only warns at its own limit, and keeps every
// text until the end. So there is one budget for all of it; each block begins with its size.
constexpr std::size_t kReading = std::size_t{48} << 20;
constexpr std::size_t kBefore = alignof(std::max_align_t);

png_voidp allocate(png_structp png, png_alloc_size_t size) {
    Source& source = *static_cast<Source*>(png_get_mem_ptr(png));
    if (size > kReading || source.held + size > kReading) return nullptr;
    auto* const block = static_cast<char*>(std::malloc(size + kBefore));
    if (block == nullptr) return nullptr;
    const std::size_t bytes = size;
    std::memcpy(block, &bytes, sizeof(bytes));
    source.held += bytes;
    return block + kBefore;
}
void release(png_structp png, png_voidp memory) {
    if (memory == nullptr) return;
    char* const block = static_cast<char*>(memory) - kBefore;
    std::size_t bytes = 0;
    std::memcpy(&bytes, block, sizeof(bytes));
    static_cast<Source*>(png_get_mem_ptr(png))->held -= bytes;
    std::free(block);
}

bool read_head(Source& source) {
    if (setjmp(png_jmpbuf(source.png)) != 0) return false;
    png_set_read_fn(source.png, &source, pull);
    png_set_sig_bytes(source.png, 8);
    png_set_chunk_malloc_max(source.png, kLargestSceneText + 1024);  // unpacked
    png_set_user_limits(source.png, 0x7fffffff, 0x7fffffff);         // no pixel is read
    png_read_info(source.png, source.info);
    return true;
}

}  // namespace

namespace {

// The text of that keyword; empty where there is none.
Result<std::string> text_in_png(const std::filesystem::path& path, const char* keyword) {
    auto file = FileReader::open(path);
    if (!file) return tl::unexpected(file.error());
    const auto refused_as = [&](const char* key) { return failure(key, {{"path", path.string()}}); };
    Source source(*file);
    std::array<char, 8> signature{};
    for (std::size_t have = 0; have < signature.size();) {
        const auto count = file->read(std::span(signature).subspan(have));
        if (!count) return tl::unexpected(count.error());
        if (*count == 0) break;
        have += *count;
    }
    if (png_sig_cmp(reinterpret_cast<png_const_bytep>(signature.data()), 0, signature.size()) != 0)
        return refused_as("png.not_png");
    source.png =
        png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &source, stop, warned, &source, allocate, release);
    if (source.png == nullptr) throw std::bad_alloc();
    source.info = png_create_info_struct(source.png);
    const bool whole = read_head(source);
    if (!source.last) return tl::unexpected(source.last.error());
    if (!whole) return refused_as("png.damaged");
    png_textp texts = nullptr;
    int count = 0;
    png_get_text(source.png, source.info, &texts, &count);
    for (const png_text& text : std::span(texts, static_cast<std::size_t>(count))) {
        if (std::strcmp(text.key, keyword) != 0) continue;
        const std::size_t length = text.compression > 0 ? text.itxt_length : text.text_length;
        if (length > kLargestSceneText) return refused_as("png.damaged");
        return std::string(text.text, length);
    }
    if (source.text_lost) return refused_as("png.damaged");
    return std::string();
}

}  // namespace

Result<Json> scene_in_png(const std::filesystem::path& path) {
    const auto text = text_in_png(path, kSceneKeyword);
    if (!text) return tl::unexpected(text.error());
    if (text->empty()) return failure("png.no_scene", {{"path", path.string()}});
    auto json = parse_json(*text);
    if (!json) return tl::unexpected(in_file(json.error(), path.string()));
    return json;
}

Result<std::string> results_in_png(const std::filesystem::path& path) {
    return text_in_png(path, kResultsKeyword);
}

}  // namespace posiscope::exporting
