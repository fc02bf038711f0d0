//! The derive macro `Options`. Use it through `tengen-sdk`, which shows how.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod field;
mod tokens;

use proc_macro::TokenStream;

use field::{DerivedOption, Kind};

/// What to do about a range that no host can be told.
const LIMITS: &str = "which is all that an option can be told as; let it end at i64::MAX or below";

/// Makes the fields of a struct the options of an engine: their defaults, their description and how
/// they are set. `tengen_sdk::Options` shows it.
#[proc_macro_derive(Options, attributes(option))]
pub fn options(input: TokenStream) -> TokenStream {
    let code = tokens::Struct::read(input).and_then(|read| {
        let fields: Result<Vec<DerivedOption>, String> =
            read.fields.iter().map(DerivedOption::new).collect();
        let fields = fields?;
        let twice = fields
            .iter()
            .enumerate()
            .find(|(index, field)| fields[..*index].iter().any(|other| other.name == field.name));
        match twice {
            Some((_, field)) => Err(format!("two options are named {}", field.name)),
            None => Ok(implementation(&read.name, &fields)),
        }
    });
    let code = code.unwrap_or_else(|problem| format!("::core::compile_error!({problem:?});"));
    code.parse().expect("what is written here is Rust")
}

fn implementation(name: &str, fields: &[DerivedOption]) -> String {
    let (mut defaults, mut specs, mut arms) = (String::new(), String::new(), String::new());
    for DerivedOption { ident, ty, name, kind, default, unit, tune } in fields {
        let sdk = "::tengen_sdk";
        let spec = match kind {
            Kind::Int { range } => {
                defaults += &format!("{ident}: {default},");
                let read = format!("{sdk}::__private::read_int::<{ty}>(value, {range})?");
                arms += &format!("{name:?} => self.{ident} = {read},");
                // An option is an i64 for the host; a wrong range should already fail in the
                // compiler.
                let limits = format!("the option `{ident}`: its range goes beyond i64, {LIMITS}");
                let empty = format!("the option `{ident}`: its range is empty");
                // A name that no user's range would have.
                let (own, start) = ("__TENGEN_RANGE", "*__TENGEN_RANGE.start()");
                let end = "*__TENGEN_RANGE.end()";
                format!(
                    "{{ const {own}: ::core::ops::RangeInclusive<{ty}> = {range}; \
                     const _: () = assert!({start} <= {end}, {empty:?}); \
                     const _: () = assert!({end} as i128 <= i64::MAX as i128, {limits:?}); \
                     {sdk}::OptionSpec::int({name:?}, usual.{ident} as i64, \
                     {start} as i64..={end} as i64) }}"
                )
            }
            Kind::Bool => {
                defaults += &format!("{ident}: {default},");
                arms += &format!(
                    "{name:?} => self.{ident} = value.parse()\
                     .map_err(|_| {sdk}::OptionError::BadValue)?,"
                );
                format!("{sdk}::OptionSpec::bool({name:?}, usual.{ident})")
            }
            Kind::Choice { values } => {
                defaults += &format!("{ident}: ::std::string::String::from({default}),");
                arms += &format!(
                    "{name:?} => if {values}.contains(&value) {{ self.{ident} = value.into() }} \
                     else {{ return Err({sdk}::OptionError::BadValue) }},"
                );
                format!("{sdk}::OptionSpec::choice({name:?}, usual.{ident}.clone(), &{values})")
            }
            Kind::Text => {
                defaults += &format!("{ident}: ::std::string::String::from({default}),");
                arms += &format!("{name:?} => self.{ident} = value.into(),");
                format!("{sdk}::OptionSpec::string({name:?}, usual.{ident}.clone())")
            }
        };
        let unit = unit.as_ref().map(|unit| format!(".unit({unit})")).unwrap_or_default();
        let tune = if *tune { ".tune()" } else { "" };
        specs += &format!("{spec}{unit}{tune},");
    }
    format!(
        "impl ::core::default::Default for {name} {{
            fn default() -> Self {{ {name} {{ {defaults} }} }}
        }}
        impl ::tengen_sdk::Options for {name} {{
            fn specs() -> ::std::vec::Vec<::tengen_sdk::OptionSpec> {{
                let usual = <Self as ::core::default::Default>::default();
                let _ = &usual;
                ::std::vec![{specs}]
            }}
            fn set(&mut self, name: &str, value: &str)
                -> ::core::result::Result<(), ::tengen_sdk::OptionError>
            {{
                match name {{
                    {arms}
                    _ => return Err(::tengen_sdk::OptionError::Unknown),
                }}
                #[allow(unreachable_code)]
                Ok(())
            }}
        }}"
    )
}
