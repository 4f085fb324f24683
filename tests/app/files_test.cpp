// Files from outside: their kinds, errors, several open scenes, reloading, recent files, saving.
#include "app/export/png.hpp"
#include "app/figures/measured/measured.hpp"
#include "app/figures/parts/background.hpp"
#include "app/platform/file_dialog.hpp"
#include "app/platform/host.hpp"
#include "app/workbench/service.hpp"
#include "core/cost.hpp"
#include "core/formats/arrays.hpp"
#include "core/formats/file.hpp"
#include "core/formats/table.hpp"
#include "tests/app/desk.hpp"
#include "tests/app/program.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace posiscope::test::files_test {
namespace {

namespace fs = std::filesystem;
using workbench::open_file;

class FilesTest : public test::Program {
protected:
    std::string put(const std::string& name, std::string_view bytes) const {
        const fs::path path = folder_ / name;
        EXPECT_TRUE(write_file(path, bytes));
        return path;
    }
    std::string table(const std::string& name, std::int64_t rows, std::int64_t columns,
                      double value = 0.5) const {
        const Array array{{"table", {rows, columns}},
                          std::vector<double>(static_cast<std::size_t>(rows * columns), value)};
        std::string bytes;
        EXPECT_TRUE(write_npy({&array, 1}, [&](std::string_view piece) { bytes += piece; }));
        return put(name, bytes);
    }
    std::string refusal(const std::string& path) const {
        const auto opened = open_file(path, Scene());
        return opened ? "was opened" : opened.error().key;
    }
};

TEST_F(FilesTest, EachFileIsWhatStandsInIt) {
    const Scene present = overlay(Scene(), {{"position", 55}, {"length", 64}})->scene;
    const auto scene = open_file(put("a.json", R"({"d_model": 64, "pair": 3})"), present);
    ASSERT_TRUE(scene) << to_string(scene.error());
    EXPECT_EQ(scene->scene, overlay(Scene(), {{"d_model", 64}, {"pair", 3}})->scene)
        << "over the default, not the present";
    const auto config = open_file(
        put("b.json", R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4})"), present);
    ASSERT_TRUE(config) << to_string(config.error());
    EXPECT_EQ(config->scene.encoding.kind, "rope");
    EXPECT_EQ(config->scene.position, 55) << "a config says nothing about the position";
    EXPECT_EQ(config->origin.front().key, "config.default");
    // Its text stays with the Scene, so that its settings are given back in their places; Python's Infinity is no error.
    const std::string python =
        R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "limit": Infinity})";
    const auto kept = open_file(put("python.json", python), present);
    ASSERT_TRUE(kept) << to_string(kept.error());
    EXPECT_EQ(kept->scene.view.at("model").at("config"), python);
    EXPECT_EQ(open_file(put("llama3.yml", "head_dim: 128"), present).error().key, "config.yaml");
    const Image image{1, 1, {1, 2, 3, 255}};
    for (const char* name : {"c.png", "no-ending-either"}) {
        const auto picture = open_file(
            put(name, exporting::png(image, {.scene = *exporting::scene_text(scene->scene)})), present);
        ASSERT_TRUE(picture) << to_string(picture.error());
        EXPECT_EQ(picture->scene, scene->scene);
    }
    for (const char* name : {"wpe.npy", "no-ending"}) {
        const auto learned = open_file(table(name, 20, 8), present);
        ASSERT_TRUE(learned) << to_string(learned.error());
        EXPECT_EQ(learned->scene.encoding.parameters.at("table"), (folder_ / name).string());
        EXPECT_EQ(learned->scene.d_model, 8);
        EXPECT_EQ(learned->scene.length, 20);
    }
}

// A dumped table is recognised as by `posiscope check`, and opens the bench that measures it beside the Scene.
TEST_F(FilesTest, ATableIsRecognised) {
    Array cache{{"cos", {2, 64, 8}}, {}};
    for (int head = 0; head < 2; ++head)
        for (int p = 1; p <= 64; ++p)  // from position 1 on
            for (int i = 0; i < 8; ++i)
                cache.values.push_back((1.0 + 0.5 * head * (p % 3)) *
                                       std::cos(p * std::pow(1e4, -2.0 * (i % 4) / 8)));
    const auto save = [&](const char* name) {
        std::string bytes;
        EXPECT_TRUE(write_npy({&cache, 1}, [&](std::string_view piece) { bytes += piece; }));
        return put(name, bytes);
    };
    EXPECT_EQ(refusal(save("heads.npy")), "npy.dimensions");
    cache.shape.sizes = {1, 64, 8};
    cache.values.resize(512);
    for (const char* name : {"flat.npy", "cos.npy"}) {
        if (name == std::string_view("cos.npy")) cache.shape.sizes = {64, 8};
        const auto opened = open_file(save(name), Scene());
        ASSERT_TRUE(opened) << to_string(opened.error());
        EXPECT_TRUE(opened->adjusted.empty());
        EXPECT_EQ(opened->scene.bench, "measured");
        EXPECT_EQ(opened->scene.encoding, Scene().encoding) << "it is what the dump is beside";
        EXPECT_EQ(opened->scene.view.at("dump").at("file"), (folder_ / name).string());
        EXPECT_TRUE(table_allowed((folder_ / name).string()));
    }
}

