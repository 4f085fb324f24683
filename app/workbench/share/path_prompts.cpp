#include "app/workbench/share/path_prompts.hpp"

namespace posiscope::workbench {
namespace {

template <std::size_t N>
void put(std::string_view text, std::array<char, N>& into) {
    into.fill('\0');
    text.copy(into.data(), into.size() - 1);
}

// A word as a shell takes it.
std::string quoted(const std::string& word) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/%@";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string out = "'";
    for (const char c : word) {
        if (c == '\'') out.append("'\\'");
        out.push_back(c);
    }
    out.push_back('\'');
    return out;
}

// The path that may not be used without asking again.
std::string refused_by(const Result<void>& done, std::string_view path) {
    return !done && done.error().cause == Cause::taken ? std::string(path) : std::string();
}

}  // namespace

void AskPath::open(For purpose, std::string_view suggested) {
    dialog_ = {};
    dialog_.purpose = purpose;
    dialog_.fresh = true;
    refused_.clear();
    put(suggested, dialog_.text);
}

void AskPath::answered(const Result<void>& done) {
    refused_ = refused_by(done, dialog_.text.data());
    if (done) dialog_ = {};
    else dialog_.problem = done.error();
}

void AskExport::open(std::string_view figure, const Scene& scene, std::array<int, 2> seen, int steps) {
    dialog_.open = dialog_.fresh = true;
    dialog_.problem.reset();
    const auto last = static_cast<int>(std::min<std::int64_t>(scene.length, kLastPosition) - 1);
    dialog_.last_position = std::max(last, 1);
    dialog_.last_step = steps;
    if (steps > 0) dialog_.over = "step";
    else if (dialog_.over == "step") dialog_.over = "position";
    dialog_.range = {0, steps > 0 ? steps : dialog_.last_position};
    suggest(figure, scene, seen);
}

void AskExport::suggest(std::string_view figure, const Scene& scene, std::array<int, 2> seen) {
    dialog_.figure = figure;
    dialog_.quantity = {};
    dialog_.size = seen;
    if (dialog_.fresh || dialog_.path.data() == fmt::format("{}{}", suggested_, ending_)) suggest_name(scene);
}

void AskExport::suggest_name(const Scene& scene) {
    ending_ = panels::ending(dialog_);
    suggested_ = free_path(folder_, file_stem(dialog_.figure, scene), ending_).string();
    set_path(suggested_);
    suggested_.resize(suggested_.size() - ending_.size());
}

void AskExport::follow_ending(const Scene& scene) {
    const std::string_view ending = panels::ending(dialog_);
    if (ending == ending_) return;
    if (dialog_.path.data() == fmt::format("{}{}", suggested_, ending)) return suggest_name(scene);
    ending_ = ending;
}

void AskExport::set_path(std::string_view path) {
    put(path, dialog_.path);
    dialog_.problem.reset();
    refused_.clear();
}

void AskExport::answered(const Result<void>& done) {
    dialog_.open = !done;
    dialog_.problem = done ? std::nullopt : std::optional(done.error());
    refused_ = refused_by(done, dialog_.path.data());
}

Target AskExport::target() const {
    const std::string path = dialog_.path.data();
    return {path, path == refused_};
}

std::filesystem::path free_path(const std::filesystem::path& folder, std::string_view stem,
                                std::string_view ending) {
    std::filesystem::path path = folder / fmt::format("{}{}", stem, ending);
    std::error_code ignored;
    for (int n = 2; std::filesystem::exists(path, ignored); ++n)
        path = folder / fmt::format("{}-{}{}", stem, n, ending);
    return path;
}

std::string file_stem(std::string_view figure, const Scene& scene) {
    return fmt::format("posiscope-{}-p{}-k{}", figure.empty() ? std::string_view(scene.bench) : figure,
                       scene.position, scene.offset);
}

std::string shell_line(std::span<const std::string> words, const Scene& scene) {
    std::string line = "posiscope";
    for (const std::string& word : words) line.append(" ").append(quoted(word));
    const Json partial = to_partial_json(scene);
    for (const auto& [key, value] : partial.items())
        if (key != "version") line.append(" --set ").append(quoted(fmt::format("{}={}", key, value.dump())));
    return line;
}

}  // namespace posiscope::workbench
