//! Reads a struct from its tokens.

use proc_macro::{Delimiter, TokenStream, TokenTree};

/// A struct with named fields.
pub(crate) struct Struct {
    pub name: String,
    pub fields: Vec<RawField>,
}

/// A field as it is written.
pub(crate) struct RawField {
    pub ident: String,
    pub ty: String,
    /// What its attribute `option` says: keys with the tokens after `=`, which may be none.
    pub arguments: Vec<(String, String)>,
}

impl Struct {
    pub(crate) fn read(input: TokenStream) -> Result<Struct, String> {
        const EXPECTED: &str = "Options is for structs with named fields and no generics";
        let mut tokens = input.into_iter();
        tokens
            .find(|token| matches!(token, TokenTree::Ident(word) if word.to_string() == "struct"))
            .ok_or(EXPECTED)?;
        let name = tokens.next().ok_or(EXPECTED)?.to_string();
        match tokens.next() {
            Some(TokenTree::Group(body)) if body.delimiter() == Delimiter::Brace => {
                let fields = split(body.stream()).into_iter().map(field);
                Ok(Struct { name, fields: fields.collect::<Result<_, _>>()? })
            }
            _ => Err(EXPECTED.to_owned()),
        }
    }
}

/// Splits at the commas that are in no brackets of any sort.
fn split(stream: TokenStream) -> Vec<Vec<TokenTree>> {
    let (mut parts, mut angles) = (vec![Vec::new()], 0);
    for token in stream {
        if let TokenTree::Punct(punct) = &token {
            match punct.as_char() {
                '<' => angles += 1,
                '>' => angles -= 1,
                ',' if angles <= 0 => {
                    parts.push(Vec::new());
                    continue;
                }
                _ => {}
            }
        }
        if let Some(part) = parts.last_mut() {
            part.push(token);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn field(tokens: Vec<TokenTree>) -> Result<RawField, String> {
    let (mut arguments, mut ident) = (Vec::new(), None);
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                if let Some(TokenTree::Group(attribute)) = tokens.next() {
                    arguments.extend(option_arguments(attribute.stream()));
                }
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => break,
            TokenTree::Ident(word) => ident = Some(word.to_string()),
            // What follows `pub`.
            _ => {}
        }
    }
    let ident = ident.ok_or("a field without a name")?;
    Ok(RawField { ident, ty: text(tokens), arguments })
}

/// The arguments of an attribute if it is `option`.
fn option_arguments(attribute: TokenStream) -> Vec<(String, String)> {
    let mut tokens = attribute.into_iter();
    let is_option =
        matches!(tokens.next(), Some(TokenTree::Ident(word)) if word.to_string() == "option");
    let Some(TokenTree::Group(group)) = tokens.next().filter(|_| is_option) else {
        return Vec::new();
    };
    let argument = |tokens: Vec<TokenTree>| {
        let mut tokens = tokens.into_iter();
        let key = tokens.next().map(|key| key.to_string()).unwrap_or_default();
        // The equals sign.
        tokens.next();
        (key, text(tokens))
    };
    // `<<` opens nothing here.
    let tokens: Vec<_> = group.stream().into_iter().collect();
    let is_comma =
        |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
    let arguments = tokens.split(is_comma).filter(|part| !part.is_empty());
    arguments.map(|part| argument(part.to_vec())).collect()
}

fn text(tokens: impl IntoIterator<Item = TokenTree>) -> String {
    tokens.into_iter().collect::<TokenStream>().to_string()
}
