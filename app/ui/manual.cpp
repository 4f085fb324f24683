#include "app/ui/manual.hpp"

#include "app/ui/assets.hpp"
#include "core/mathematics.hpp"

#include <array>
#include <fmt/format.h>

namespace posiscope::ui {
namespace {

// The words of a text without its marks: `code`, **strong**, *stressed*, [a link](where); its mathematics stays marked.
std::string plain(std::string_view text) {
    std::string words;
    bool code = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view rest = text.substr(i);
        if (text[i] == '`') {
            code = !code;
        } else if (code) {
            words += text[i];
        } else if (const auto close = rest.find('$', 1); text[i] == '$' && close != std::string_view::npos) {
            words += mathematics::read(rest.substr(0, close + 1));
            i += close;
        } else if (rest.starts_with("](")) {
            const auto end = rest.find(')');
            if (end == std::string_view::npos) words += text[i];
            else i += end;
        } else if (text[i] == '[' && rest.find("](") != std::string_view::npos) {
            continue;
        } else if (text[i] == '\\' && i + 1 < text.size() &&
                   std::string_view("|*`[]\\").find(text[i + 1]) != std::string_view::npos) {
            words += text[++i];
        } else if (text[i] != '*') {
            words += text[i];
        }
    }
    return words;
}

std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

bool is_chinese(std::string_view at_end) {
    return at_end.size() >= 3 && static_cast<unsigned char>(at_end[at_end.size() - 3]) >= 0xE2;
}

class Reader {
public:
    ManualPage read(std::string_view text) {
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            line(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        finish();
        return std::move(page_);
    }

private:
    using Kind = ManualPart::Kind;

    void line(std::string_view text) {
        if (text.starts_with("```")) {
            finish();
            code_ = !code_;
        } else if (code_) {
            page_.parts.push_back({Kind::code, std::string(text), {}});
        } else if (text.starts_with("# ")) {
            page_.title = plain(text.substr(2));
        } else if (text.starts_with("#")) {
            finish();
            page_.parts.push_back(
                {Kind::heading, plain(trimmed(text.substr(text.find_first_not_of('#')))), {}});
        } else if (text.starts_with("|")) {
            finish();
            row(text);
        } else if (text.starts_with("- ")) {
            finish();
            kind_ = Kind::item;
            held_ = text.substr(2);
        } else if (trimmed(text).empty()) {
            finish();
        } else if (held_.empty()) {
            held_ = trimmed(text);
        } else {  // a paragraph goes on; Chinese without a space
            held_ += is_chinese(held_) ? "" : " ";
            held_ += trimmed(text);
        }
    }

    void row(std::string_view text) {
        ManualPart part{Kind::row, {}, {}};
        std::size_t cell = 0;
        text.remove_prefix(1);
        while (!text.empty()) {
            std::size_t end = text.find('|');
            while (end != std::string_view::npos && end > 0 && text[end - 1] == '\\')
                end = text.find('|', end + 1);
            if (end == std::string_view::npos) break;
            const std::string words = plain(trimmed(text.substr(0, end)));
            if (cell == 0) part.text = words;
            else part.more += part.more.empty() ? words : words.empty() ? "" : " · " + words;
            text.remove_prefix(end + 1);
            ++cell;
        }
        const bool rule = part.text.find_first_not_of("-: ") == std::string::npos;
        if (!rule || part.more.find_first_not_of("-:· ") != std::string::npos)
            page_.parts.push_back(std::move(part));
    }

    void finish() {
        if (!held_.empty()) page_.parts.push_back({kind_, plain(held_), {}});
        held_.clear();
        kind_ = Kind::words;
    }

    ManualPage page_;
    std::string held_;
    Kind kind_ = Kind::words;
    bool code_ = false;
};

}  // namespace

ManualPage read_manual_page(std::string_view text) { return Reader().read(text); }

const std::vector<ManualPage>& manual(Language language) {
    static const auto all = [] {
        std::array<std::vector<ManualPage>, 2> both;
        for (const Language one : {Language::english, Language::chinese})
            for (const std::string_view name : assets::names(fmt::format("manual/{}/", code(one))))
                both[static_cast<std::size_t>(one)].push_back(read_manual_page(assets::file(name)));
        return both;
    }();
    return all[static_cast<std::size_t>(language)];
}

}  // namespace posiscope::ui