// Text with numbers is measured, too.
TEST_F(FilesTest, ArraysInOtherFormsAreRecognised) {
    std::string text;
    for (int i = 0; i < 32; ++i) text += fmt::format("{}{:.17g}", i > 0 ? "," : "", std::pow(1e4, -i / 32.0));
    for (const char* name : {"w.csv", "w.txt"}) {
        const auto opened = open_file(put(name, text + "\n"), Scene());
        ASSERT_TRUE(opened) << name << ": " << to_string(opened.error());
        EXPECT_EQ(opened->scene.bench, "measured");
        EXPECT_EQ(opened->scene.view.at("dump").at("file"), (folder_ / name).string());
    }
    EXPECT_EQ(refusal(put("words.csv", "position,angle\n")), "file.unknown");
    for (const char* name : {"a.npz", "a.pt"}) EXPECT_NE(refusal(put(name, "PK")), "file.unknown") << name;
}

TEST_F(FilesTest, ATableAloneInSafetensorsIsLearned) {
    const std::string header =
        R"({"wpe.weight": {"dtype": "BF16", "shape": [3, 2], "data_offsets": [0, 12]}})";
    std::string bytes(8, '\0');
    bytes[0] = static_cast<char>(header.size());
    const std::string path =
        put("wpe.safetensors", bytes + header + std::string("\x80\x3f\0\0\0\xc0\0\0\0\0\0\0", 12));
    const auto opened = open_file(path, Scene());
    ASSERT_TRUE(opened) << to_string(opened.error());
    EXPECT_EQ(opened->scene.encoding.kind, "learned");
    EXPECT_EQ(opened->scene.d_model, 2);
    EXPECT_EQ(opened->scene.length, 3);
    EXPECT_EQ((*table_of(path))->value(0, 0), 1.0);
    EXPECT_EQ((*table_of(path))->value(1, 0), -2.0);
}

// q and k of one file, with fewer key heads.
TEST_F(FilesTest, ArraysNamedQAndKAreShown) {
    const std::string header = R"({"q": {"dtype": "F16", "shape": [3, 4, 2], "data_offsets": [0, 48]},
        "k": {"dtype": "F16", "shape": [3, 2, 2], "data_offsets": [48, 72]}})";
    std::string bytes(8, '\0');
    bytes[0] = static_cast<char>(header.size());
    const auto opened = open_file(put("qk.safetensors", bytes + header + std::string(72, '\0')), Scene());
    ASSERT_TRUE(opened) << to_string(opened.error());
    EXPECT_EQ(opened->scene.content.kind, "tensors");
    EXPECT_EQ(opened->scene.num_heads, 4);
    EXPECT_EQ(head_dim(opened->scene), 2);
    EXPECT_EQ(opened->scene.length, 3);
}

// W_q and W_k of a checkpoint, with heads as wide as its norm or as those of the model that is shown.
TEST_F(FilesTest, ACheckpointShowsItsHeads) {
    const auto checkpoint = [&](const char* name, const std::string& q, bool normed) {
        const std::string at = "model.layers.0.self_attn.";
        Json header{
            {at + q, {{"dtype", "F16"}, {"shape", {8, 3}}, {"data_offsets", {0, 48}}}},
            {at + "k_proj.weight", {{"dtype", "F16"}, {"shape", {4, 3}}, {"data_offsets", {48, 72}}}}};
        if (normed)
            for (const char* norm : {"q_norm.weight", "k_norm.weight"})
                header[at + norm] = {{"dtype", "F16"}, {"shape", {4}}, {"data_offsets", {72, 80}}};
        std::string bytes(8, '\0');
        bytes[0] = static_cast<char>(header.dump().size() % 256);
        bytes[1] = static_cast<char>(header.dump().size() / 256);
        return put(name, bytes + header.dump() + std::string(80, '\0'));
    };
    const auto normed = open_file(checkpoint("normed.safetensors", "q_proj.weight", true), Scene());
    ASSERT_TRUE(normed) << to_string(normed.error());
    EXPECT_EQ(normed->scene.content.kind, "checkpoint");
    EXPECT_EQ(normed->scene.num_heads, 2);
    EXPECT_EQ(head_dim(normed->scene), 4);
    const Scene model = overlay(Scene(), {{"encoding", "rope"}, {"num_heads", 4}, {"head_dim", 2}})->scene;
    const std::string plain = checkpoint("plain.safetensors", "q_proj.weight", false);
    const auto shown = open_file(plain, model);
    ASSERT_TRUE(shown) << to_string(shown.error());
    EXPECT_EQ(shown->scene.num_heads, 4);
    EXPECT_EQ(shown->scene.content.parameters.at("head_dim"), 2);
    EXPECT_EQ(refusal(checkpoint("fused.safetensors", "qkv_proj.weight", false)), "content.fused");
    const std::string index = put("m.safetensors.index.json", R"({"weight_map": {
        "model.layers.0.self_attn.q_proj.weight": "plain.safetensors",
        "model.layers.0.self_attn.k_proj.weight": "plain.safetensors"}})");
    const auto sharded = open_file(index, model);
    ASSERT_TRUE(sharded) << to_string(sharded.error());
    EXPECT_EQ(sharded->scene.num_heads, 4);
}

