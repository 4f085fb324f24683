// The export dialog and the clipboard: the command, its progress, stopping it, and the copied content.
#include "app/figures/experiment/experiment.hpp"
#include "app/platform/clipboard.hpp"
#include "app/workbench/service.hpp"
#include "core/cost.hpp"
#include "core/encodings/encodings.hpp"
#include "core/formats/file.hpp"
#include "tests/app/desk.hpp"
#include "tests/folder.hpp"
#include "tests/places.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <imgui_internal.h>
#include <thread>
#include <unistd.h>

namespace posiscope::test::exports_test {
namespace {

namespace fs = std::filesystem;
using panels::ExportDialog;

class ExportsTest : public test::InFolder {
protected:
    void SetUp() override {
        InFolder::SetUp();
        desk_.bench.sharing.exports.use_program(test::kProgram);
        service_.emplace(desk_.bench, folder_);
    }

    // Opens the dialog for a figure and sets its path.
    ExportDialog& dialog(std::string_view figure, ExportDialog::Kind kind, const std::string& name) {
        desk_.bench.sharing.ask_export(figure);
        desk_.bench.sharing.asking.target.set_path((folder_ / name).string());
        ExportDialog& d = desk_.bench.sharing.asking.target.dialog();
        d.kind = kind;
        desk_.frame(2);
        return d;
    }
    // Enter in the path's line, as a person does it; frames go on until nothing runs any more.
    void save() {
        request();
        desk_.frame(3);  // the dialog closes
        wait();
    }
    void request() {
        const workbench::Requests asked = {
            workbench::Exports::Order{words(), desk_.scene(), path(), replace_}};
        service_->run_requests(asked, 0.0);
    }
    void wait() {
        for (int i = 0; i < 2000 && desk_.bench.sharing.exports.running(); ++i) {
            service_->run_requests({}, 0.0);
            ::usleep(10000);
        }
        ASSERT_FALSE(desk_.bench.sharing.exports.running()) << "the export did not end";
    }
    std::string path() { return desk_.bench.sharing.asking.target.dialog().path.data(); }
    std::vector<std::string> words() {
        return panels::command_of(desk_.bench.sharing.asking.target.dialog(), "frequencies", "light", "en");
    }
    std::string said() {
        std::string all;
        for (const std::string& line : desk_.bench.notices.said()) all += line + "\n";
        return all;
    }
    std::size_t files() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }

