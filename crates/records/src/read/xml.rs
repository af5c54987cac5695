//! Records of older servers, which are XML.
//!
//! Two servers wrote them in great numbers. Both have an element `match` with `role`, `player`,
//! clocks, and a `history`. One writes each joint move as a `move` with an `action` of each role,
//! and states in `herstory`; the other as a `step` with a `move` of each role. Facts are a
//! relation and its arguments, each in an element of its own. Only names of elements are looked
//! at, so that what they have in common is read once.

use super::terms::list_of;
use super::{Found, Wrong};
use crate::Record;
use roxmltree::{Document, Node, ParsingOptions};
use std::time::Duration;

/// The most elements of a document.
const ELEMENTS: u32 = 10_000_000;

/// All records of a document, each with the line on which it begins.
pub(super) fn records(text: &str) -> Found<Vec<(usize, Found<Record>)>> {
    // A document type is allowed because records name one; entities are not expanded without end.
    let options = ParsingOptions {
        allow_dtd: true,
        nodes_limit: ELEMENTS,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options).map_err(|error| Wrong {
        line: error.pos().row as usize,
        why: format!("the XML cannot be read: {}", message(&error)),
    })?;
    let matches = document.descendants().filter(|node| is(node, "match"));
    let outer = matches.filter(|node| !node.ancestors().skip(1).any(|node| is(&node, "match")));
    let records: Vec<_> = outer.map(|node| (line(&node), record(node))).collect();
    match records.is_empty() {
        false => Ok(records),
        true => Err(Wrong {
            line: 1,
            why: format!(
                "an XML document with <{}>, which holds no element <match> with a <history>",
                document.root_element().tag_name().name()
            ),
        }),
    }
}

/// The message of an error without its position.
fn message(error: &roxmltree::Error) -> String {
    let text = error.to_string();
    let end = format!(" at {}", error.pos());
    text.strip_suffix(&end).unwrap_or(&text).to_string()
}

fn record(node: Node<'_, '_>) -> Found<Record> {
    let history = child(node, &["history"]);
    let herstory = child(node, &["herstory", "states"]);
    if history.is_none() && herstory.is_none() {
        return wrong(node, "a match without <history>".into());
    }
    let mut moves = Vec::new();
    for (at, step) in steps(history, &["move", "step"])? {
        if at != moves.len() {
            let (given, expected) = (at + 1, moves.len() + 1);
            return wrong(
                step,
                format!("step {given} of <history>, where {expected} belongs"),
            );
        }
        moves.push(texts(step, &["action", "move"]));
    }
    let mut states = Vec::new();
    for (at, state) in steps(herstory, &["state"])? {
        // A state that was left out stays empty, and is known from the moves.
        if at > moves.len() {
            return wrong(
                state,
                format!("state {} without the moves before it", at + 1),
            );
        }
        states.resize(moves.len() + 1, String::new());
        states[at] = facts(state)?;
    }
    let goals = child(node, &["rewards", "scores", "goals"]);
    let goals = goals.map_or_else(Vec::new, |goals| {
        children(goals, &["reward", "score", "goal"])
    });
    let id = node.attribute("id").map(String::from);
    Ok(Record {
        match_id: id.unwrap_or_else(|| first(node, &["matchid", "id"])),
        game_meta_url: first(node, &["game", "gamename"]),
        game_role_names: texts(node, &["role"]),
        player_names_from_host: texts(node, &["player"]),
        start_clock: clock(node, "startclock")?,
        play_clock: clock(node, "playclock")?,
        goal_values: goals.into_iter().map(goal).collect::<Found<_>>()?,
        moves,
        states,
        ..Record::default()
    })
}

fn wrong<T>(node: Node<'_, '_>, why: String) -> Found<T> {
    let line = line(&node);
    Err(Wrong { line, why })
}

fn line(node: &Node<'_, '_>) -> usize {
    node.document().text_pos_at(node.range().start).row as usize
}

