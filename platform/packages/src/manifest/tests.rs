use super::*;

fn refusal(text: &str) -> String {
    parse(text.as_bytes()).expect_err("to be refused").to_string()
}

/// An engine in a root element on line 1, itself on line 2.
fn engine(attributes: &str, inside: &str) -> String {
    format!("<engines>\n<engine {attributes}>{inside}</engine></engines>")
}

fn wasm(inside: &str) -> String {
    engine("id=\"a\" kind=\"wasm\"", &format!("<library>a.wasm</library>{inside}"))
}

fn brain(inside: &str) -> String {
    engine("id=\"a\" kind=\"gomocup\"", &format!("<program>a</program>{inside}"))
}

#[test]
fn what_an_engine_asks_for_is_read() {
    let needs = |inside: &str| parse(brain(inside).as_bytes()).expect("a manifest")[0].needs;
    assert_eq!(needs("<allow/>"), EngineNeeds::default());
    let all = needs("<allow processes=\"8\" memory=\"2GiB\" sockets=\"local\"/>");
    let expected = EngineNeeds { processes: Some(8), memory_mib: Some(2048), local_sockets: true };
    assert_eq!(all, expected);
    assert_eq!(needs("<allow memory=\"350MiB\"/>").memory_mib, Some(350));
}

#[test]
fn a_dtd_is_refused_with_its_line() {
    let bomb =
        "<?xml version=\"1.0\"?>\n<!DOCTYPE e [<!ENTITY a \"aa\">\n<!ENTITY b \"&a;&a;\">]>\n";
    assert_eq!(
        refusal(&format!("{bomb}{}", wasm("<option name=\"x\">&b;</option>"))),
        "line 2: a DTD (<!DOCTYPE>) is not allowed; remove it"
    );
}

#[test]
fn entities_beyond_the_five_are_refused() {
    let read = |value: &str| {
        let text = wasm(&format!("<option name=\"x\">{value}</option>"));
        parse(text.as_bytes()).map(|engines| engines[0].options[0].1.clone())
    };
    assert_eq!(read("&lt;&gt;&amp;&quot;&apos;&#65;").as_deref(), Ok("<>&\"'A"));
    assert_eq!(read("<![CDATA[a<b]]>").as_deref(), Ok("a<b"));
    for entity in ["&file;", "&nbsp;", "&#0;", "&#7;", "&#xD800;", "&#x110000;"] {
        let error = read(entity).expect_err("to be refused").to_string();
        assert!(error.contains(&format!("{entity} is not allowed; only &lt;")), "{error}");
    }
    let error = refusal(&engine("id=\"a\" kind=\"wasm\" name=\"&x;\"", ""));
    assert!(error.starts_with("line 2: damaged XML"), "{error}");
}

#[test]
fn damaged_xml_is_refused_with_its_line() {
    let cases = [
        ("", "line 1: damaged XML: there is no element"),
        ("<engines>\n<engine>\n", "line 3: damaged XML: <engine> of line 2 is never closed"),
        ("<engines>\n</engine>", "line 2: damaged XML"),
        ("<engines>\n<engine id=a/></engines>", "line 2: damaged XML"),
        ("<engines>\n<engine id=\"a\" id=\"b\"/></engines>", "line 2: damaged XML"),
        ("<engines/>\n<engines/>", "line 2: damaged XML: <engines> after the end of the root"),
        ("\n\nwords", "line 1: damaged XML: text outside"),
        ("<engines>\n&unfinished </engines>", "line 2: damaged XML"),
        ("<engines>\n\n\u{1}</engines>", "line 3: damaged XML: it holds a control character"),
        ("<engines>\n<?php x?></engines>", "line 2: a processing instruction"),
        (
            "<?xml version=\"1.0\" encoding=\"latin1\"?><engines/>",
            "line 1: the file must be encoded",
        ),
    ];
    for (text, expected) in cases {
        let error = refusal(text);
        assert!(error.starts_with(expected), "{text:?}: {error}");
    }
    let error = parse(b"<engines>\n\xff").expect_err("not UTF-8").to_string();
    assert_eq!(error, "line 2: the file must be encoded in UTF-8");
}

#[test]
fn size_and_depth_are_bounded() {
    let padding = " ".repeat(64 * 1024);
    assert!(refusal(&format!("{}{padding}", wasm(""))).contains("larger than 64 KiB"));
    let deep = "<engines>".repeat(7000);
    assert!(refusal(&deep).contains("nested more than 8 deep"), "{}", refusal(&deep));
}