    Desk desk_{overlay(Scene(), {{"length", 32}, {"d_model", 64}})->scene};
    std::optional<workbench::Service> service_;
    bool replace_ = false;
};

TEST_F(ExportsTest, NoTwoFieldsOfTheDialogAreOne) {
    for (const auto kind : {ExportDialog::Kind::png, ExportDialog::Kind::film}) {
        dialog("", kind, "a");
        int twice = 0;
        for (float y = 150.0F; y < 650.0F; y += 16.0F)
            for (float x = 320.0F; x < 960.0F; x += 40.0F) {
                desk_.move({x, y});
                twice += ImGui::GetCurrentContext()->HoveredIdPreviousFrameItemCount > 1 ? 1 : 0;
            }
        EXPECT_EQ(twice, 0) << "what is typed into one would be in the other";
        desk_.key(ImGuiKey_Escape);
        desk_.frame(3);
    }
}

TEST_F(ExportsTest, EveryKindBecomesAFile) {
    using Kind = ExportDialog::Kind;
    for (const auto& [kind, name, begins] :
         {std::tuple(Kind::pdf, "a.pdf", "%PDF"), std::tuple(Kind::svg, "a.svg", "<?xml"),
          std::tuple(Kind::numbers, "a.csv", "# scene"), std::tuple(Kind::code, "a.py", "")}) {
        dialog("spectrum", kind, name);
        save();
        const auto bytes = read_file(folder_ / name);
        const auto& problem = desk_.bench.sharing.asking.target.dialog().problem;
        ASSERT_TRUE(bytes) << said() << (problem ? to_string(*problem) : "");
        EXPECT_TRUE(bytes->starts_with(begins)) << bytes->substr(0, 40);
        EXPECT_TRUE(kind != Kind::numbers || bytes->find("\"length\":32") != std::string::npos)
            << "the scene shown is written";
    }
    EXPECT_EQ(files(), 4U);
}

TEST_F(ExportsTest, ANumberIsInANameOnlyWhereThatKindOfFileIsThere) {
    workbench::AskExport ask;
    ask.set_folder(folder_);
    const auto path = [&] { return fs::path(ask.dialog().path.data()).filename().string(); };
    // As the dialog does when another kind is chosen.
    const auto choose = [&](ExportDialog::Kind kind, const std::string& with_its_ending) {
        ask.dialog().kind = kind;
        ask.set_path((folder_ / with_its_ending).string());
        ask.follow_ending(Scene());
    };
    ASSERT_TRUE(write_file(folder_ / "posiscope-scores-p10-k3.png", ""));
    ask.open("scores", Scene(), {640, 480});
    EXPECT_EQ(path(), "posiscope-scores-p10-k3-2.png");
    choose(ExportDialog::Kind::pdf, "posiscope-scores-p10-k3-2.pdf");
    EXPECT_EQ(path(), "posiscope-scores-p10-k3.pdf") << "nothing of that name is a PDF";
    choose(ExportDialog::Kind::png, "posiscope-scores-p10-k3.png");
    EXPECT_EQ(path(), "posiscope-scores-p10-k3-2.png");
    choose(ExportDialog::Kind::svg, "mine-2.svg");
    EXPECT_EQ(path(), "mine-2.svg") << "a typed name stays";
}

TEST_F(ExportsTest, WhatIsThereIsReplacedOnlyWhenMeant) {
    dialog("", ExportDialog::Kind::numbers, "a.csv");
    ASSERT_TRUE(write_file(folder_ / "a.csv", "mine"));
    request();
    ASSERT_TRUE(desk_.bench.sharing.asking.target.dialog().problem)
        << "the dialog tells that the file exists";
    EXPECT_EQ(desk_.bench.sharing.asking.target.dialog().problem->key, "file.exists");
    EXPECT_EQ(*read_file(folder_ / "a.csv"), "mine");
    replace_ = true;
    save();
    EXPECT_NE(*read_file(folder_ / "a.csv"), "mine");
}

TEST_F(ExportsTest, AFailureIsOneSentenceAndLeavesNothing) {
    dialog("", ExportDialog::Kind::numbers, "none/a.csv");
    save();
    EXPECT_NE(said().find("folder does not exist"), std::string::npos) << said();
    EXPECT_EQ(files(), 0U);
}

TEST_F(ExportsTest, StoppedItLeavesNothingUnfinished) {
    ExportDialog& d = dialog("", ExportDialog::Kind::numbers, "a.csv");
    d.quantity = "table";
    auto asked = workbench::Exports::Order{words(), desk_.scene(), path(), false};
    asked.scene = overlay(asked.scene, {{"d_model", 1024}, {"length", 20000}})->scene;
    const workbench::Requests begin = {asked};
    service_->run_requests(begin, 0.0);
    service_->run_requests({}, 0.0);
    ASSERT_TRUE(desk_.bench.sharing.exports.running()) << said();
    ::usleep(300000);
    service_->run_requests(begin, 0.0);
    ASSERT_TRUE(desk_.bench.sharing.asking.target.dialog().problem) << "a second one waits for the first";
    EXPECT_EQ(desk_.bench.sharing.asking.target.dialog().problem->key, "export.busy");
    desk_.bench.sharing.exports.stop();
    wait();
    EXPECT_NE(said().find("Stopped"), std::string::npos) << said();
    EXPECT_EQ(files(), 0U);
}

TEST_F(ExportsTest, TheCommandSaysWhatTheDialogShows) {
    ExportDialog& d = dialog("rotations", ExportDialog::Kind::film, "turn.webp");
    d.film = ".webp", d.over = "offset", d.range = {2, 5}, d.fps = 12, d.size = {440, 320}, d.dpi = 96;
    const std::vector<std::string> expected = {"render",  "-o",     path(), "--figure", "rotations", "--size",
                                               "440x320", "--dpi",  "96",   "--theme",  "light",     "--over",
                                               "offset",  "--from", "2",    "--to",     "5",         "--fps",
                                               "12",      "--lang", "en"};
    EXPECT_EQ(words(), expected);
}

TEST_F(ExportsTest, NumbersOfEveryFigureAreFoundForEveryEncoding) {
    // The numbers of a dump are those of check --json.
    static constexpr std::string_view kOfDumps[] = {"measured", "residual", "rows", "partners", "findings"};
    for (const Encoding* encoding : encodings())
        for (const figures::Figure* figure : figures::figures()) {
            if (figures::learning::is_of_experiment(figure->id)) continue;  // results are files of their own
            const auto laid = overlay(Scene(), {{"encoding", std::string(encoding->kind)},
                                                {"length", 8},
                                                {"d_model", 16},
                                                {"num_heads", 2}});
            ASSERT_TRUE(laid) << encoding->kind << ": " << to_string(laid.error());
            const auto modes =
                figure->modes != nullptr ? figure->modes(laid->scene) : std::span<const std::string_view>();
            if (std::ranges::find(kOfDumps, figure->id) != std::end(kOfDumps)) continue;
            ASSERT_NE(figure->numbers, nullptr) << figure->id << " does not say which numbers it draws";
            for (const std::string_view mode : modes)
                for (const std::string_view name : figure->numbers(mode))
                    EXPECT_NE(find_quantity(name), nullptr) << figure->id << " " << mode << ": " << name;
            EXPECT_TRUE(figure->id != "matrix" || encodes_nothing(laid->scene) ||
                        figures::numbers_of(*figure, laid->scene) != nullptr)
                << encoding->kind;
        }
}

// ---- The clipboard ---------------------------------------------------------------------------------------------

TEST_F(ExportsTest, ACellItsLineAndTheTableAreCopied) {
    const Rect tile = desk_.tile("matrix");
    const Point cell{tile.centre().x, tile.centre().y + 10.0F};
    desk_.move(cell);
    desk_.frame(2);
    ASSERT_TRUE(desk_.bench.hand.link().position) << "the mouse is over no row";
    const figures::Link under = desk_.bench.hand.link();
    const std::int64_t row = *under.position;
    ImGui::GetIO().AddMouseButtonEvent(1, true);
    desk_.frame();
    ImGui::GetIO().AddMouseButtonEvent(1, false);
    desk_.frame(2);
    const figures::Figure& matrix = *figures::find_figure("matrix");
    desk_.bench.sharing.copy_numbers(matrix, &under);
    const std::string line = ImGui::GetClipboardText();
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 2) << line;
    EXPECT_EQ(std::count(line.begin(), line.end(), '\t'), 2 * 63) << "64 columns: " << line;
    desk_.bench.sharing.copy_numbers(matrix);
    std::istringstream table{ImGui::GetClipboardText()};
    std::string one, names;
    std::getline(table, names);
    for (std::int64_t i = 0; i <= row; ++i) std::getline(table, one);
    EXPECT_EQ(line, names + "\n" + one + "\n") << "row " << row;
}

