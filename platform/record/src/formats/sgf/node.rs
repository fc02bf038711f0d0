//! The properties of an SGF node, before they are understood.

use super::scan::{Scanner, Token};
use crate::ReadError;
use crate::formats::Property;

/// The properties of one node as they stand there.
#[derive(Default)]
pub(super) struct RawNode<'a> {
    properties: Vec<RawProperty<'a>>,
    /// The names without a value, which say nothing.
    pub skipped: Vec<ReadError>,
}

/// The most different properties of a node. FF\[4\] has 60 for five in a row.
const MOST_PROPERTIES: usize = 500;

pub(super) struct RawProperty<'a> {
    pub name: String,
    pub values: Vec<&'a str>,
    /// Where it begins.
    pub at: usize,
}

impl<'a> RawNode<'a> {
    /// Reads the properties behind a `;`.
    pub(super) fn read(scanner: &mut Scanner<'a>) -> Result<RawNode<'a>, ReadError> {
        let mut raw = RawNode::default();
        while let Some(Token::Name(_)) = scanner.peek() {
            let Some((at, Token::Name(written))) = scanner.next()? else {
                unreachable!("a name was seen to come next");
            };
            // Up to FF[3] small letters were let into names, and meant nothing.
            let mut name: String = written.chars().filter(|c| !c.is_ascii_lowercase()).collect();
            if name.is_empty() {
                name = written.to_owned();
            }
            let mut values = Vec::new();
            while let Some(Token::Value(_)) = scanner.peek() {
                if let Some((_, Token::Value(value))) = scanner.next()? {
                    values.push(value);
                }
            }
            if values.is_empty() {
                let is_cut = scanner.peek() == Some(Token::Cut);
                if raw.skipped.len() < MOST_PROPERTIES && !is_cut {
                    let message = "a property without a value: skipped; expected [ behind its name";
                    let name: String = name.chars().take(24).collect();
                    raw.skipped.push(scanner.wrong_in(&name, at, message));
                }
                continue;
            }
            raw.add(RawProperty { name, values, at });
            if raw.properties.len() > MOST_PROPERTIES {
                let message = format!("a node with more than {MOST_PROPERTIES} properties");
                return Err(scanner.wrong(at, &message));
            }
        }
        Ok(raw)
    }

    /// The values of a property that comes twice belong together.
    fn add(&mut self, property: RawProperty<'a>) {
        match self.properties.iter_mut().find(|other| other.name == property.name) {
            Some(other) => other.values.extend(property.values),
            None => self.properties.push(property),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.properties.is_empty()
    }

    /// Takes a property out.
    pub(super) fn take(&mut self, name: &str) -> Option<RawProperty<'a>> {
        let place = self.properties.iter().position(|property| property.name == name)?;
        Some(self.properties.remove(place))
    }

    /// Puts a property that was not understood back where it stood, so that writing and reading
    /// again does not change the order.
    pub(super) fn keep(&mut self, property: RawProperty<'a>) {
        let place = self.properties.partition_point(|other| other.at < property.at);
        self.properties.insert(place, property);
    }

    /// Takes out a text; empty if there is none.
    pub(super) fn take_text(&mut self, name: &str, read: fn(&str) -> String) -> String {
        self.take(name).map(|property| read(property.first())).unwrap_or_default()
    }

    /// Takes out what can be understood.
    pub(super) fn take_if<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let property = self.take(name)?;
        let value = read(property.first());
        if value.is_none() {
            self.keep(property);
        }
        value
    }

    /// What is left.
    pub(super) fn rest(self) -> Vec<Property> {
        let owned = |property: RawProperty<'_>| Property {
            name: property.name,
            values: property.values.into_iter().map(str::to_string).collect(),
        };
        self.properties.into_iter().map(owned).collect()
    }
}

impl<'a> RawProperty<'a> {
    pub(super) fn first(&self) -> &'a str {
        self.values[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read behind `(;`.
    fn raw(text: &str) -> RawNode<'_> {
        let mut scanner = Scanner::new(text);
        for token in [Token::Open, Token::Node] {
            assert_eq!(scanner.next().unwrap().unwrap().1, token);
        }
        RawNode::read(&mut scanner).unwrap()
    }

    #[test]
    fn every_name_is_kept_without_its_small_letters() {
        let name = |name: &str| raw(&format!("(;{name}[x])")).properties[0].name.clone();
        for (written, read) in
            [("LaBel2", "LB2"), ("5A", "5A"), ("label", "label"), ("label2", "2"), ("_评", "_评")]
        {
            assert_eq!(name(written), read);
            assert_eq!(name(read), read);
        }
    }

    #[test]
    fn a_name_without_a_value_is_skipped_and_said() {
        let raw = raw("(;KO , B[hh]W");
        let names: Vec<&str> = raw.properties.iter().map(|property| &*property.name).collect();
        assert_eq!(names, ["B"]);
        let fields: Vec<_> = raw.skipped.iter().filter_map(|one| one.field.as_deref()).collect();
        assert_eq!(fields, ["KO", ",", "W"]);
        assert!(raw.skipped[0].to_string().starts_with("line 1, column 3, KO: a property without"));
    }

    #[test]
    fn what_is_kept_stays_in_its_place() {
        let mut raw = raw("(;TM[soon]BL[x])");
        let time = raw.take("TM").unwrap();
        raw.keep(time);
        let names: Vec<&str> = raw.properties.iter().map(|property| &*property.name).collect();
        assert_eq!(names, ["TM", "BL"]);
    }
}