/// Whether the element has this name, in any case, with or without hyphens.
fn is(node: &Node<'_, '_>, name: &str) -> bool {
    let own = node.tag_name().name().replace(['-', '_'], "");
    node.is_element() && own.eq_ignore_ascii_case(name)
}

fn children<'a, 'i>(node: Node<'a, 'i>, names: &[&str]) -> Vec<Node<'a, 'i>> {
    let wanted = |child: &Node<'_, '_>| names.iter().any(|name| is(child, name));
    node.children().filter(wanted).collect()
}

fn child<'a, 'i>(node: Node<'a, 'i>, names: &[&str]) -> Option<Node<'a, 'i>> {
    children(node, names).into_iter().next()
}

/// The texts of the elements with one of these names.
fn texts(node: Node<'_, '_>, names: &[&str]) -> Vec<String> {
    let of = children(node, names).into_iter();
    of.map(|child| child.text().unwrap_or("").trim().to_string())
        .collect()
}

fn first(node: Node<'_, '_>, names: &[&str]) -> String {
    texts(node, names).into_iter().next().unwrap_or_default()
}

/// The steps of a history with their positions from 0: by their numbers, which count from 1, or
/// else by their order.
fn steps<'a, 'i>(
    history: Option<Node<'a, 'i>>,
    names: &[&str],
) -> Found<Vec<(usize, Node<'a, 'i>)>> {
    let steps = history.map_or_else(Vec::new, |history| children(history, names));
    let numbered = |(at, step): (usize, Node<'a, 'i>)| {
        let number = first(step, &["stepnum", "stepnumber"]);
        match (&*number, number.parse::<usize>()) {
            ("", _) => Ok((at, step)),
            (_, Ok(number)) if number > 0 => Ok((number - 1, step)),
            _ => wrong(
                step,
                format!("the step number {number:?} is no number from 1 on"),
            ),
        }
    };
    let mut steps: Vec<_> = steps
        .into_iter()
        .enumerate()
        .map(numbered)
        .collect::<Found<_>>()?;
    steps.sort_by_key(|(at, _)| *at);
    Ok(steps)
}

/// A state: its facts, each a text, or a relation with arguments.
fn facts(state: Node<'_, '_>) -> Found<String> {
    let fact = |fact: Node<'_, '_>| {
        let relation = first(fact, &["relation", "propf"]);
        let arguments = texts(fact, &["argument", "arg"]);
        match (relation.is_empty(), arguments.is_empty()) {
            (false, false) => Ok(format!("({relation} {})", arguments.join(" "))),
            (false, true) => Ok(relation),
            (true, _) => match fact.text().map(str::trim) {
                Some(text) if !text.is_empty() => Ok(text.to_string()),
                _ => wrong(fact, "a fact without <relation>".into()),
            },
        }
    };
    let facts = children(state, &["fact"]).into_iter();
    facts.map(fact).collect::<Found<_>>().map(list_of)
}

fn clock(node: Node<'_, '_>, name: &str) -> Found<Duration> {
    let Some(clock) = child(node, &[name]) else {
        return Ok(Duration::ZERO);
    };
    let text = clock.text().unwrap_or("").trim();
    let seconds = text.parse().ok().filter(|seconds| *seconds >= 0.0);
    match seconds {
        Some(seconds) => Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)),
        None => wrong(
            clock,
            format!("{name} is {text:?} and not a time in seconds from 0 on"),
        ),
    }
}

