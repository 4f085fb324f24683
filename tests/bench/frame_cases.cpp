#include "tests/bench/frame_cases.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <imgui.h>
#include <thread>

namespace posiscope::bench {
namespace {

constexpr Size kSizes[] = {{1280, 800}, {1920, 1080}};
constexpr Size kMatrix{900, 500};

Scene scene_with(const Json& partial) {
    auto laid = overlay(Scene(), partial);
    if (!laid) throw std::logic_error(to_string(laid.error()));
    return std::move(laid->scene);
}

const Json kLarge = {{"length", 2048}, {"d_model", 512}, {"position", 700}, {"offset", 30}};

Json with(Json json, const Json& more) {
    json.update(more);
    return json;
}

// To and fro over 0 … steps, so that every frame has another value than the one before.
int to_and_fro(int frame, int steps) {
    const int at = frame % (2 * steps);
    return at <= steps ? at : 2 * steps - at;
}

Case imgui(Size size, bool demo) {
    auto stage = std::make_shared<Stage>(size);
    return {demo ? "imgui_demo" : "imgui_empty", size, [stage, demo] {
                return stage->frame(
                    [demo] {
                        if (!demo) return;
                        ImGui::SetNextWindowPos({40.0F, 40.0F});
                        ImGui::SetNextWindowSize({600.0F, 700.0F});
                        ImGui::ShowDemoWindow();
                    },
                    Stage::Repeats::drawn);
            }};
}

// A figure alone, its position moved on by one every frame, or its base.
enum class Moved { position, base };
Case figure(canvas::Layers& layers, Size size, std::string_view id, const Json& scene, std::string name,
            Moved moved = Moved::position) {
    auto desk = std::make_shared<Desk>(size, scene_with(scene), layers, workbench::Shown{false, id});
    return {std::move(name), size, [desk, moved, n = 0]() mutable {
                Scene next = desk->scene();
                const int step = to_and_fro(++n, 100);
                if (moved == Moved::position) next.position = 700 + step;
                else next.base = 1e4 + 100.0 * step;
                desk->open(std::move(next));
                return desk->frame();
            }};
}
Case figure(canvas::Layers& layers, Size size, std::string_view id) {
    return figure(layers, size, id, kLarge, "figure/" + std::string(id));
}

// `processor` is that of the window's thread: the rest is computed in the background meanwhile.
Case of_this_thread(Case made) {
    made.frame = [frame = made.frame] {
        const double before = thread_milliseconds();
        const Took took = frame();
        return Took{took.clock, thread_milliseconds() - before};
    };
    return made;
}

// As wide and as long as a Scene may be, its base moved on in every frame.
Case worst(canvas::Layers& layers, std::string_view id, const Json& scene, std::string name) {
    return of_this_thread(figure(layers, kSizes[0], id, scene, std::move(name), Moved::base));
}

// An experiment that no results are shipped for, long enough to outlast the benchmark.
Json own_experiment(int number) {
    return {{"bench", "experiment"},
            {"view", {{"experiment", {{"steps", 20000}, {"rate", 0.003 + 1e-6 * number}}}}}};
}

// The bench while two models train beside it; `processor` is that of the window's thread.
Case training(canvas::Layers& layers) {
    auto desk = std::make_shared<Desk>(kSizes[0], scene_with(own_experiment(0)), layers);
    desk->click("experiment.run");
    return {"experiment/two_train", kSizes[0], [desk, n = 0]() mutable {
                desk->move({500.0F + 5.0F * static_cast<float>(to_and_fro(++n, 60)), 250.0F});
                const double before = thread_milliseconds();
                const Took took = desk->frame(Stage::Repeats::drawn);
                return Took{took.clock, thread_milliseconds() - before};
            }};
}

Json shows(std::string_view id, std::string_view mode, const Json& more) {
    Json partial = kLarge;
    partial["view"][std::string(id)]["mode"] = std::string(mode);
    return with(std::move(partial), more);
}

// The whole bench with all its controls while a slider is dragged with the mouse, over a part of its track.
Case drag(canvas::Layers& layers, Size size, std::string_view key, const Json& scene, float from, float to,
          std::string name) {
    auto desk = std::make_shared<Desk>(size, scene_with(scene), layers);
    const Rect track = desk->control(key);
    const float left = track.x0 + from * track.width();
    const int steps = static_cast<int>((to - from) * track.width());
    desk->press({left, track.centre().y});
    return {std::move(name), size, [desk, left, steps, y = track.centre().y, n = 0]() mutable {
                desk->move({left + static_cast<float>(to_and_fro(++n, steps)), y});
                return desk->frame();
            }};
}

// Nothing has changed: as the window does it, and drawn all the same.
Case unchanged(canvas::Layers& layers, Size size, Stage::Repeats repeats) {
    auto desk = std::make_shared<Desk>(size, scene_with(kLarge), layers);
    return {repeats == Stage::Repeats::drawn ? "overview/redrawn" : "overview/unchanged", size,
            [desk, repeats] { return desk->frame(repeats); }};
}

// The heatmap alone, drawn anew each time: uploads and shader, into its texture.
Case matrix(canvas::Layers& layers, std::int64_t rows, std::int64_t width) {
    auto spectrum = std::make_shared<Spectrum>(
        geometric_spectrum(1e4, static_cast<std::size_t>(width / 2), static_cast<std::uint64_t>(width), 2));
    canvas::HeatmapView view;
    view.rows = {0, 0.0, static_cast<double>(rows)};
    view.columns = {0, 0.0, static_cast<double>(width)};
    view.width = kMatrix.width;
    view.height = kMatrix.height;
    view.blocks = columns_need_blocks(view);
    return {"matrix/" + std::to_string(rows) + "x" + std::to_string(width), kMatrix,
            [&layers, spectrum, view, n = 0]() mutable {
                const Timer timer;
                view.range = 1.0 + 1e-3 * (++n % 100);
                layers.heatmaps.draw(0, {view, {.steps = spectrum->step}});
                glFinish();
                return timer.took();
            }};
}

}  // namespace

Case first_curve(canvas::Layers& layers) {
    return {"experiment/first_curve", kSizes[0], [&layers, n = 0]() mutable {
                Desk desk(kSizes[0], scene_with(own_experiment(++n)), layers);
                (void)desk.control("experiment.run");
                const Timer timer;
                desk.click("experiment.run");
                while (!desk.has_curve()) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(5));
                    desk.frame();
                }
                return timer.took();
            }};
}

