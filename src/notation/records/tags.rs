use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One tag of a game: its name and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The name, such as `White`.
    pub name: String,
    /// The value, without quotes and escapes.
    pub value: String,
}

/// The tags of a game in their order. `Variant`, `SetUp`, `FEN` and `Result` are not among them: the record holds what
/// they say. Neither are tags that say nothing
/// (`?`, `????.??.??`, `-`, `unterminated`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(Vec<Tag>);

/// Tags whose values the record itself holds.
const HELD: [&str; 4] = ["Variant", "SetUp", "FEN", "Result"];

impl Tags {
    /// The value of the tag with this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|tag| tag.name == name).map(|tag| tag.value.as_str())
    }

    /// Sets a tag, in the place of one of the same name if there is one. A value that says nothing takes the tag away;
    /// a tag whose value the record holds otherwise is not set. In the name, what is no letter, digit or `_` becomes `_`,
    /// and so does no name at all.
    pub fn set(&mut self, name: &str, value: &str) {
        let clean = |letter: char| if is_name_letter(letter) { letter } else { '_' };
        let name =
            &if name.is_empty() { "_".to_owned() } else { name.chars().map(clean).collect::<String>() };
        if says_nothing(value) || HELD.contains(&name.as_str()) {
            self.0.retain(|tag| tag.name != *name);
            return;
        }
        match self.0.iter_mut().find(|tag| tag.name == *name) {
            Some(tag) => value.clone_into(&mut tag.value),
            None => self.0.push(Tag { name: name.clone(), value: value.to_owned() }),
        }
    }

    /// Is no tag set?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The tags in their order.
    pub fn iter(&self) -> impl Iterator<Item = &Tag> {
        self.0.iter()
    }
}

/// May a name hold this?
pub(super) fn is_name_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// What stands in a tag of which nothing is known; the last is PGN's word for a game that goes on.
fn says_nothing(value: &str) -> bool {
    value.chars().all(|letter| matches!(letter, '?' | '.' | '-' | ' ')) || value == "unterminated"
}

impl Serialize for Tags {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for tag in &self.0 {
            map.serialize_entry(&tag.name, &tag.value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Tags {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Tags;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of texts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tags, A::Error> {
                let mut tags = Tags::default();
                while let Some((name, value)) = map.next_entry::<String, String>()? {
                    tags.set(&name, &value);
                }
                Ok(tags)
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_set_once_and_only_if_they_say_something() {
        let mut tags = Tags::default();
        for (name, value) in
            [("White", "A"), ("Black", "?"), ("White", "B"), ("Result", "1-0"), ("Round", "-")]
        {
            tags.set(name, value);
        }
        assert_eq!(tags.0, [Tag { name: "White".to_owned(), value: "B".to_owned() }]);
        tags.set("White", "????.??.??");
        assert!(tags.is_empty());
    }
}