TEST_F(FilesTest, EachBadFileHasASentenceThatNamesIt) {
    const Strings words(Language::english, Strings::Missing::throws);
    const std::pair<std::string, std::string> cases[] = {
        {folder_, "file.folder"},
        {folder_ / "none.json", "file.missing"},
        {folder_ / "none.npy", "file.missing"},
        {put("words.txt", "hello"), "file.unknown"},
        {put("plain.png", exporting::png({1, 1, {1, 2, 3, 255}}, {})), "png.no_scene"},
        {put("cut.png", exporting::png({1, 1, {1, 2, 3, 255}}, {}).substr(0, 30)), "png.damaged"},
        {put("empty.json", ""), "file.unknown"},
        {put("cut.json", R"({"position": )"), "json.syntax"},
        {put("list.json", "[1]"), "scene.object"},
        {put("newer.json", R"({"version": 9})"), "version.newer"},
        {put("key.json", R"({"positron": 9})"), "key.unknown"},
        {put("text.npy", "hello"), "npy.magic"},
        {put("model.json", R"({"model_type": "llama", "hidden_size": -4})"), "value.range"},
        {table("odd.npy", 4, 7), "d_model.odd"},
    };
    for (const auto& [path, key] : cases) {
        EXPECT_EQ(refusal(path), key) << path;
        const auto opened = open_file(path, Scene());
        if (opened) continue;
        const std::string sentence = words.sentence(opened.error());
        EXPECT_NE(sentence.find(path), std::string::npos) << sentence;
    }
    ASSERT_EQ(::mkfifo((folder_ / "pipe.npy").c_str(), 0600), 0);
    EXPECT_EQ(refusal(folder_ / "pipe.npy"), "npy.no_file") << "a pipe must not be waited for";
}

// No scene can name it: that is said when it is opened, and not when the scene is written.
TEST_F(FilesTest, AFolderThatIsNoUtf8IsSaid) {
    fs::create_directories(folder_ / "caf\xe9");
    for (const std::string& path : {put("caf\xe9/a.json", R"({"position": 3})"), table("caf\xe9/t.npy", 8, 4),
                                    put("caf\xe9/c.json", "{")}) {
        EXPECT_EQ(refusal(path), "file.utf8");
        const auto opened = open_file(path, Scene());
        const std::string sentence = Strings(Language::english).sentence(opened.error());
        EXPECT_TRUE(is_utf8(sentence)) << sentence;
        EXPECT_NE(sentence.find("Rename"), std::string::npos);
    }
}

// A pipe that nobody writes to would be waited for without an end.
TEST_F(FilesTest, TheWindowReadsNoPipe) {
    const std::string pipe = folder_ / "pipe.json";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    Desk desk;
    workbench::Service files(desk.bench, folder_);
    files.open(std::vector{pipe});
    ASSERT_EQ(desk.bench.notices.said().size(), 1U);
    EXPECT_NE(desk.bench.notices.said()[0].find("pipe.json is a pipe"), std::string::npos);
    workbench::Documents::Read read{{pipe, put("a.json", "{}")}};
    workbench::Documents::read(read, Scene());
    ASSERT_EQ(read.refused.size(), 1U);
    EXPECT_EQ(read.refused[0].key, "file.stream_in");
    EXPECT_EQ(read.cards.size(), 1U);
    // A file that was opened has become one.
    workbench::Documents::Again again{{}, pipe};
    workbench::Documents::read(again, Scene());
    ASSERT_TRUE(again.opened);
    EXPECT_EQ(again.opened->error().key, "file.stream_in");
}

// Its first step asks a question of another lesson, whose Scene its sentence is about.
TEST_F(FilesTest, ALessonThatIsNamedAtTheStartBeginsWithItsFirstStepsScene) {
    const std::string path = put("mine.json", R"({"lesson": 1, "title": {"en": "Mine"}, "steps": [
        {"id": "recall", "recall": "shift/change", "text": {"en": "One from before."}}]})");
    for (const Json& over : {Json::object(), Json{{"length", 77}}}) {  // of the command line
        auto opened = open_file(path, Scene());
        ASSERT_TRUE(opened) << to_string(opened.error());
        Desk desk(overlay(opened->scene, over)->scene);
        workbench::Service files(desk.bench, folder_);
        files.adopt({*opened});
        desk.frame(2);
        EXPECT_EQ(desk.bench.session.scene(), overlay(desk.bench.teaching.guide().own_scene(), over)->scene);
        EXPECT_EQ(desk.bench.session.scene().position, 12);
        EXPECT_FALSE(desk.bench.session.can_undo());
    }
}