std::vector<Case> cases(canvas::Layers& layers, std::string_view only) {
    std::vector<Case> all;
    const auto add = [&](std::string_view name, auto make) {
        if (name.find(only) != std::string_view::npos) all.push_back(make());
    };
    for (const Size size : kSizes) {
        add("imgui_empty", [&] { return imgui(size, false); });
        add("imgui_demo", [&] { return imgui(size, true); });
        for (const figures::Figure* one : figures::figures())
            add("figure/" + std::string(one->id), [&] { return figure(layers, size, one->id); });
        struct Slider {
            std::string_view key;
            float from, to;
        };
        // d_model from about 256 to 1024, the base from about 1e3 to 1e6.
        for (const auto& [key, from, to] : {Slider{"position", 0.1F, 0.9F}, Slider{"offset", 0.5F, 0.9F},
                                            Slider{"d_model", 0.47F, 0.6F}, Slider{"base", 0.3F, 0.66F}}) {
            const std::string name = "overview/drag_" + std::string(key);
            add(name, [&, k = key, a = from, b = to] { return drag(layers, size, k, kLarge, a, b, name); });
        }
        add("overview/unchanged", [&] { return unchanged(layers, size, Stage::Repeats::left_out); });
        add("overview/redrawn", [&] { return unchanged(layers, size, Stage::Repeats::drawn); });
    }
    for (const std::int64_t width : {64, 8192})
        for (const std::string_view key : {"position", "base"}) {
            const std::string name = "overview/drag_" + std::string(key) + "_d" + std::to_string(width);
            add(name, [&, w = width, k = key] {
                return drag(layers, kSizes[0], k, with(kLarge, {{"d_model", w}}), 0.3F, 0.66F, name);
            });
        }
    for (const auto& [rows, width] : {std::pair<std::int64_t, std::int64_t>{128, 64},
                                      {kLastPosition, 64},
                                      {2048, 512},
                                      {kLastPosition, 8192}})
        add("matrix/" + std::to_string(rows) + "x" + std::to_string(width),
            [&, r = rows, w = width] { return matrix(layers, r, w); });
    struct One {
        std::string_view name, figure, mode;
        Json more;
        Moved moved;
    };
    const Json rope = {{"encoding", "rope"}, {"num_heads", 8}};
    // n × n: by distance alone, and from every query and key.
    for (const One& one : {One{"gram/2048x2048", "matrix", "gram", rope, Moved::position},
                           One{"attention/2048x2048", "matrix", "attention", rope, Moved::position},
                           One{"scores/all_2048", "scores", "all", rope, Moved::position},
                           One{"scores/all_2048_base", "scores", "all", rope, Moved::base}})
        add(one.name, [&] {
            return figure(layers, kSizes[0], one.figure, shows(one.figure, one.mode, one.more),
                          std::string(one.name), one.moved);
        });
    return all;
}

