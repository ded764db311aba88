use interlock_algorithm::NodeId;
use interlock_model::event::{DropReason, RestartState, What};

use super::Form;
use super::tests::created;
use crate::state::test_stream::{TestStream, violated};

/// Returns the shapes of the picture of a run, one per line, from the first incarnation to the last name.
fn shapes(stream: &TestStream) -> Vec<String> {
    let mut out = Vec::new();
    Form::Svg.write(&stream.events, &mut out).expect("a run");
    let picture = String::from_utf8(out).expect("text");
    let shapes = picture.lines().skip(5).map(str::to_owned).filter(|line| !line.starts_with("</g>"));
    shapes.collect()
}

fn frame(stream: &TestStream) -> String {
    let mut out = Vec::new();
    Form::Svg.write(&stream.events, &mut out).expect("a run");
    String::from_utf8(out).expect("text").lines().next().expect("a line").to_owned()
}

#[test]
fn the_picture_grows_with_its_rows_and_moments() {
    let frame = |width: u32, height: u32| {
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">"#
        )
    };
    assert_eq!(self::frame(&created(2)), frame(120, 148));
    let mut stream = created(3);
    assert_eq!(self::frame(&stream), frame(120, 220));
    stream.request(0);
    stream.push(What::Noted { detail: "a remark".into() });
    assert_eq!(self::frame(&stream), frame(200, 220));
    stream.push(What::paused(NodeId(0), 1));
    stream.start(0);
    assert_eq!(self::frame(&stream), frame(240, 220), "what has no sentence takes no room");
    stream.start(0);
    stream.push(violated("mutual-exclusion"));
    assert_eq!(self::frame(&stream), frame(280, 220), "unless a property is violated");
}

#[test]
fn messages_and_sections_are_drawn_from_row_to_row() {
    let mut stream = created(3);
    stream.request(0);
    stream.enter(0);
    let taken = stream.send(0, 1, "A");
    let lost = stream.send(0, 2, "B");
    stream.lose(lost);
    stream.deliver(taken);
    let late = stream.send(1, 0, "C");
    stream.exit(0);
    stream.push(What::dropped(late, "C".into(), DropReason::Partition));
    let expected = r##"<path class="life" d="M56 40H256" stroke="#888"/>
<path class="life" d="M56 112H256" stroke="#888"/>
<path class="life" d="M56 184H256" stroke="#888"/>
<rect class="section" x="96" y="32" width="80" height="16" rx="3" fill="#2563eb" fill-opacity="0.45"><title>P0 is in the section of lock 0</title></rect>
<path class="message" d="M96 40L116 136" stroke="#555"><title>B 0.2.1 from P0 to P2</title></path><text class="kind" x="106" y="88">B</text>
<path class="lost" d="M111 131L121 141M111 141L121 131" stroke="#c00" stroke-width="2"><title>message 0.2.1 is lost: random loss</title></path>
<path class="message" d="M96 40L136 112" stroke="#555" marker-end="url(#tip)"><title>A 0.1.1 from P0 to P1</title></path><text class="kind" x="116" y="76">A</text>
<path class="message" d="M136 112L216 64" stroke="#555"><title>C 1.0.1 from P1 to P0</title></path><text class="kind" x="176" y="88">C</text>
<path class="lost" d="M211 59L221 69M211 69L221 59" stroke="#c00" stroke-width="2"><title>message 1.0.1 is lost: its link is partitioned</title></path>
<circle class="step" cx="96" cy="40" r="4" fill="#333"><title>P0 requests lock 0, enters the section of lock 0, sends A to P1 (0.1.1) and sends B to P2 (0.2.1); message 0.2.1 is lost: random loss</title></circle>
<circle class="step" cx="136" cy="112" r="4" fill="#333"><title>P1 receives ANY 0.1.1 from P0 and sends C to P0 (1.0.1)</title></circle>
<circle class="step" cx="176" cy="40" r="4" fill="#333"><title>P0 leaves the section of lock 0</title></circle>
<text x="16" y="44">P0</text>
<text x="16" y="116">P1</text>
<text x="16" y="188">P2</text>"##;
    assert_eq!(shapes(&stream).join("\n"), expected);
}

#[test]
fn a_crash_ends_a_section_and_a_row_and_a_violation_crosses_all_rows() {
    let mut stream = created(2);
    stream.request(1);
    stream.enter(1);
    stream.send(1, 0, "A");
    stream.request(0);
    stream.enter(0);
    stream.push(violated("mutual-exclusion"));
    stream.crash(1);
    stream.restart(1, RestartState::Stored);
    stream.push(What::Noted { detail: "a remark".into() });
    let expected = r##"<path class="life" d="M56 112H176" stroke="#888"/>
<path class="life" d="M56 40H296" stroke="#888"/>
<path class="life" d="M216 112H296" stroke="#888"/>
<rect class="section" x="96" y="104" width="80" height="16" rx="3" fill="#2563eb" fill-opacity="0.45"><title>P1 is in the section of lock 0</title></rect>
<rect class="section" x="136" y="32" width="160" height="16" rx="3" fill="#2563eb" fill-opacity="0.45"><title>P0 is in the section of lock 0</title></rect>
<path class="message" d="M96 112L296 64" stroke="#555"><title>A 1.0.1 from P1 to P0</title></path><text class="kind" x="196" y="88">A</text>
<circle class="step" cx="96" cy="112" r="4" fill="#333"><title>P1 requests lock 0, enters the section of lock 0 and sends A to P0 (1.0.1)</title></circle>
<path class="wrong" d="M136 16V148" stroke="#c00" stroke-dasharray="2 3"><title>The property `mutual-exclusion` was violated: code {&quot;first&quot;:1}.</title></path>
<circle class="step" cx="136" cy="40" r="4" fill="#333"><title>P0 requests lock 0 and enters the section of lock 0</title></circle>
<path class="dead" d="M171 107L181 117M171 117L181 107" stroke="#c00" stroke-width="2"><title>P1 crashes</title></path>
<text x="16" y="44">P0</text>
<text x="16" y="116">P1</text>"##;
    assert_eq!(shapes(&stream).join("\n"), expected);
}