#[test]
fn what_does_not_belong_is_named_with_what_does() {
    let cases = [
        (
            "<engine/>".to_owned(),
            "line 1: <engine> does not belong at the root; allowed: <engines>",
        ),
        ("<engines/>".to_owned(), "line 1: <engines> holds no <engine>"),
        ("<engines a=\"1\"/>".to_owned(), "line 1: <engines> has no attribute `a`; allowed: none"),
        ("<engines>\n<b/></engines>".to_owned(), "line 2: <b> does not belong in <engines>"),
        (wasm("words"), "line 2: text directly inside <engine>"),
        (
            wasm("\n<run/>"),
            "line 3: <run> does not belong in an <engine> of kind wasm; allowed: <library>, ",
        ),
        (engine("kind=\"wasm\"", ""), "line 2: <engine> needs the attribute `id`"),
        (engine("id=\"a\"", ""), "line 2: <engine> needs the attribute `kind`"),
        (engine("id=\"a\" kind=\"wasm\"", ""), "line 2: <engine> holds no <library>"),
        (
            engine("id=\"a\" kind=\"exe\"", ""),
            "line 2: `exe` is not a value of `kind`; expected native",
        ),
        (engine("id=\"a/b\" kind=\"wasm\"", ""), "line 2: `a/b` is not a value of `id`"),
        (engine("id=\"a\" kind=\"wasm\" x=\"\"", ""), "line 2: <engine> has no attribute `x`"),
        (wasm("\n<library>b</library>"), "line 3: the library for the same system"),
        (wasm("\n<option>6</option>"), "line 3: <option> needs the attribute `name`"),
        (
            wasm("\n<option name=\"a b\"/>"),
            "line 3: `a b` is not a value of `name`; expected a word",
        ),
        (
            wasm("<option name=\"a\"/>\n<option name=\"a\"/>"),
            "line 3: the option `a` is given twice",
        ),
        (wasm("\n<option name=\"a\"><b/></option>"), "line 3: <b> does not belong in <option>"),
        (
            wasm("\n<limits threads=\"0\"/>"),
            "line 3: `0` is not a value of `threads`; expected 1 to",
        ),
        (wasm("\n<limits memory-mib=\"-1\"/>"), "line 3: `-1` is not a value of `memory-mib`"),
        (wasm("<limits/>\n<limits/>"), "line 3: <limits> is given twice"),
        (wasm("<allow/>"), "line 2: <allow>"),
        (brain("<allow/>\n<allow/>"), "line 3: <allow> is given twice"),
        (brain("<allow processes=\"65\"/>"), "line 2: `65` is not a value of `processes`"),
        (brain("<allow memory=\"2048\"/>"), "line 2: `2048` is not a value of `memory`"),
        (brain("<allow sockets=\"all\"/>"), "line 2: `all` is not a value of `sockets`"),
    ];
    for (text, expected) in cases {
        let error = refusal(&text);
        assert!(error.starts_with(expected), "{text}: {error}");
    }
    let native = |library: &str| engine("id=\"a\" kind=\"native\"", library);
    let error = refusal(&native("<library os=\"beos\">a</library>"));
    assert!(error.contains("expected linux, windows, macos, freebsd"), "{error}");
    let error = refusal(&native("<library arch=\"amd64\">a</library>"));
    assert!(error.contains("`amd64` is not a value of `arch`; expected x86_64"), "{error}");
    let error = refusal(&engine("id=\"a\" kind=\"wasm\"", "<library os=\"linux\">a</library>"));
    assert!(error.contains("<library> has no attribute `os`"), "{error}");
}

#[test]
fn a_manifest_may_begin_with_a_byte_order_mark() {
    assert_eq!(
        parse(format!("\u{feff}{}", wasm("")).as_bytes()).map(|engines| engines.len()),
        Ok(1)
    );
}

/// Not one cut of a manifest is taken for a whole one, and none panics.
#[test]
fn a_manifest_cut_short_is_refused() {
    let text = wasm("<option name=\"x\">&lt;星</option><!-- c --><limits threads=\"1\"/>");
    for length in 0..text.len() {
        parse(&text.as_bytes()[..length]).expect_err("a manifest cut short");
    }
}
