// training.hpp — the experiment as the window has it: the trainer, and what the sidebar and the corner show of it.
#pragma once

#include "app/panels/experiment.hpp"
#include "app/workbench/document/preferences.hpp"
#include "app/workbench/train/trainer.hpp"

#include <chrono>

namespace posiscope::workbench {

class Training {
public:
    Trainer& trainer() { return trainer_; }
    const Trainer& trainer() const { return trainer_; }

    // Call once a frame. On other benches nothing is read unless it is asked for; what runs pauses there, or goes on.
    void follow(const Scene& scene, const Preferences& preferences);
    // The panels' view, valid until the next call.
    panels::ExperimentState state(Preferences& preferences);
    void carry_out(panels::Verb verb);  // train, pause_training, stop_training or restart_training

private:
    double seconds_left() const;
    double steps_done() const;

    Trainer trainer_;
    // Typed encodings: those of the settings, and the Scene's. Made anew where one of what they depend on changes.
    struct TypedEntry {
        std::string entry;
        std::vector<panels::TypedText> lines;
    };
    void list_typed(const Scene& scene);

    std::vector<TypedEntry> typed_;
    Choice typed_of_;
    std::vector<std::string> typed_with_;
    Trainer::Bank typed_bank_;
    std::vector<panels::Trainee> trainees_;
    std::vector<std::int64_t> moments_;
    std::int64_t moments_of_ = 0;
    bool left_ = false;  // paused because the bench was left
    std::chrono::steady_clock::time_point began_{};
    double steps_at_ = 0.0;  // when it began
};

}  // namespace posiscope::workbench