TEST_F(ExportsTest, TooManyNumbersForTheClipboardAreRefused) {
    desk_.bench.session.open(overlay(Scene(), {{"length", 100000}})->scene);
    desk_.frame(2);
    desk_.bench.sharing.copy_numbers(*figures::find_figure("matrix"));
    EXPECT_NE(said().find("too many for the clipboard"), std::string::npos) << said();
}

TEST_F(ExportsTest, NumbersThatTakeLongAreCopiedWhenTheyAreThere) {
    figures::Background background([] {});
    desk_.bench.work_in(background);
    desk_.bench.session.open(overlay(Scene(), {{"length", 1900}})->scene);
    desk_.frame(2);
    ImGui::SetClipboardText("before");
    background.begin_frame();
    const double before = work_done();
    desk_.bench.sharing.copy_numbers(*figures::find_figure("matrix"));
    EXPECT_LE(work_done() - before, 1.5 * figures::kFrameWork);
    while (background.working()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    desk_.frame();
    const std::string text = ImGui::GetClipboardText();
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1901);
}

TEST_F(ExportsTest, AClipboardThatIsNotThereIsSaid) {
    desk_.bench.sharing.clipboard.set_way(
        [](const char*) -> Result<void> { return refuse("clipboard.none"); });
    desk_.key(ImGuiKey_C, true);
    desk_.frame(2);
    // The whole list: a sentence that claims a copy beside this one fails the test, however it is worded.
    EXPECT_EQ(desk_.bench.notices.said(),
              std::vector<std::string>{
                  "Copying failed: this desktop offers no clipboard. Save to a file instead (Export)."});
}

TEST_F(ExportsTest, APictureGoesThroughTheProgramThatIsThere) {
    const std::string before = std::getenv("PATH");
    ::unsetenv("WAYLAND_DISPLAY");
    ::setenv("PATH", folder_.c_str(), 1);
    platform::PictureClipboard clipboard([] {});
    const auto none = clipboard.copy("picture");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().key, "clipboard.no_program");

    std::ofstream(folder_ / "xclip") << "#!/bin/sh\nread -r line\nprintf '%s %s' \"$line\" \"$*\" >"
                                     << (folder_ / "got").string() << "\n";
    fs::permissions(folder_ / "xclip", fs::perms::owner_all);
    const auto begun = clipboard.copy("picture\n");
    ASSERT_TRUE(begun) << to_string(begun.error());
    std::optional<Result<void>> done;
    for (int i = 0; i < 500 && !done; ++i, ::usleep(10000)) done = clipboard.take();
    ::setenv("PATH", before.c_str(), 1);
    ASSERT_TRUE(done && *done) << "the program did not end well";
    EXPECT_EQ(*read_file(folder_ / "got"), "picture -selection clipboard -t image/png -i");
}

// From the list of a lesson's steps: on paper, and as pictures of its slides.
TEST_F(ExportsTest, ALessonIsWrittenOutFromTheListOfItsSteps) {
    desk_.key(ImGuiKey_G);
    desk_.frame(2);
    desk_.click(desk_.control("look-around").centre());
    desk_.frame(2);
    desk_.click(desk_.control("guide:map").centre());
    const auto press = [&](std::string_view word) {
        desk_.move(desk_.control(word).centre());
        desk_.press();
        ImGui::GetIO().AddMouseButtonEvent(0, false);
        for (int i = 0; i < 2; ++i) {
            desk_.frame();
            service_->run_requests(desk_.last.requests, 0.0);
        }
    };
    press("guide:handout");
    wait();
    const auto pdf = read_file(folder_ / "posiscope-look-around.pdf");
    ASSERT_TRUE(pdf) << said();
    EXPECT_TRUE(pdf->starts_with("%PDF"));
    press("guide:slides");
    ASSERT_TRUE(desk_.bench.sharing.exports.running()) << said();
    EXPECT_EQ(desk_.bench.sharing.exports.running()->name, "posiscope-look-around-%02d.png");
    desk_.bench.sharing.exports.stop();
    wait();
}

}  // namespace
}  // namespace posiscope::test::exports_test