std::vector<Case> cases_with_workers(canvas::Layers& layers, std::string_view only) {
    std::vector<Case> all;
    const auto add = [&](std::string_view name, auto make) {
        if (name.find(only) != std::string_view::npos) all.push_back(make());
    };
    add("experiment/two_train", [&] { return training(layers); });
    struct Worst {
        std::string_view name, figure, mode;
        Json more;
    };
    for (const Worst& one :
         {Worst{"worst/transformer_xl_1024_4096",
                "scores",
                "logit",
                {{"encoding", "transformer_xl"}, {"d_model", 1024}, {"length", 4096}}},
          Worst{"worst/transformer_xl_4096_8192",
                "scores",
                "logit",
                {{"encoding", "transformer_xl"}, {"d_model", 4096}, {"length", 8192}}},
          Worst{"worst/sandwich_65536",
                "scores",
                "logit",
                {{"encoding", {{"kind", "sandwich"}, {"bar_d", 65536}}}}},
          Worst{"worst/attention_2147483647",
                "matrix",
                "attention",
                {{"encoding", "rope"}, {"length", kLastPosition}, {"content", "seeded"}}},
          Worst{"worst/learned_65536",
                "matrix",
                "table",
                {{"encoding", {{"kind", "learned"}, {"max_position_embeddings", kLastPosition}}},
                 {"length", kLastPosition},
                 {"d_model", kLargestWidth}}},
          Worst{"worst/rope_65536",
                "scores",
                "dot",
                {{"encoding", "rope"}, {"length", kLastPosition}, {"d_model", kLargestWidth}}}})
        add(one.name, [&] {
            return worst(layers, one.figure, shows(one.figure, one.mode, one.more), std::string(one.name));
        });
    // The slider of a name that somebody typed, with every figure of a bench.
    for (const std::string_view bench : {"overview", "shift", "attention", "context", "positions", "debug"})
        add("worst/own_" + std::string(bench), [&] {
            const Json scene = {{"bench", bench},
                                {"encoding",
                                 {{"kind", "own"},
                                  {"frequency", "b^(-2i/d)(1 + a cos i)"},
                                  {"bias", "-s*log(1 + abs(D))"},
                                  {"values", {{"a", 0.1}}}}},
                                {"length", kLastPosition},
                                {"d_model", kLargestWidth}};
            return of_this_thread(
                drag(layers, kSizes[0], "own.a", scene, 0.1F, 0.9F, "worst/own_" + std::string(bench)));
        });
    return all;
}

std::vector<Allocations> allocations(canvas::Layers& layers) {
    std::vector<Allocations> counted;
    const auto count = [&](std::string name, workbench::Shown shown) {
        Desk desk(kSizes[0], scene_with(kLarge), layers, shown);
        for (int i = 0; i < 8; ++i) desk.frame();
        const std::uint64_t still = desk.allocated();
        std::uint64_t most = 0;
        for (int i = 0; i < 60; ++i) {  // across everything; what is shown for the first time may make room
            desk.move({20.0F + 20.0F * static_cast<float>(i), 100.0F + 10.0F * static_cast<float>(i % 30)});
            desk.frame();
            if (i >= 40) most = std::max(most, desk.allocated());
        }
        counted.push_back({std::move(name), still, most});
    };
    count("overview", {});
    for (const figures::Figure* one : figures::figures())
        count("figure/" + std::string(one->id), {true, one->id});
    return counted;
}

}  // namespace posiscope::bench
