// open_files.hpp — the open files: their order, recent files, changes on disk. It returns the Scene to show as a value and does
// not know who shows it.
// Files are checked when a frame is drawn, at most once a second: a watcher would need a thread and a system interface.
#pragma once

#include "app/panels/outside.hpp"
#include "app/workbench/document/opening.hpp"

#include <filesystem>

namespace posiscope::workbench {

class Documents {
public:
    // Keeps `recent` up to date: paths of opened files, the latest first.
    explicit Documents(std::vector<std::string>& recent) : recent_(recent) {}

    // The file to show now, if any, and one Problem per file that could not be opened.
    struct Opening {
        const Opened* shown = nullptr;
        std::vector<Problem> refused;
    };
    // Files that were opened before the window.
    Opening adopt(std::vector<Opened> cards);
    // Reads all of `paths` that can be read; any thread may. Each is laid over `present`, or over the config before it.
    struct Read {
        std::vector<std::string> paths;
        std::vector<Opened> cards = {};
        std::vector<Problem> refused = {};
        std::string last_refused = {};  // its path
    };
    static void read(Read& files, const Scene& present);
    // Shows the first of them. If none could be read, the present files stay open, and the last one that was refused is
    // tried again by `reload`.
    Opening open(Read read);
    Opening turn(int by);  // to the next or previous open file
    // The files to read again: a table or config is laid over the present Scene, a scene file replaces it. If only a table or the q
    // and k that the scene names have changed, they alone are read again, once they are drawn.
    struct Again {
        std::string refused, own;  // paths; may be empty
        std::vector<std::string> named = {};
        std::optional<Result<Opened>> mended = {}, opened = {};
    };
    Again begin_reload(const Scene& present);
    static void read(Again& again, const Scene& present);  // any thread may
    Opening end_reload(Again again);
    // Changed files are to be reloaded without asking; other files end it.
    void follow(bool on) { follows_ = on; }
    bool follows() const { return follows_; }
    // The user allows a file that the scene names; it counts as opened.
    void allow(const std::string& path);
    bool can_turn(int by) const;
    bool can_reload(const Scene& present) const;

    // Returns the path. Refused with Cause::taken if the file exists and `replace` is false.
    Result<std::string> save(const Scene& scene, const std::string& path, bool replace);

    // Checks the open files for changes, at most once a second on the caller's clock.
    void look(const Scene& present, double seconds);

    const panels::Outside& outside() const { return outside_; }
    void copy_view_state(const Documents& other) { outside_ = other.outside_; }  // shows the same
    // Asks the file system whether each still exists; call when the menu opens, not every frame.
    std::vector<panels::Recent> recent() const;

private:
    struct Watched {
        std::string path;
        std::optional<std::filesystem::file_time_type> written;  // when it was read
    };

    const Opened* show(std::size_t card);
    void remember(const std::string& path);
    void tell();

    std::vector<std::string>& recent_;
    std::vector<Opened> cards_;
    std::size_t at_ = 0;
    std::vector<Watched> watched_;
    std::string changed_, refused_;
    bool follows_ = false;
    double looked_ = -1e9;
    panels::Outside outside_;
};

}  // namespace posiscope::workbench
