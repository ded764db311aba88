# What people do here every day. `just` without a word lists it.

default:
    @just --list

# Open the playground
run *arguments:
    cargo run --release -- {{arguments}}

# All tests; without a browser the page's own are left out, and said to be
test *arguments:
    cargo test --workspace {{arguments}}

# Take the pictures of the guide anew, in a browser
pictures:
    INTERLOCK_PICTURES=1 INTERLOCK_REQUIRE=browser cargo test --workspace --test dashboard -- --ignored pictures::

# Check format, lints, documentation and dependencies, and the types of the page against the API
lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- --deny warnings
    RUSTDOCFLAGS="--deny warnings" cargo doc --workspace --no-deps --document-private-items
    cargo deny check bans licenses sources
    cargo build
    bash tests/page/types

# The mutation check of the algorithms: every change that no test notices. Many hours: over 900 mutants, and each
# builds and runs all their tests; `just mutants --shard 0/10 --sharding round-robin` takes a tenth of every file
mutants *arguments:
    cargo mutants --package interlock-algorithm {{arguments}}

# Whether the API is what its OpenAPI document says, by random requests to a playground of its own; arguments are those of
# Schemathesis (`just contract --seed 7 --max-examples 200`)
contract *arguments:
    cargo build --release
    bash tests/contract/check {{arguments}}

# What the sources claim, each shown by running it now: expected, measured, verdict
claims *arguments:
    cargo run --release -- claims {{arguments}}

# Every algorithm in random runs within its assumptions: right ones keep the rules, wrong ones are caught
fuzz *arguments:
    cargo run --release -- fuzz {{arguments}}

# Chaos between real processes for 30 minutes, or as long as is said (`just soak 5m`): right variants survive the faults that
# they claim to survive, and of no run is anything left
soak length="30m" *arguments:
    cargo run --release -- fuzz --chaos --live --for {{length}} {{arguments}}

# Documents, reports, messages and journals that nobody would write, each kind for so many seconds
arbitrary seconds="600":
    #!/usr/bin/env bash
    set -euo pipefail
    targets=(
        anything_that_is_said_is_taken_or_refused
        any_report_is_taken_or_refused_in_any_network
        any_document_is_answered
        any_lines_of_events_are_loaded_or_refused_whole
        any_request_to_a_run_is_answered
        any_journal_is_read_or_said_to_be_unreadable
    )
    INTERLOCK_FUZZ_SECONDS={{seconds}} cargo test -p interlock-machine -p interlock-orchestrator -p interlock-api --lib -- \
        "${targets[@]}" --test-threads 1 --nocapture | tee target/arbitrary
    # A renamed test would not run.
    for target in "${targets[@]}"; do grep -q "$target" target/arbitrary; done

# The orchestrator killed so many times in the middle of everything; half as often with few descriptors and on a full disk
crashes times="200":
    INTERLOCK_CRASHES={{times}} cargo test --workspace --test processes -- crashes:: --nocapture

# Runs of programs that start processes in sessions of their own, killed so many times: nothing is left
trees times="30":
    INTERLOCK_CRASHES={{times}} cargo test --workspace --test processes -- nodes::tree:: --nocapture

# The orchestrator flat out for so many seconds, and as long with runs that come and go: what it holds afterwards
endurance seconds="1800":
    INTERLOCK_ENDURANCE_SECONDS={{seconds}} cargo test --workspace --test processes -- endurance:: --nocapture

# An archive for machines without a toolchain: program, man pages, completions, licences and bill of materials
dist:
    bash tests/dist/pack

# The figures of the simulator, beside a bare binary heap
bench-simulation *arguments:
    cargo bench --bench simulation -- {{arguments}}

# How long it takes to try all schedules, and in how much memory, beside another explorer on the same runs
bench-exploration:
    cargo bench -p interlock-exploration --bench exploration

# The figures: throughput, lateness, start, memory, a link to a service, a crowd, the page, each beside a baseline
bench *arguments:
    cargo bench --bench live -- {{arguments}}

# Write the golden files anew, after a change that is meant to change them
golden:
    INTERLOCK_GOLDEN=renew cargo test --workspace --test program -- golden:: --test-threads 1

# Run in full what the continuous check shortens or leaves out
nightly: lint nightly-tests nightly-program

# The tests that take long: all random schedules of each algorithm, two large explorations, the long scenarios of the
# library, a run of 1,000 nodes, 10,000 connections to a service, the replay of 1,000 simulated and 200 live runs, the
# subjects of the guide's pictures, three other tests of the page, each story about a known server 20 times beside busy
# processes, and the memory of a playground with 450 slow clients
nightly-tests:
    #!/usr/bin/env bash
    set -euo pipefail
    long=(
        lamport_with_postponed_acknowledgements_is_right_without_order_for_three
        every_schedule_is_right_where_all_ask_all_and_messages_overtake
        the_long_scenarios_of_the_library_are_met_live
        a_thousand_nodes_come_and_go
        a_thousand_random_recorded_runs_are_played_by_live_processes_to_the_last_event
        two_hundred_random_live_runs_are_recorded_and_played_to_the_last_event
        none_of_ten_thousand_connections_escapes_a_fault_of_the_scenario
    )
    cargo test --workspace --test schedules --test program --test processes -- --ignored "${long[@]}" | tee target/nightly
    # A renamed test would not run.
    for test in "${long[@]}"; do grep -q "$test ... ok" target/nightly; done
    INTERLOCK_SCHEDULES=all cargo test --workspace --test schedules
    npm install --silent --no-save --no-package-lock --prefix target/axe axe-core@4.14.1
    INTERLOCK_AXE="$PWD/target/axe/node_modules/axe-core/axe.min.js" INTERLOCK_REQUIRE=browser,axe cargo test --workspace \
        --test dashboard -- --ignored
    "$(command -v /usr/bin/python3 python3 | head -1)" -m venv target/clients
    target/clients/bin/pip install --quiet --requirement tests/services/stories/requirements.txt
    PATH="$PWD/target/clients/bin:$PATH" INTERLOCK_REQUIRE=services INTERLOCK_STORIES_REPEAT=20 cargo test --workspace \
        --test processes -- services::stories:: --test-threads 1 --nocapture
    INTERLOCK_ENDURANCE_SECONDS=70 cargo test --workspace --test processes -- endurance::clients:: --nocapture

# The optimised program: the README's command, all claims, 500 random runs and 100 random faults of every algorithm, five
# minutes of chaos between processes, and the API against its document with all phases of Schemathesis; then the archive of
# `just dist`, run in an empty root
nightly-program: (soak "5m") contract
    bash tests/documents/open
    cargo run --release -- claims
    cargo run --release -- fuzz --seeds 500
    cargo run --release -- fuzz --chaos --seeds 100
    bash tests/dist/check "$(bash tests/dist/pack)"

# What the continuous check does, from nothing
ci:
    bash .ci/run