constexpr std::string_view kLesson =
    R"({"lesson": 1, "title": {"en": "Mine"}, "steps": [
        {"id": "one", "scene": {"position": 3}, "text": {"en": "Three."}},
        {"scene": {"position": 5}, "text": {"en": "Five."}}]})";

struct LessonDesk : Desk {
    explicit LessonDesk(const fs::path& folder) : files(bench, folder) {}
    void press(std::string_view control) {
        move(this->control(control).centre());
        for (const bool down : {true, false}) {
            ImGui::GetIO().AddMouseButtonEvent(0, down);
            run_requests();
        }
    }
    void run_requests() {
        for (int i = 0; i < 3; ++i) {
            frame();
            files.run_requests(last.requests, 0.0);
        }
    }
    void ask(const panels::Command& command) {
        const workbench::Request request = command;
        files.run_requests(std::span(&request, 1), 0.0);
        frame(2);
    }
    Json steps(const std::string& path) const { return Json::parse(*read_file(path))["steps"]; }
    workbench::Service files;
};

// Begun in one file, a lesson goes on there, or in another one that somebody chooses; none is begun unasked.
TEST_F(FilesTest, WhereASceneIsAddedAsAStepIsAsked) {
    const std::string path = put("mine.json", kLesson);
    LessonDesk desk(folder_);
    desk.files.open(std::vector{path});
    desk.frame(2);
    desk.press("guide:add_step");
    EXPECT_EQ(desk.steps(path).size(), 3U) << "the lesson that is on";
    EXPECT_EQ(desk.bench.teaching.guide().index(), 2U);
    desk.press("guide:leave");
    desk.bench.session.step(overlay(Scene(), {{"position", 44}})->scene);
    desk.frame(2);
    desk.ask({panels::Verb::add_step});
    EXPECT_EQ(desk.steps(path).size(), 3U) << "not before somebody says where";
    desk.press("question_yes");
    ASSERT_EQ(desk.steps(path).size(), 4U);
    EXPECT_EQ(desk.steps(path)[3]["scene"]["position"], 44);
    EXPECT_EQ(desk.bench.teaching.guide().index(), 3U);

    // Our own dialog, as where the desktop has none.
    desk.bench.sharing.asking.path.open(workbench::AskPath::For::lesson, path);
    desk.frame(3);
    const auto enter = [&] {
        ImGui::GetIO().AddKeyEvent(ImGuiKey_Enter, true);
        desk.run_requests();
        ImGui::GetIO().AddKeyEvent(ImGuiKey_Enter, false);
        desk.run_requests();
    };
    enter();
    ASSERT_TRUE(desk.bench.sharing.asking.path.dialog().problem);
    EXPECT_EQ(desk.bench.sharing.asking.path.dialog().problem->key, "file.exists");
    EXPECT_EQ(desk.steps(path).size(), 4U);
    enter();
    EXPECT_EQ(desk.steps(path).size(), 1U) << "confirmed, a new lesson takes its place";
}

TEST_F(FilesTest, StepsAreMovedAndTakenOutInTheWindow) {
    const std::string path = put("mine.json", kLesson);
    LessonDesk desk(folder_);
    desk.files.open(std::vector{path});
    desk.frame(2);
    desk.press("guide:map");
    desk.press("guide:move_down");
    EXPECT_EQ(desk.steps(path)[1]["id"], "one");
    EXPECT_EQ(desk.bench.teaching.guide().index(), 1U) << "the step stays the one that is on";
    EXPECT_EQ(desk.scene().position, 3);
    desk.press("guide:remove");
    EXPECT_EQ(desk.steps(path).size(), 2U) << "somebody is asked";
    desk.press("question_yes");
    ASSERT_EQ(desk.steps(path).size(), 1U);
    EXPECT_EQ(desk.scene().position, 5);
    // Asked of one step, it is not answered for another.
    desk.files.open(std::vector{put("mine.json", kLesson)});
    desk.frame(2);
    desk.press("guide:remove");
    (void)desk.control("question_yes");
    desk.key(ImGuiKey_PageDown);
    desk.frame(2);
    for (const panels::ControlMark& mark : desk.bench.stage.seen.controls)
        EXPECT_NE(mark.key, "question_yes");
}

