//! Printing the model as its own JSON: two spaces a level, keys in the order of the shape.

use std::io::{self, Write};

use super::{Field, View};
use crate::json::write_text;

/// Prints a field that is not absent.
pub(crate) fn write_field(field: &dyn Field, level: usize, out: &mut dyn Write) -> io::Result<()> {
    write_view(field.view(), level, out)
}

/// Prints what a view shows; `level` is the indentation of the line it stands on.
pub(crate) fn write_view(view: View<'_>, level: usize, out: &mut dyn Write) -> io::Result<()> {
    match view {
        View::Absent | View::Null => out.write_all(b"null"),
        View::Bool(b) => write!(out, "{b}"),
        View::Number(n) => write!(out, "{n}"),
        View::Text(text) => quoted(text, out),
        View::List(list) => {
            let mut items = Container::open(b'[', level, out)?;
            for n in 0..list.len() {
                if let Some(item) = list.item(n) {
                    items.next(out)?;
                    write_field(item, level + 1, out)?;
                }
            }
            items.close(b']', out)
        }
        View::Dict(dict) => {
            let mut members = Container::open(b'{', level, out)?;
            let mut result = Ok(());
            dict.each(&mut |key, field| {
                if result.is_ok() {
                    result = members.member(key, field, out);
                }
            });
            result?;
            members.close(b'}', out)
        }
        View::Node(node) => {
            let mut members = Container::open(b'{', level, out)?;
            for (n, shape) in node.shape().fields.iter().enumerate() {
                if let Some(field) = node.field(n).filter(|f| !f.view().is_absent()) {
                    members.member(shape.name, field, out)?;
                }
            }
            members.close(b'}', out)
        }
    }
}

/// Prints a text as a JSON string.
pub(crate) fn quoted(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut string = String::new();
    write_text(text, &mut string);
    out.write_all(string.as_bytes())
}

/// A container that is being printed.
pub(crate) struct Container {
    level: usize,
    empty: bool,
}

impl Container {
    pub(crate) fn open(bracket: u8, level: usize, out: &mut dyn Write) -> io::Result<Self> {
        out.write_all(&[bracket])?;
        Ok(Self { level, empty: true })
    }

    /// Goes to the line of the next item.
    pub(crate) fn next(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if !std::mem::replace(&mut self.empty, false) {
            out.write_all(b",")?;
        }
        line(self.level + 1, out)
    }

    /// Goes to the next line and prints a key.
    pub(crate) fn key(&mut self, key: &str, out: &mut dyn Write) -> io::Result<()> {
        self.next(out)?;
        quoted(key, out)?;
        out.write_all(b": ")
    }

    fn member(&mut self, key: &str, field: &dyn Field, out: &mut dyn Write) -> io::Result<()> {
        self.key(key, out)?;
        write_field(field, self.level + 1, out)
    }

    pub(crate) fn close(self, bracket: u8, out: &mut dyn Write) -> io::Result<()> {
        if !self.empty {
            line(self.level, out)?;
        }
        out.write_all(&[bracket])
    }
}

fn line(level: usize, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"\n")?;
    (0..level).try_for_each(|_| out.write_all(b"  "))
}
