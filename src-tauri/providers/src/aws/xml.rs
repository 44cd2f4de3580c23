//! Answers in XML as a tree. Each row is read for itself then, so that one that is odd costs no other, and names and
//! order may change as they like.

use quick_xml::Reader;
use quick_xml::events::Event;

/// Nesting beyond this is no answer of the service (its deepest has nine levels).
const MAX_DEPTH: usize = 32;

/// An element: its name without a namespace, its own text, what it contains.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Node {
    name: String,
    text: String,
    children: Vec<Node>,
}

impl Node {
    /// Reads a whole document; what is wrong with it otherwise.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut reader = Reader::from_str(text);
        let mut open: Vec<Self> = Vec::new();
        let mut root = None;
        loop {
            match reader.read_event().map_err(|error| format!("broken XML: {error}"))? {
                Event::Start(start) => {
                    if open.len() >= MAX_DEPTH || root.is_some() {
                        return Err("XML nested too deep, or with two roots".to_owned());
                    }
                    open.push(Self { name: start.local_name().into_inner().to_owned(), ..Self::default() });
                }
                Event::Empty(empty) => {
                    let node = Self { name: empty.local_name().into_inner().to_owned(), ..Self::default() };
                    close(node, &mut open, &mut root);
                }
                Event::Text(text) => add(&mut open, &text),
                Event::CData(text) => add(&mut open, &text),
                Event::GeneralRef(entity) => {
                    let said = match entity.resolve_char_ref() {
                        Ok(Some(letter)) => letter.to_string(),
                        _ => named(&entity).to_owned(),
                    };
                    add(&mut open, &said);
                }
                Event::End(_) => {
                    if let Some(node) = open.pop() {
                        close(node, &mut open, &mut root);
                    }
                }
                Event::Eof => break,
                _ => {}
            }
        }
        match root {
            Some(root) if open.is_empty() => Ok(root),
            _ => Err("the XML breaks off".to_owned()),
        }
    }

    /// The name of the element.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The element at a path of names: `placement/availabilityZone`.
    pub fn at(&self, path: &str) -> Option<&Self> {
        path.split('/').try_fold(self, |node, name| node.children.iter().find(|child| child.name == name))
    }

    /// The text at a path, where it is one: neither missing nor blank.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.at(path).map(|node| node.text.trim()).filter(|text| !text.is_empty())
    }

    /// The text of this element itself.
    pub fn own_text(&self) -> Option<&str> {
        Some(self.text.trim()).filter(|text| !text.is_empty())
    }

    /// A whole number at a path.
    pub fn whole(&self, path: &str) -> Option<u64> {
        self.text(path)?.parse().ok()
    }

    /// A number above zero at a path.
    pub fn positive(&self, path: &str) -> Option<f64> {
        self.text(path)?.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0)
    }

    /// A yes or no at a path.
    pub fn flag(&self, path: &str) -> Option<bool> {
        match self.text(path)? {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// The rows of the set at a path: its `item` elements.
    pub fn items(&self, path: &str) -> impl Iterator<Item = &Self> {
        let set = self.at(path).map(|set| set.children.as_slice()).unwrap_or_default();
        set.iter().filter(|child| child.name == "item")
    }

    /// Where a set is missing altogether, the answer is another one than was asked for.
    pub fn has(&self, path: &str) -> bool {
        self.at(path).is_some()
    }
}

fn add(open: &mut [Node], text: &str) {
    if let Some(node) = open.last_mut() {
        node.text.push_str(text);
    }
}

fn close(node: Node, open: &mut [Node], root: &mut Option<Node>) {
    match open.last_mut() {
        Some(parent) => parent.children.push(node),
        None => *root = Some(node),
    }
}

/// The five names that every document may use. No other is resolved.
fn named(entity: &str) -> &'static str {
    match entity {
        "lt" => "<",
        "gt" => ">",
        "amp" => "&",
        "quot" => "\"",
        "apos" => "'",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_becomes_a_tree_without_namespaces() {
        let root = Node::read(
            r#"<?xml version="1.0"?><a:R xmlns:a="u"><set><item><x>1</x></item><other/><item><x> b &amp; &#x41; </x></item></set>
               <n>4</n><f>true</f><e></e></a:R>"#,
        )
        .unwrap();
        let xs: Vec<_> = root.items("set").map(|item| item.text("x")).collect();
        assert_eq!((root.name(), xs), ("R", vec![Some("1"), Some("b & A")]));
        assert_eq!((root.whole("n"), root.positive("n"), root.flag("f")), (Some(4), Some(4.0), Some(true)));
        assert_eq!((root.text("e"), root.has("e"), root.has("q"), root.flag("n")), (None, true, false, None));
        assert_eq!((root.whole("f"), root.positive("set"), root.items("q").count()), (None, None, 0));
    }

    #[test]
    fn what_is_no_whole_document_is_refused() {
        let deep = format!("{}{}", "<a>".repeat(40), "</a>".repeat(40));
        for text in ["", "<a><b></b>", "<a><b></a></b>", "{}", "<a/><b></b>", &deep] {
            assert!(Node::read(text).is_err(), "{text:.20}");
        }
        // A made-up entity grows into nothing.
        let bomb = r#"<!DOCTYPE r [<!ENTITY x "lol">]><r>&x;&x;</r>"#;
        assert_eq!(Node::read(bomb).unwrap().own_text(), None);
    }
}
