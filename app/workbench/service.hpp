// service.hpp — carries out the requests of a frame (share/requests.hpp): files, dialogs, pictures, exports. It reaches the
// system only through app/platform, so a desktop window and a web page share it.
#pragma once

#include "app/platform/clipboard.hpp"
#include "app/platform/file_dialog.hpp"
#include "app/workbench/workbench.hpp"
#include "core/jobs/inbox.hpp"
#include "core/jobs/pool.hpp"

#include <variant>

namespace posiscope::workbench {

class Service {
public:
    // `folder` is the default place for pictures and exports. Calls `wake` from another thread when a result is ready.
    Service(
        Workbench& bench, std::filesystem::path folder, const std::function<void()>& wake = [] {});

    // True if reading one of these takes longer than a frame.
    static bool takes_long(std::span<const std::string> paths);
    // Files opened before the workbench was made; it already shows the first.
    void adopt(std::vector<Opened> cards);
    // Opens files, such as those dropped on the window; large ones are read beside it. `typed`: in our own dialog, which
    // shows the result.
    void open(std::span<const std::string> paths, bool typed = false);
    // Files are being read beside the window; the next run_requests() after that shows them.
    bool reading() const { return !reader_.idle(); }

    // Call after each frame, with the seconds on the caller's clock.
    void run_requests(std::span<const Request> requests, double seconds);

private:
    // The tables that the frame wanted and did not wait for.
    struct Tables {
        std::vector<std::string> paths;
    };
    struct Reading {
        Scene over;  // the Scene when it was asked for
        bool typed = false;
        std::variant<Documents::Read, Documents::Again, Tables> files;
    };
    // Beside the window if one of these paths is large, or it takes longer than a frame may.
    void read(Reading reading, std::span<const std::string> paths);
    void take(Reading reading);
    void take_read();
    Result<void> show(const Documents::Opening& opening);
    Result<void> save_scene(const Target& target);
    void say(const Result<void>& done);
    void carry_out(const panels::Command& command);
    void carry_out(const Exports::Order& order);
    void edit_lesson(panels::Verb verb);
    void enter_path(const std::string& path);
    void choose_target(bool scene);
    void save_picture(const std::string& figure, std::string_view ending);
    void copy_picture(const std::string& figure);
    void save_results(std::string_view ending);
    void reload();
    void add_step();
    Result<void> add_step(const Target& target, bool anew = false);
    // The lesson's file as it is now, and where the step that is on stands in it.
    struct OwnStep {
        std::string path, text;
        std::size_t index;
    };
    Result<OwnStep> own_step() const;
    // Writes what `make` makes of it and shows that; false where it was refused, which is said.
    bool change_step(std::string_view toast, const std::function<Result<std::string>(const OwnStep&)>& make);
    // Writes a lesson's file, and keeps what was there until the next change.
    Result<void> write_lesson(const std::string& path, std::string_view before, const std::string& after);
    void restore_lesson();
    void record_task();
    void move_step(int by);
    void write_lesson_out(bool slides);
    void save(const std::filesystem::path& path, std::string_view bytes);
    void take_answer();
    void take_copied();
    void tell_of_exports();

    Workbench& bench_;
    struct LessonChange {
        std::string path, before, after;
    };
    std::optional<LessonChange> last_change_;  // of a lesson's file
    std::filesystem::path folder_;
    platform::FileDialog dialog_;
    platform::PictureClipboard clipboard_;
    jobs::Inbox<Reading> read_;
    jobs::Pool reader_;  // the last member: its thread ends first
};

}  // namespace posiscope::workbench
