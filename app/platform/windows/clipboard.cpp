// Pictures as PNG, which most programs take, and as a bitmap for those that know nothing else.
#include "app/platform/clipboard.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <png.h>

#include <windows.h>

namespace posiscope::platform {
namespace {

// Memory that the clipboard takes over.
class Global {
public:
    explicit Global(std::size_t size) : memory_(::GlobalAlloc(GMEM_MOVEABLE, size)) {}
    ~Global() {
        if (memory_ != nullptr) ::GlobalFree(memory_);
    }
    Global(const Global&) = delete;
    Global& operator=(const Global&) = delete;

    template <class Fill>
    bool fill(Fill fill_in) {
        void* const at = memory_ == nullptr ? nullptr : ::GlobalLock(memory_);
        if (at == nullptr) return false;
        const bool well = fill_in(static_cast<std::byte*>(at));
        ::GlobalUnlock(memory_);
        return well;
    }
    bool hand_over(UINT format) {
        if (::SetClipboardData(format, memory_) == nullptr) return false;
        memory_ = nullptr;
        return true;
    }

private:
    HGLOBAL memory_;
};

bool copy_png(std::string_view png) {
    Global memory(png.size());
    return memory.fill([&](std::byte* at) { return std::memcpy(at, png.data(), png.size()) != nullptr; }) &&
           memory.hand_over(::RegisterClipboardFormatW(L"PNG"));
}

bool copy_bitmap(std::string_view png) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&image, png.data(), png.size()) == 0) return false;
    image.format = PNG_FORMAT_BGRA;
    Global memory(sizeof(BITMAPV5HEADER) + PNG_IMAGE_SIZE(image));
    const bool filled = memory.fill([&](std::byte* at) {
        BITMAPV5HEADER head{};
        head.bV5Size = sizeof head;
        head.bV5Width = static_cast<LONG>(image.width);
        head.bV5Height = static_cast<LONG>(image.height);  // its last row first
        head.bV5Planes = 1;
        head.bV5BitCount = 32;
        head.bV5Compression = BI_BITFIELDS;
        head.bV5SizeImage = static_cast<DWORD>(PNG_IMAGE_SIZE(image));
        head.bV5RedMask = 0x00ff0000;
        head.bV5GreenMask = 0x0000ff00;
        head.bV5BlueMask = 0x000000ff;
        head.bV5AlphaMask = 0xff000000;
        head.bV5CSType = 0x73524742;  // LCS_sRGB, which is a word of four letters
        head.bV5Intent = LCS_GM_IMAGES;
        std::memcpy(at, &head, sizeof head);
        const auto row = -static_cast<png_int_32>(PNG_IMAGE_ROW_STRIDE(image));
        return png_image_finish_read(&image, nullptr, at + sizeof head, row, nullptr) != 0;
    });
    png_image_free(&image);
    return filled && memory.hand_over(CF_DIBV5);
}

}  // namespace

std::array<std::vector<std::string>, 2> clipboard_commands(bool) { return {}; }

// Another program that has the clipboard open keeps it for some milliseconds.
Result<void> PictureClipboard::copy(std::string_view png) {
    constexpr int kTries = 10;
    bool open = false;
    for (int i = 0; i < kTries && !open; ++i) {
        if (i > 0) ::Sleep(10);
        open = ::OpenClipboard(::GetActiveWindow()) != 0;
    }
    if (!open) return refuse("clipboard.none");
    const bool copied = ::EmptyClipboard() != 0 && copy_png(png) && copy_bitmap(png);
    ::CloseClipboard();
    if (!copied) return refuse("clipboard.none");
    name_ = "Windows";
    return {};
}

std::optional<Result<void>> PictureClipboard::take() {
    if (name_.empty()) return std::nullopt;
    name_.clear();
    return Result<void>();
}

}  // namespace posiscope::platform