// Words go into the step that they were typed for, wherever it stands in the file by then.
TEST_F(FilesTest, AnEditedStepIsSavedWhereItIs) {
    const std::string path = put("mine.json", kLesson);
    LessonDesk desk(folder_);
    desk.files.open(std::vector{path});
    desk.frame(2);
    desk.press("guide:edit");
    auto words = desk.bench.teaching.edited();
    EXPECT_EQ(words.text, "Three.");
    words.text = "Typed.";
    desk.bench.teaching.edit(words);
    std::string longer(kLesson);
    longer.insert(longer.find(R"({"id": "one")"), R"({"id": "new", "text": {"en": "New."}}, )");
    (void)put("mine.json", longer);
    desk.press("guide:save_edit");
    EXPECT_EQ(desk.steps(path)[0]["text"]["en"], "New.");
    EXPECT_EQ(desk.steps(path)[1]["text"]["en"], "Typed.");
    EXPECT_EQ(desk.bench.teaching.guide().step()->id, "one");

    // Changed by somebody else, it is not overwritten, and what was typed stays.
    desk.press("guide:edit");
    words = desk.bench.teaching.edited();
    words.text = "Once more.";
    desk.bench.teaching.edit(words);
    std::string changed = *read_file(path);
    changed.replace(changed.find("Typed."), 6, "Theirs");
    (void)put("mine.json", changed);
    desk.press("guide:save_edit");
    EXPECT_EQ(desk.steps(path)[1]["text"]["en"], "Theirs");
    desk.ask({panels::Verb::reload});
    desk.frame(2);
    EXPECT_EQ(desk.bench.teaching.edited().text, "Once more.");
    desk.press("guide:save_edit");
    EXPECT_EQ(desk.steps(path)[1]["text"]["en"], "Once more.");
}

TEST_F(FilesTest, OpeningIsOneUndoStepAndABadFileLosesNothing) {
    Desk desk;
    workbench::Service files(desk.bench, folder_);
    const Scene before = desk.scene();
    files.open(std::vector{put("a.json", R"({"position": 77})")});
    desk.frame();
    EXPECT_EQ(desk.scene().position, 77);
    EXPECT_TRUE(desk.last.scene_changed) << "the session must be kept";
    files.open(std::vector{put("bad.json", "{"), put("worse.txt", "no")});
    EXPECT_EQ(desk.scene().position, 77);
    EXPECT_EQ(desk.bench.notices.said().size(), 2U) << "a sentence for each of them";
    desk.key(ImGuiKey_Z, true);
    EXPECT_EQ(desk.scene(), before);
}

