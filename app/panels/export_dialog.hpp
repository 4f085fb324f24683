// export_dialog.hpp — the dialog for all exports: content, format, size and path. Its result is a command line of
// `posiscope`, so that the window and the command write the same.
#pragma once

#include "app/panels/panel.hpp"

#include <span>

namespace posiscope::panels {

struct ExportDialog {
    enum class Kind { png, pdf, svg, film, numbers, code };
    bool open = false;
    bool fresh = false;       // opened this frame
    std::string_view figure;  // the single figure; empty: the bench
    Kind kind = Kind::png;
    std::array<int, 2> size{1280, 800};  // points
    int dpi = 192;
    std::string_view theme;  // empty: the window's
    bool transparent = false, controls = false;
    std::string_view film = ".mp4", over = "position";
    std::array<int, 2> range{0, 127};
    int last_position = 127, last_step = 0;  // what a range goes to; 0: there are no steps
    int fps = 30;
    std::string_view numbers = ".csv";  // their file's ending
    std::string_view quantity;          // empty: the figure's own
    std::string_view code = "numpy";
    std::array<char, 4096> path{};
    float room = 0.0F;               // points, above the path
    std::optional<Problem> problem;  // why it cannot be
};

// The dialog's inputs.
struct ExportState {
    ExportDialog& dialog;
    std::span<const std::string_view> figures;     // to choose from
    std::span<const std::string_view> quantities;  // that the Scene's encoding has
    std::string_view own_quantity;                 // of the figure; empty: it has none
    std::array<int, 2> seen{};                     // the current size in points
};

// The ending of its file; of numbered pictures "-%04d.png".
std::string_view ending(const ExportDialog& dialog);

// The words after "posiscope", except the Scene. `theme` and `language` are the window's.
std::vector<std::string> command_of(const ExportDialog& dialog, std::string_view own_quantity,
                                    std::string_view theme, std::string_view language);

}  // namespace posiscope::panels
