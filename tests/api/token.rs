//! Tests of a playground with an access token. Scripts send the token, and commands read it from the environment.
//! Clients without the token are rejected.

use std::fs::{self, File};
use std::process::Command;

use reqwest::Client;
use reqwest::redirect::Policy;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Playground, program};

const TOKEN: &str = "of-those-who-may-come-in";

/// Opens a playground with the token. Checks that the playground prints an address that contains the token.
fn closed(directory: &TempDir) -> Playground {
    let mut command = Command::new(program());
    command.env("INTERLOCK_TOKEN", TOKEN);
    let mut playground = Playground::start(command, directory.path(), &["--no-demo"]);
    let (url, query) = playground.url.split_once("/?token=").expect("the address that it tells shows the token");
    assert_eq!(query, TOKEN);
    playground.url = url.to_owned();
    playground
}

fn ps(playground: &Playground, token: Option<&str>) -> (Option<i32>, String, String) {
    let mut command = Command::new(program());
    command.args(["ps", "--format", "json", "--playground", &playground.url]).env_remove("INTERLOCK_TOKEN");
    command.envs(token.map(|token| ("INTERLOCK_TOKEN", token)));
    let output = command.output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[tokio::test(flavor = "multi_thread")]
async fn who_shows_the_token_commands_and_nobody_else() {
    let directory = TempDir::new().expect("a folder");
    let playground = closed(&directory);
    let client = Client::builder().no_proxy().build().expect("a client");
    let create = || client.post(playground.api("/runs")).json(&json!({ "algorithm": "lamport", "nodes": 2 }));
    let refused = create().send().await.expect("an answer");
    assert_eq!(
        (refused.status().as_u16(), &refused.headers()["www-authenticate"]),
        (401, &"Bearer".parse().expect("it"))
    );
    let problem: Value = refused.json().await.expect("JSON");
    assert_eq!(problem["type"], "/problems/unauthorized");
    assert_eq!(create().bearer_auth("of-those-who-may-come-im").send().await.expect("an answer").status(), 401);
    let run = create().bearer_auth(TOKEN).send().await.expect("an answer");
    assert_eq!(run.status(), 201);
    let run: Value = run.json().await.expect("JSON");

    let (code, listed, _) = ps(&playground, Some(TOKEN));
    assert_eq!(code, Some(0));
    assert!(listed.contains(run["id"].as_str().expect("an id")), "{listed}");
    let (code, _, said) = ps(&playground, None);
    assert_eq!(code, Some(3));
    assert!(said.contains("INTERLOCK_TOKEN") || said.contains("token"), "{said}");

    drop(playground);
    for file in fs::read_dir(directory.path()).expect("a folder") {
        let bytes = fs::read(file.expect("a file").path()).expect("its bytes");
        assert!(!bytes.windows(TOKEN.len()).any(|window| window == TOKEN.as_bytes()), "the token is in no file");
    }
}

/// Opens a playground and ends it. `option` is a command-line option with a token, and `variable` is the value of
/// the environment variable `INTERLOCK_TOKEN`. Returns everything that the playground printed on standard error.
fn warned(option: Option<&str>, variable: Option<&str>) -> String {
    let directory = TempDir::new().expect("a folder");
    let mut command = Command::new(program());
    command.envs(variable.map(|token| ("INTERLOCK_TOKEN", token)));
    command.stderr(File::create(directory.path().join("said")).expect("a file"));
    let options: Vec<&str> = option.into_iter().chain(["--no-demo"]).collect();
    drop(Playground::start(command, &directory.path().join("runs"), &options));
    fs::read_to_string(directory.path().join("said")).expect("what it said")
}

#[test]
fn a_token_among_the_options_is_warned_of() {
    assert!(warned(Some(&format!("--token={TOKEN}")), None).contains("set INTERLOCK_TOKEN instead"));
    assert_eq!(warned(None, Some(TOKEN)), "");
    assert_eq!(warned(Some("--token"), None), "", "this one is drawn");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_keeps_a_session_and_not_the_token() {
    let directory = TempDir::new().expect("a folder");
    let playground = closed(&directory);
    let client = Client::builder().no_proxy().redirect(Policy::none()).build().expect("a client");
    let opened = client.get(format!("{}/?token={TOKEN}", playground.url)).send().await.expect("an answer");
    let cookie = opened.headers()["set-cookie"].to_str().expect("text").to_owned();
    assert!(!cookie.contains(TOKEN), "{cookie}");
    let (cookie, _) = cookie.split_once(';').expect("a cookie");
    let asked = |cookie: String| client.get(playground.api("/runs")).header("cookie", cookie).send();
    assert_eq!(asked(cookie.to_owned()).await.expect("an answer").status(), 200);
    let (name, session) = cookie.split_once('=').expect("a name");
    assert_eq!(asked(format!("{name}={TOKEN}")).await.expect("an answer").status(), 401, "the token is no session");
    let bearer = client.get(playground.api("/runs")).bearer_auth(session).send().await.expect("an answer");
    assert_eq!(bearer.status(), 401, "a session is no token");
}

/// Returns the exit code and the standard error of a playground that refuses to open.
fn refused(option: &str, variable: Option<&str>) -> (Option<i32>, String) {
    let directory = TempDir::new().expect("a folder");
    let mut command = Command::new(program());
    command.args(["serve", "--port", "0", option, "--data-dir"]).arg(directory.path());
    command.envs(variable.map(|token| ("INTERLOCK_TOKEN", token)));
    let output = command.output().expect("the program runs");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_token_that_can_be_guessed_is_refused_and_not_repeated() {
    let (code, said) = refused("--token=guess-me", None);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("16 … 256 characters") && !said.contains("guess-me"), "{said}");
}

/// If a script's secret is empty by mistake, the playground must not be open to all users of the machine.
#[test]
fn an_empty_token_is_refused() {
    for (option, variable) in [("--token=", None), ("--no-demo", Some(""))] {
        let (code, said) = refused(option, variable);
        assert_eq!(code, Some(2), "{option}: {said}");
        assert!(said.contains("16 … 256 characters"), "{option}: {said}");
    }
}
