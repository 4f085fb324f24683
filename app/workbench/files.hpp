// files.hpp — the files that are open: the deck they make, whether they change on disk, and the scene on its way out.
// The workbench says what is wanted (Requests) and is told what there is; it knows no files.
#pragma once

#include "app/workbench/opening.hpp"
#include "app/workbench/workbench.hpp"

namespace posiscope::workbench {

// "~/table.npy", as people type it.
std::string from_home(const std::string& path);

class Files {
public:
    explicit Files(Workbench& bench) : bench_(bench) {}

    // What was opened before there was a bench; the first of it is what the bench shows.
    void adopt(std::vector<Opened> cards);

    // Each in its place of the deck; of what cannot be opened one sentence each, and the rest goes on.
    void open(std::span<const std::string> paths);

    // All that a frame asked for but dialogs. `seconds` on a clock of the caller's: open files are looked at once a second
    // at most, and only when there is a frame anyway, so that an idle program stays idle.
    void serve(const Requests& requests, double seconds);

private:
    struct Watched {
        std::string path;
        std::optional<std::filesystem::file_time_type> written;  // as the bench shows it
    };

    Result<void> try_open(std::span<const std::string> paths);
    Result<void> save(const Requests::Target& target);
    void show(std::size_t card);
    void turn(int by);
    void reload();
    void look();
    void remember(const std::string& path);
    void tell();

    Workbench& bench_;
    std::vector<Opened> cards_;
    std::size_t at_ = 0;
    std::vector<Watched> watched_;
    std::string changed_;
    double looked_ = -1e9;
};

}  // namespace posiscope::workbench
