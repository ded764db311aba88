//! Groups of the commands, and examples of each command, for `--help` and for the guide.

/// Examples of a command, which its help shows.
#[derive(Debug)]
pub(super) struct Usage {
    /// Name of the command.
    pub name: &'static str,
    /// Two command lines, each with a phrase that describes the effect of the command line.
    pub examples: [(&'static str, &'static str); 2],
}

/// A group of commands for the same purpose.
#[derive(Debug)]
pub(super) struct Group {
    /// Heading of the group.
    pub heading: &'static str,
    /// Commands of the group, in the order in which the help lists them.
    pub commands: &'static [Usage],
}

const fn usage(name: &'static str, examples: [(&'static str, &'static str); 2]) -> Usage {
    Usage { name, examples }
}

/// The groups, in the order in which the help lists them. Each command that is not hidden belongs to one group.
pub(super) const GROUPS: [Group; 5] = [
    Group {
        heading: "Play",
        commands: &[
            usage(
                "serve",
                [
                    ("interlock", "open the playground at port 7700 with a demonstration"),
                    (
                        "interlock --port 7800 --data-dir runs --no-demo",
                        "open an empty playground with a folder of its own",
                    ),
                ],
            ),
            usage(
                "do",
                [
                    ("interlock do latest crash 2", "crash P2 in the newest run"),
                    ("interlock do latest acquire 0 --wait 10s", "request the lock for P0 and wait for the entry"),
                ],
            ),
            usage(
                "why",
                [
                    ("interlock why latest", "explain the newest run"),
                    ("interlock why bank", "explain the run with this name"),
                ],
            ),
            usage(
                "watch",
                [
                    ("interlock watch", "print the newest run until it is over"),
                    ("interlock watch latest --all --format json", "print every event, one JSON document a line"),
                ],
            ),
        ],
    },
    Group {
        heading: "Test",
        commands: &[
            usage(
                "run",
                [
                    ("interlock run majority.yaml --simulate --seeds 1..100", "play a scenario with 100 seeds"),
                    ("interlock run scenarios --junit report.xml", "play all of a folder, with a report for CI"),
                ],
            ),
            usage(
                "node",
                [
                    ("interlock node check -- python3 lock.py", "check an algorithm of your own"),
                    (
                        "interlock node check --algorithm ricart-agrawala -- node ra.mjs",
                        "check a program that acts as a node of this algorithm",
                    ),
                ],
            ),
            usage(
                "fuzz",
                [
                    ("interlock fuzz lamport --seeds 200", "test all variants of one algorithm"),
                    ("interlock fuzz --chaos --live --for 5m", "test real processes under random faults"),
                ],
            ),
        ],
    },
    Group {
        heading: "Understand",
        commands: &[
            usage(
                "algorithms",
                [
                    ("interlock algorithms lamport", "print one algorithm with its variants"),
                    ("interlock algorithms --format json", "print the catalogue with message kinds and parameters"),
                ],
            ),
            usage(
                "examples",
                [
                    ("interlock examples", "list all examples"),
                    ("interlock examples bully > bully.yaml", "write one as a scenario that you can change"),
                ],
            ),
            usage(
                "claims",
                [
                    ("interlock claims LAM", "check all claims of Lamport's papers"),
                    ("interlock claims --list", "list the named counterexamples"),
                ],
            ),
            usage(
                "guide",
                [
                    ("interlock guide guide", "write the guide; then open guide/index.html"),
                    ("interlock guide /srv/www/interlock", "write it for a web server"),
                ],
            ),
        ],
    },
    Group {
        heading: "Experiment",
        commands: &[
            usage(
                "simulate",
                [
                    ("interlock simulate --algorithm raymond --nodes 2,10,100", "print a row for each number of nodes"),
                    (
                        "interlock simulate --algorithm lamport --repeat 20 --format csv",
                        "print means with confidence intervals",
                    ),
                ],
            ),
            usage(
                "replay",
                [
                    ("interlock replay run.schedule --as story", "print what happens as sentences"),
                    ("interlock replay LAM-4.1 --live", "play a named counterexample with processes"),
                ],
            ),
            usage(
                "explore",
                [
                    ("interlock explore ricart-agrawala --nodes 3", "explore the default variant"),
                    (
                        "interlock explore lamport --fifo false --save found.schedule",
                        "write the shortest schedule that violates a property",
                    ),
                ],
            ),
            usage(
                "matrix",
                [
                    ("interlock matrix lamport", "show one algorithm under all faults"),
                    ("interlock matrix --channel raw,reliable --fault loss", "show all algorithms under one fault"),
                ],
            ),
            usage(
                "repairs",
                [
                    ("interlock repairs suzuki-kasami", "show the repairs of one algorithm"),
                    ("interlock repairs --format csv", "print all for a spreadsheet"),
                ],
            ),
        ],
    },
    Group {
        heading: "Manage",
        commands: &[
            usage(
                "ps",
                [
                    ("interlock ps", "print a table"),
                    (
                        "interlock ps --format json --playground http://127.0.0.1:7800",
                        "print JSON, from a playground at another port",
                    ),
                ],
            ),
            usage(
                "export",
                [
                    ("interlock export latest --to story", "print the newest run as sentences"),
                    ("interlock export latest --to svg --output run.svg", "write its space-time diagram"),
                ],
            ),
            usage(
                "journal",
                [
                    (
                        "interlock journal sql latest 'SELECT kind, count(*) FROM event GROUP BY kind'",
                        "count the events of the newest run by their kinds",
                    ),
                    ("interlock journal export latest run.sqlite", "write its events for sqlite3, Python or DuckDB"),
                ],
            ),
            usage(
                "prune",
                [
                    ("interlock prune --older 7d --dry-run", "list what would be deleted"),
                    ("interlock prune --keep 20", "delete all finished runs but the newest 20"),
                ],
            ),
            usage(
                "doctor",
                [
                    ("interlock doctor", "check the default folder"),
                    ("interlock doctor --data-dir /srv/runs", "check another folder"),
                ],
            ),
            usage(
                "schema",
                [
                    ("interlock schema scenario > scenario.schema.json", "let an editor complete scenarios"),
                    ("interlock schema node", "describe the lines of node programs"),
                ],
            ),
            usage(
                "completions",
                [
                    ("source <(interlock completions bash)", "enable completion in this shell"),
                    ("interlock completions zsh > _interlock", "write a file for zsh"),
                ],
            ),
        ],
    },
];