TEST_F(FilesTest, ALargeTableIsReadBesideTheWindow) {
    if (!platform::has_threads()) GTEST_SKIP() << "it is read at once";
    Desk desk;
    workbench::Service files(desk.bench, folder_);
    files.open(std::vector{table("large.npy", 550'000, 8)});  // 35 MB
    EXPECT_NE(desk.scene().encoding.kind, "learned") << "it is not there yet";
    ASSERT_EQ(desk.bench.notices.said().size(), 1U);
    EXPECT_NE(desk.bench.notices.said()[0].find("large.npy"), std::string::npos);
    // Whatever is edited meanwhile stays.
    desk.bench.session.step(overlay(desk.scene(), {{"position", 77}})->scene);
    desk.frame(2);
    for (int i = 0; i < 6000 && desk.scene().encoding.kind != "learned"; ++i) {
        files.run_requests({}, 0.0);
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(desk.scene().encoding.kind, "learned");
    EXPECT_EQ(desk.scene().d_model, 8);
    EXPECT_EQ(desk.scene().position, 77);
}

// The bench measures it beside the config's settings, and the line that its button copies says the same.
TEST_F(FilesTest, ADumpDroppedWithItsConfigIsMeasuredBesideIt) {
    struct Case {
        const char* name;
        double base;
        int first;
        measuring::Verdict verdict;
        int code;
    };
    const std::string config =
        put("config.json",
            R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "rope_theta": 500})");
    for (const Case& one : {Case{"cos.npy", 500.0, 0, measuring::Verdict::right, 0},
                            {"it's far.npy", 500.0, 4000, measuring::Verdict::right, 0},
                            {"other base.npy", 600.0, 0, measuring::Verdict::wrong, 4}}) {
        Array cache{{"cos", {64, 8}}, {}};
        for (int p = one.first; p < one.first + 64; ++p)
            for (int i = 0; i < 8; ++i)
                cache.values.push_back(
                    static_cast<double>(static_cast<float>(std::cos(p * std::pow(one.base, -i / 8.0)))));
        std::string bytes;
        ASSERT_TRUE(write_npy({&cache, 1}, [&](std::string_view piece) { bytes += piece; }));
        const std::string dump = put(one.name, bytes);
        Desk desk;
        std::string copied;
        desk.bench.sharing.clipboard.set_way(
            [&](const char* text) -> Result<void> { return copied = text, Result<void>(); });
        workbench::Service files(desk.bench, folder_);
        files.open(std::vector{dump, config});
        const auto has = [&](std::string_view control) {
            return std::ranges::find(desk.bench.stage.seen.controls, control, &panels::ControlMark::key) !=
                   desk.bench.stage.seen.controls.end();
        };
        for (int i = 0; i < 1000 && !has("dump:copy"); ++i) {
            files.run_requests({}, 0.0);
            desk.frame();
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        EXPECT_EQ(desk.scene().bench, "measured");
        EXPECT_EQ(desk.scene().encoding.kind, "rope");
        EXPECT_EQ(desk.scene().view.at("dump").at("file"), dump);
        for (int i = 0; i < 1000 && !has("view.rows.selected"); ++i) {  // until it is measured
            desk.frame();
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        const auto seen = figures::measured::kept_seen(desk.bench.stage.derived, desk.scene());
        ASSERT_NE(seen, nullptr) << one.name;
        EXPECT_EQ(seen->measured().verdict, one.verdict) << one.name;
        desk.click(desk.control("dump:copy").centre());
        ASSERT_TRUE(copied.starts_with("posiscope check ")) << copied;
        EXPECT_NE(copied.find("--set base=500"), std::string::npos) << copied;
        EXPECT_EQ(copied.find("view"), std::string::npos) << copied;
        const Ran ran = run(copied.substr(copied.find(' ')));
        EXPECT_EQ(ran.code, one.code) << copied << ran.err;
        const Strings& strings = desk.bench.appearance.strings();
        for (const measuring::Finding& finding : seen->measured().findings)
            EXPECT_NE(ran.out.find(strings.sentence(finding.said)), std::string::npos) << copied << "\n"
                                                                                       << ran.out;
    }
}

TEST_F(FilesTest, SeveralScenesAreADeckThatPagesTurn) {
    Desk desk;
    workbench::Service files(desk.bench, folder_);
    const auto turn = [&](ImGuiKey key) {
        ImGui::GetIO().AddKeyEvent(key, true);
        desk.frame();
        files.run_requests(desk.last.requests, 0.0);
        ImGui::GetIO().AddKeyEvent(key, false);
        desk.frame();
        return desk.scene().position;
    };
    files.open(std::vector{put("1.json", R"({"position": 1})"), put("bad.json", "{"),
                           put("2.json", R"({"position": 2})"), put("3.json", R"({"position": 3})")});
    EXPECT_EQ(desk.scene().position, 1);
    EXPECT_EQ(turn(ImGuiKey_PageUp), 1);
    EXPECT_EQ(turn(ImGuiKey_PageDown), 2);
    EXPECT_EQ(turn(ImGuiKey_PageDown), 3);
    EXPECT_EQ(turn(ImGuiKey_PageDown), 3) << "the deck ends";
    EXPECT_EQ(turn(ImGuiKey_PageUp), 2);
}

// Every spectrum is 1 at position 0, so that a cache of these rows alone takes longer than a frame may, however small it is.
TEST_F(FilesTest, WhatTakesLongToRecogniseIsReadBesideTheWindow) {
    if (!platform::has_threads()) GTEST_SKIP() << "it is read at once";
    Array stuck{{"stuck", {2, 4096, 64}}, std::vector<double>(4096 * 64, 1.0)};
    stuck.values.resize(2 * stuck.values.size(), 0.0);
    std::string bytes;
    ASSERT_TRUE(write_npy({&stuck, 1}, [&](std::string_view piece) { bytes += piece; }));
    Desk desk;
    workbench::Service files(desk.bench, folder_);
    const double before = work_done();
    files.open(std::vector{put("stuck.npy", bytes)});
    EXPECT_LE(work_done() - before, 1.1 * figures::kFrameWork);
    for (int n = 0; n < 3000 && desk.scene().bench != "measured"; ++n) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        files.run_requests({}, 0.01 * n);
    }
    EXPECT_EQ(desk.scene().bench, "measured");
}

TEST_F(FilesTest, AFileThatChangesIsOfferedAndReadAgainWhenAsked) {
    Desk desk;
    workbench::Service files(desk.bench, folder_);
    const std::string path = table("wpe.npy", 20, 8, 0.5);
    files.open(std::vector{path});
    for (int n = 0; n < 3000 && desk.scene().encoding.kind != "learned"; ++n) {  // it is measured first
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        files.run_requests({}, 0.0);
    }
    files.run_requests({}, 1.0);
    EXPECT_EQ(desk.bench.documents.outside().changed, "");
    (void)table("wpe.npy", 12, 8, 0.25);
    fs::last_write_time(path, fs::file_time_type::clock::now() + std::chrono::seconds(5));
    files.run_requests({}, 1.5);
    EXPECT_EQ(desk.bench.documents.outside().changed, "") << "not looked at more than once a second";
    files.run_requests({}, 2.5);
    EXPECT_EQ(desk.bench.documents.outside().changed, "wpe.npy");
    std::vector<double> row(8);
    action_of(desk.scene())->add(0, row);
    EXPECT_EQ(row[0], 0.5) << "what is shown stays until it is asked for";
    const workbench::Requests reload = {panels::Command{panels::Verb::reload}};
    files.run_requests(reload, 2.6);
    for (int n = 0; n < 3000 && desk.scene().length != 12; ++n) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        files.run_requests({}, 2.6);
    }
    EXPECT_EQ(desk.bench.documents.outside().changed, "");
    EXPECT_EQ(desk.scene().length, 12);
    row.assign(8, 0.0);
    action_of(desk.scene())->add(0, row);
    EXPECT_EQ(row[0], 0.25);
    fs::remove(path);
    files.run_requests({}, 4.0);
    EXPECT_EQ(desk.bench.documents.outside().changed, "") << "one that is gone cannot be read again";
    EXPECT_TRUE(action_of(desk.scene())) << "the program goes on with what it has";
}

TEST_F(FilesTest, ALessonIsReadAgainUntilItIsGoodAndItsMistakeGoes) {
    const auto lesson = [&](std::string_view figure) {
        return put("mine.json", fmt::format(R"({{"lesson": 1, "steps": [{{"figure": "{}"}}]}})", figure));
    };
    for (const bool open_before : {true, false}) {
        Desk desk;
        workbench::Service files(desk.bench, folder_);
        const workbench::Requests again = {panels::Command{panels::Verb::reload}};
        const auto said = [&] { return desk.bench.notices.said(); };
        if (open_before) files.open(std::vector{lesson("matrix")});
        files.open(std::vector{lesson("matrx")});
        ASSERT_EQ(said().size(), 1U);
        EXPECT_NE(said()[0].find("matrx"), std::string::npos) << said()[0];
        (void)lesson("wavs");
        files.run_requests(again, 0.0);
        ASSERT_EQ(said().size(), 1U) << "the mistake that it has now";
        EXPECT_NE(said()[0].find("wavs"), std::string::npos) << said()[0];
        ASSERT_TRUE(desk.bench.documents.can_reload(desk.scene()));
        (void)lesson("waves");
        files.run_requests(again, 0.0);
        EXPECT_TRUE(said().empty()) << said()[0];
        ASSERT_NE(desk.bench.teaching.guide().step(), nullptr);
        EXPECT_EQ(desk.bench.teaching.guide().step()->figure, "waves");
    }
}

TEST_F(FilesTest, RecentFilesAreKeptTheLastOneFirst) {
    Desk desk;
    workbench::Service files(desk.bench, folder_);
    std::vector<std::string> paths;
    for (int i = 0; i < 10; ++i) paths.push_back(put(std::to_string(i) + ".json", "{}"));
    for (const std::string& path : paths) files.open(std::vector{path});
    files.open(std::vector{paths[5]});
    const auto& recent = desk.bench.preferences.recent;
    ASSERT_EQ(recent.size(), 8U);
    EXPECT_EQ(recent[0], paths[5]);
    EXPECT_EQ(recent[1], paths[9]);
    EXPECT_EQ(std::count(recent.begin(), recent.end(), paths[5]), 1);
}

TEST_F(FilesTest, APathCanBeTypedAndIsRefusedInItsPlace) {
    Desk desk;
    workbench::Service files(desk.bench, folder_);
    desk.bench.sharing.asking.path.open(workbench::AskPath::For::opening);
    desk.frame(3);
    const auto enter = [&](const std::string& text) {
        for (const char c : text) {
            ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
            desk.frame();
        }
        ImGui::GetIO().AddKeyEvent(ImGuiKey_Enter, true);
        for (int i = 0; i < 3; ++i) {
            desk.frame();
            files.run_requests(desk.last.requests, 0.0);
        }
        ImGui::GetIO().AddKeyEvent(ImGuiKey_Enter, false);
        desk.frame(2);
    };
    enter((folder_ / "none.jso").string());
    ASSERT_TRUE(desk.bench.sharing.asking.path.dialog().problem);
    EXPECT_EQ(desk.bench.sharing.asking.path.dialog().problem->key, "file.missing");
    (void)put("none.json", R"({"position": 9})");
    ImGui::GetIO().AddKeyEvent(ImGuiKey_End, true);
    desk.frame();
    ImGui::GetIO().AddKeyEvent(ImGuiKey_End, false);
    enter("n");
    EXPECT_EQ(desk.scene().position, 9);
    EXPECT_EQ(desk.bench.sharing.asking.path.dialog().purpose, panels::PathDialog::For::nothing)
        << "it closes when it is done";
}

TEST_F(FilesTest, SavingAsksBeforeItReplaces) {
    Desk desk(overlay(Scene(), {{"position", 44}})->scene);
    workbench::Service files(desk.bench, folder_);
    workbench::AskPath& asking = desk.bench.sharing.asking.path;
    const auto save = [&](const std::filesystem::path& path, bool again = false) {
        if (!again) asking.open(workbench::AskPath::For::saving, path.string());
        const workbench::Requests asked = {panels::Command{panels::Verb::enter_path, path.string()}};
        files.run_requests(asked, 0.0);
    };
    save(folder_ / "mine.json");
    EXPECT_EQ(open_file(folder_ / "mine.json", Scene())->scene, desk.scene());
    (void)put("mine.json", "mine");
    save(folder_ / "mine.json");
    EXPECT_EQ(desk.bench.sharing.asking.path.dialog().problem->key, "file.exists");
    EXPECT_EQ(*read_file(folder_ / "mine.json"), "mine");
    save(folder_ / "mine.json", true);
    EXPECT_EQ(open_file(folder_ / "mine.json", Scene())->scene, desk.scene());
    save(folder_);
    EXPECT_EQ(desk.bench.sharing.asking.path.dialog().problem->key, "file.folder");
}

TEST_F(FilesTest, ATableIsPutAwayByTheCrossInTheRail) {
    Desk desk(open_file(table("wpe.npy", 20, 8), Scene())->scene);
    desk.click(desk.control("encoding.table").centre());
    EXPECT_FALSE(desk.scene().encoding.parameters.contains("table"));
    desk.key(ImGuiKey_Z, true);
    EXPECT_TRUE(desk.scene().encoding.parameters.contains("table"));
}

// What a scene names from outside its folder is read once a person says so, and its figure says so until then.
TEST_F(FilesTest, AFileOfSomebodyElsesIsAskedFor) {
    fs::create_directories(folder_ / "mail");
    const std::string secret = table("secret.npy", 20, 8);
    const Json naming{
        {"d_model", 8}, {"length", 20}, {"pair", 0}, {"encoding", {{"kind", "learned"}, {"table", secret}}}};
    const auto allowed = [](const workbench::AfterFrame& after) {
        std::vector<std::string> paths;
        for (const workbench::Request& one : after.requests)
            if (const auto& command = std::get<panels::Command>(one);
                command.verb == panels::Verb::allow_file)
                paths.push_back(command.what);
        return paths;
    };
    const auto asks = [](Desk& desk) {
        desk.frame(3);
        const auto& marks = desk.bench.stage.seen.controls;
        return std::any_of(marks.begin(), marks.end(),
                           [](const panels::ControlMark& mark) { return mark.key == "question_yes"; });
    };
    {
        Desk desk;
        workbench::Service files(desk.bench, folder_);
        files.open(std::vector{put("mail/scene.json", naming.dump())});
        ASSERT_TRUE(asks(desk));
        desk.click(desk.control("question_no").centre());
        EXPECT_FALSE(asks(desk));
        EXPECT_FALSE(table_allowed(secret));
    }
    Desk desk;
    workbench::Service files(desk.bench, folder_);
    ImGui::SetClipboardText(naming.dump().c_str());
    desk.key(ImGuiKey_V, true);
    ASSERT_TRUE(asks(desk)) << "pasted text may read nothing by itself";
    desk.move(desk.control("question_yes").centre());
    desk.press();
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    desk.frame();
    ASSERT_EQ(allowed(desk.last), std::vector{secret});
    files.run_requests(desk.last.requests, 0.0);
    EXPECT_FALSE(asks(desk));
    EXPECT_TRUE(table_allowed(secret));
    EXPECT_EQ(desk.bench.preferences.recent.front(), secret) << "and is not asked for at the next start";
    // All files of a scene are one question.
    const std::string query = table("query.npy", 20, 8), key = table("key.npy", 20, 8);
    const Json both{{"d_model", 8},
                    {"num_heads", 1},
                    {"length", 20},
                    {"encoding", "rope"},
                    {"content", {{"kind", "tensors"}, {"query", query}, {"key", key}}}};
    ImGui::SetClipboardText(both.dump().c_str());
    desk.key(ImGuiKey_V, true);
    ASSERT_TRUE(asks(desk));
    desk.move(desk.control("question_yes").centre());
    desk.press();
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    desk.frame();
    EXPECT_EQ(allowed(desk.last), (std::vector{query, key}));
    files.run_requests(desk.last.requests, 0.0);
    EXPECT_FALSE(asks(desk));
}

TEST(FileDialog, AsksTheDesktopsProgramInItsOwnWords) {
    using platform::FileDialog;
    EXPECT_EQ(platform::dialog_command(false, FileDialog::Kind::save, "Save", "/tmp/a b.json"),
              (std::vector<std::string>{"zenity", "--file-selection", "--title=Save",
                                        "--filename=/tmp/a b.json", "--save", "--confirm-overwrite"}));
    EXPECT_EQ(platform::dialog_command(true, FileDialog::Kind::open, "Open", ""),
              (std::vector<std::string>{"kdialog", "--title", "Open", "--multiple", "--separate-output",
                                        "--getopenfilename", "."}));
}

}  // namespace
}  // namespace posiscope::test::files_test