fn goal(node: Node<'_, '_>) -> Found<u8> {
    let text = node.text().unwrap_or("").trim();
    match text.parse().ok().filter(|goal| *goal <= 100) {
        Some(goal) => Ok(goal),
        None => wrong(
            node,
            format!("the result {text:?} is not a number from 0 to 100"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A match of two roles as the other of the two servers writes it.
    const STEPS: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<!DOCTYPE match SYSTEM \"match.dtd\">
<match>
  <match-id>run.2</match-id>
  <role>WHITE</role><role>BLACK</role>
  <startclock>30</startclock><playclock>10</playclock>
  <history>
    <step><step-number>2</step-number><move>NOOP</move><move>(GO 2)</move></step>
    <step><step-number>1</step-number><move>(GO 1)</move><move>NOOP</move></step>
  </history>
  <state><fact><prop-f>AT</prop-f><arg>1</arg></fact></state>
  <scores><reward>100</reward><reward>0</reward></scores>
</match>";

    #[test]
    fn both_servers_are_read() {
        let found = records(STEPS).expect("XML");
        let [(3, Ok(record))] = found.as_slice() else {
            panic!("{found:?}");
        };
        assert_eq!(record.match_id, "run.2");
        assert_eq!(record.game_role_names, ["WHITE", "BLACK"]);
        assert_eq!(record.moves, [["(GO 1)", "NOOP"], ["NOOP", "(GO 2)"]]);
        assert_eq!(record.play_clock, Duration::from_secs(10));
        assert_eq!(record.goal_values, [100, 0]);
        assert_eq!(record.is_completed, None);
        let text = "<archive><match id='M.1'><role>a</role>
<herstory><state><stepnum>2</stepnum><fact><relation>at</relation><argument>1</argument>
<argument>(b 2)</argument></fact><fact>done</fact></state></herstory>
<history><move><stepnum>1</stepnum><action>(go 2)</action></move></history>
</match><match id='M.2'><history/></match></archive>";
        let found = records(text).expect("XML");
        let [(1, Ok(one)), (5, Ok(two))] = found.as_slice() else {
            panic!("{found:?}");
        };
        assert_eq!(one.states, ["", "( (at 1 (b 2)) done )"]);
        assert_eq!(one.moves, [["(go 2)"]]);
        assert_eq!((&*two.match_id, two.moves.len()), ("M.2", 0));
    }

    #[test]
    fn faults_name_their_line() {
        let of = |text: &str| match records(text) {
            Err(wrong) => (wrong.line, wrong.why),
            Ok(found) => match found.into_iter().next().expect("one").1 {
                Err(wrong) => (wrong.line, wrong.why),
                Ok(record) => panic!("{record:?}"),
            },
        };
        for (text, line, why) in [
            ("<match>\n<a></b></match>", 2, "expected 'a' tag, not 'b'"),
            (
                "<html><body/></html>",
                1,
                "<html>, which holds no element <match>",
            ),
            ("<match>\n</match>", 1, "without <history>"),
            (
                "<match><history/>\n<playclock>-1</playclock></match>",
                2,
                "playclock is \"-1\"",
            ),
            (
                "<match><history/><rewards>\n<reward>101</reward></rewards></match>",
                2,
                "\"101\" is not a number from 0 to 100",
            ),
            (
                "<match><history>\n<move><stepnum>2</stepnum></move></history></match>",
                2,
                "step 2 of <history>, where 1 belongs",
            ),
            (
                "<match><history>\n<move><stepnum>0</stepnum></move></history></match>",
                2,
                "no number from 1 on",
            ),
            (
                "<match><herstory>\n<state><fact/></state></herstory></match>",
                2,
                "a fact without",
            ),
        ] {
            let found = of(text);
            assert!(
                found.0 == line && found.1.contains(why),
                "{text}: {found:?}"
            );
        }
    }

    #[test]
    fn entities_do_not_explode() {
        let mut text = String::from("<!DOCTYPE m [<!ENTITY a \"aaaaaaaaaa\">");
        for (name, of) in ('b'..='z').zip('a'..='z') {
            text += &format!("<!ENTITY {name} \"{}\">", format!("&{of};").repeat(10));
        }
        text += "]><match><history/><game>&z;</game></match>";
        assert!(records(&text).is_err());
    }
}
