// sharing.hpp — what leaves the window: exports, pictures, numbers, code and links by the clipboard; and what comes in by it.
#pragma once

#include "app/canvas/screen/screen.hpp"
#include "app/ui/look.hpp"
#include "app/workbench/document/session.hpp"
#include "app/workbench/share/copy_numbers.hpp"
#include "app/workbench/share/path_prompts.hpp"
#include "app/workbench/share/requests.hpp"
#include "app/workbench/train/training.hpp"
#include "app/workbench/window/appearance.hpp"
#include "app/workbench/window/layout.hpp"
#include "app/workbench/window/notices.hpp"
#include "core/problem.hpp"
#include "core/scene/link.hpp"

#include <functional>
#include <string>
#include <vector>

namespace posiscope::workbench {

// The link of the scene as a QR code, large enough for a room.
class RoomCode {
public:
    // A code of more could not be read from the last row: link.room_long. Without an address it opens nothing: link.no_page.
    static constexpr std::size_t kMost = 300;  // bytes
    Result<void> show(const std::string& page, const std::string& fragment);
    void hide() { side_ = 0; }
    bool shown() const { return side_ > 0; }

    // In the middle of `room`; a click or Escape hides it.
    void draw(canvas::Screen& screen, const ui::Look& look, Rect room) const;

private:
    int side_ = 0;  // modules
    std::vector<bool> dark_;
    std::string link_;
};

// Text to and from the clipboard.
class Clipboard {
public:
    // A way that can report failure; the default is ImGui's.
    using Set = std::function<Result<void>(const char*)>;
    void set_way(Set set) { set_ = std::move(set); }

    Result<void> put(const std::string& text) const;
    Result<std::string> text() const;  // refused if empty

private:
    Set set_;
};

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
    // The dialog's view, valid until the next call.
    panels::ExportState dialog();
    // Once it is drawn; the figure that it had before.
    void follow_export_dialog(std::string_view figure_before);
    void start_export();
    void copy_export_command();
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
    std::vector<std::string> export_words();
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
