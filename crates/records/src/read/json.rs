//! JSON values that know where they stand, for messages that name the line.

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// A JSON value in its text.
#[derive(Clone, Copy)]
pub(super) struct Json<'a> {
    /// The text that the value is part of.
    text: &'a str,
    /// The line of a file on which the text begins.
    line: usize,
    value: &'a str,
}

/// The entries of an object, in order.
pub(super) type Entries<'a> = Vec<(String, Json<'a>)>;

impl<'a> Json<'a> {
    /// All values of a text, one after the other, and why there are no more. The text begins on
    /// this line of a file.
    pub(super) fn all(text: &'a str, line: usize) -> (Vec<Json<'a>>, Option<(usize, String)>) {
        let mut values = Vec::new();
        for value in serde_json::Deserializer::from_str(text).into_iter::<&RawValue>() {
            match value {
                Ok(value) => values.push(Json {
                    text,
                    line,
                    value: value.get(),
                }),
                Err(error) => {
                    let at = line + error.line().saturating_sub(1);
                    return (values, Some((at, message(&error))));
                }
            }
        }
        (values, None)
    }

    fn inside(&self, value: &'a RawValue) -> Json<'a> {
        Json {
            value: value.get(),
            ..*self
        }
    }

    /// The value as it is written.
    pub(super) fn written(&self) -> &'a str {
        self.value
    }

    /// The line of the file on which the value begins.
    pub(super) fn line(&self) -> usize {
        let at = (self.value.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let before = self.text.as_bytes().iter().take(at);
        self.line + before.filter(|&&byte| byte == b'\n').count()
    }

    /// The items of a list; `None` if it is no list.
    pub(super) fn items(&self) -> Option<Vec<Json<'a>>> {
        let items: Vec<&RawValue> = serde_json::from_str(self.value).ok()?;
        Some(items.into_iter().map(|item| self.inside(item)).collect())
    }

    /// The entries of an object; `None` if it is no object.
    pub(super) fn entries(&self) -> Option<Entries<'a>> {
        let mut deserializer = serde_json::Deserializer::from_str(self.value);
        let entries = deserializer.deserialize_map(InOrder).ok()?;
        let inside = |(key, value)| (key, self.inside(value));
        Some(entries.into_iter().map(inside).collect())
    }

    /// The text of a string; `None` if it is no string.
    pub(super) fn string(&self) -> Option<String> {
        serde_json::from_str(self.value).ok()
    }

    /// A number; `None` if it is none.
    pub(super) fn number(&self) -> Option<f64> {
        serde_json::from_str(self.value).ok()
    }

    /// A whole number from 0 on, also if it is written with a fraction of 0.
    pub(super) fn whole(&self) -> Option<u64> {
        let exact = serde_json::from_str(self.value).ok();
        exact.or_else(|| {
            let number = self.number()?;
            let whole = number.fract() == 0.0 && (0.0..=u64::MAX as f64).contains(&number);
            whole.then_some(number as u64)
        })
    }

    /// `true` or `false`; `None` if it is neither.
    pub(super) fn flag(&self) -> Option<bool> {
        serde_json::from_str(self.value).ok()
    }

    pub(super) fn is_null(&self) -> bool {
        self.value == "null"
    }
}

impl fmt::Display for Json<'_> {
    /// The value, shortened if it is long.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&gdl_parse::diagnostic::cut(self.value))
    }
}

/// The message of an error without its position.
fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(at) => text[..at].to_string(),
        None => text,
    }
}

/// Reads an object as a list of entries.
struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(entries)
    }
}
