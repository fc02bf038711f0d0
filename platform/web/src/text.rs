//! Text and JSON inside HTML.

/// JSON as it may stand in a `script` element: nothing in it ends the element, begins a comment, or
/// is a line end to JavaScript. These characters are in strings alone, where they may be escaped.
pub(crate) fn json_in_html(json: &str) -> String {
    let mut safe = String::with_capacity(json.len() + json.len() / 64);
    for sign in json.chars() {
        match sign {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                safe.push_str(&format!("\\u{:04x}", u32::from(sign)));
            }
            _ => safe.push(sign),
        }
    }
    safe
}

/// Text as it may stand in an element or an attribute.
pub(crate) fn html(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ => safe.push(sign),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_the_element_it_stands_in() {
        let name = "</script><!--\u{2028}&\u{2029}<script>";
        let json = serde_json::to_string(name).unwrap();
        let safe = json_in_html(&json);
        assert!(!safe.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), name);
        assert_eq!(html("<a href=\"x\">'&"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
    }
}
