#include "app/ui/lines.hpp"

namespace posiscope::ui {

std::size_t line_end(const Measure& measure, std::string_view text, Face face, float size, float width) {
    std::size_t fits = 0;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t next = i + 1;
        while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0U) == 0x80U) ++next;
        if (i > 0 && measure.text_width(text.substr(0, next), face, size) > width) return fits > 0 ? fits : i;
        const bool wide = next - i >= 3 && static_cast<unsigned char>(text[i]) >= 0xE3U;
        const std::string_view follows = text.substr(next, 3);
        const bool closing = follows == "，" || follows == "。" || follows == "；" || follows == "：" ||
                             follows == "）" || follows == "、" || follows == "”";
        if (text[i] == ' ' || (wide && !closing)) fits = next;
        i = next;
    }
    return text.size();
}

}  // namespace posiscope::ui
