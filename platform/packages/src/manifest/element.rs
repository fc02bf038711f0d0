use super::{ManifestError, ManifestProblem};
use crate::xml::Element;

/// What the manifest asks of an element, each a failure that names its line.
impl Element {
    pub(super) fn error(&self, problem: ManifestProblem) -> ManifestError {
        ManifestError { line: self.line, problem }
    }

    pub(super) fn unknown_element(&self, place: &str, allowed: &str) -> ManifestError {
        self.error(ManifestProblem::UnknownElement {
            name: self.name.clone(),
            place: place.to_owned(),
            allowed: allowed.to_owned(),
        })
    }

    pub(super) fn bad_value(&self, what: &str, value: &str, expected: &str) -> ManifestError {
        self.error(ManifestProblem::BadValue {
            what: what.to_owned(),
            value: value.chars().take(100).collect(),
            expected: expected.to_owned(),
        })
    }

    pub(super) fn twice(&self, what: &str) -> ManifestError {
        self.error(ManifestProblem::Twice(what.to_owned()))
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn required(&self, name: &'static str) -> Result<&str, ManifestError> {
        let element = || self.name.clone();
        self.attribute(name).ok_or_else(|| {
            self.error(ManifestProblem::MissingAttribute { element: element(), name })
        })
    }

    pub(super) fn allow_attributes(&self, allowed: &[&str]) -> Result<(), ManifestError> {
        match self.attributes.iter().find(|(name, _)| !allowed.contains(&name.as_str())) {
            None => Ok(()),
            Some((name, _)) => Err(self.error(ManifestProblem::UnknownAttribute {
                element: self.name.clone(),
                name: name.clone(),
                allowed: if allowed.is_empty() { "none".to_owned() } else { allowed.join(", ") },
            })),
        }
    }

    pub(super) fn no_text(&self) -> Result<(), ManifestError> {
        match self.text.trim() {
            "" => Ok(()),
            _ => Err(self.error(ManifestProblem::StrayText(self.name.clone()))),
        }
    }

    pub(super) fn no_children(&self) -> Result<(), ManifestError> {
        match self.children.first() {
            None => Ok(()),
            Some(child) => Err(child.unknown_element(&format!("in <{}>", self.name), "no element")),
        }
    }

    pub(super) fn one_of(
        &self,
        name: &str,
        allowed: &[&str],
    ) -> Result<Option<String>, ManifestError> {
        match self.attribute(name) {
            Some(value) if !allowed.contains(&value) => {
                Err(self.bad_value(&format!("`{name}`"), value, &allowed.join(", ")))
            }
            value => Ok(value.map(str::to_owned)),
        }
    }

    pub(super) fn number(&self, name: &str, most: u32) -> Result<Option<u32>, ManifestError> {
        let Some(value) = self.attribute(name) else { return Ok(None) };
        match value.parse() {
            Ok(number) if (1..=most).contains(&number) => Ok(Some(number)),
            _ => Err(self.bad_value(&format!("`{name}`"), value, &format!("1 to {most}"))),
        }
    }
}
