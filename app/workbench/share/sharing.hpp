// sharing.hpp — what leaves the window: exports, pictures, numbers, code and links by the clipboard; and what comes in by it.
#pragma once

#include "app/workbench/document/session.hpp"
#include "app/workbench/share/clipboard.hpp"
#include "app/workbench/share/copy_numbers.hpp"
#include "app/workbench/share/qr_code.hpp"
#include "app/workbench/share/requests.hpp"
#include "app/workbench/train/training.hpp"
#include "app/workbench/window/appearance.hpp"
#include "app/workbench/window/layout.hpp"
#include "app/workbench/window/notices.hpp"
#include "core/scene/link.hpp"

namespace posiscope::workbench {

class Sharing {
public:
    // `background` computes what takes long; `requests` are those of the frame.
    Sharing(Session& session, Layout& layout, Preferences& preferences, Appearance& appearance,
            Notices& notices, const Training& training, const figures::Derived& derived, Requests& requests,
            const std::function<void()>& wake);

    void copy(const Result<std::string>& text, std::string_view toast);
    // Copies a figure's numbers, or the row of them that `line` highlights.
    void copy_numbers(const figures::Figure& figure, const figures::Link* line = nullptr);
    void finish_copying();  // call once a frame
    void copy_link();
    // The line that says of a dump what its bench shows, with the settings that it is beside.
    void copy_check(bool beside_settings);
    void show_room_code();
    // A link, a scene, or numbers to be compared with the encoding's.
    void paste();
    // Shows what a link holds, as an undo step, or says why not.
    void open_link(const Link& link);
    std::string link() const;  // of what is shown now

    // Opens the export dialog for a figure; empty: the bench.
    void ask_export(std::string_view figure);
    // The dialog's view, valid until the next call; and how its answers are served.
    panels::ExportState dialog();
    void apply_export_dialog(const panels::ExportState& state, std::string_view figure_before);
    // A scene may name a file outside its own folder: somebody decides whether it is read. False: nothing is asked.
    bool ask_questions(const ui::Look& look, Rect room, const LessonPlace& place,
                       std::vector<panels::ControlMark>* marks);

    // Shows and asks what another one does.
    void copy_view_state(const Sharing& other) {
        asking = other.asking;
        either = other.either;
        room_code = other.room_code;
    }

    Asking asking;
    std::optional<Either> either;  // to be asked
    Clipboard clipboard;
    Exports exports;
    RoomCode room_code;

private:
    std::string page() const;  // the address that links begin with; empty where none is known
    std::vector<std::string> export_words(const panels::ExportState& state) const;
    std::array<int, 2> seen_size(std::string_view figure) const;

    Session& session_;
    Layout& layout_;
    Preferences& preferences_;
    Appearance& appearance_;
    Notices& notices_;
    const Training& training_;
    const figures::Derived& derived_;
    Requests& requests_;
    Copying copying_;
    std::vector<std::string_view> figure_ids_{""},
        quantity_ids_;  // figure_ids_ begins with "", the whole bench
};

}  // namespace posiscope::workbench
