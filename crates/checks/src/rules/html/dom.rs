//! A document tree for the HTML parser, and its serialisation with allowed parts only.
//!
//! The crate `ammonia` does the second half only: the elements and attributes of the source are what a translation may
//! have, so that a tree of the source is needed in any case, and `ammonia` shows none. With those, version 4.2.5 writes
//! the same for all 171 vectors of the check (`tests/data/current_checks.jsonl`). But it parses a text as a whole, without
//! a limit of nodes: for a hostile text of 7.6 kB, in which each of 1,000 paragraphs repeats 600 open elements, it needs
//! 150 MB and 29 times as long as this module, which gives up at its limit.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::serialize::{HtmlSerializer, SerializeOpts, Serializer};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, ParseOpts, QualName, local_name, ns};

use crate::pair::bounded;
use gitglot_model::steps;

/// The names of elements, each with the names of its attributes.
pub(crate) type ElementAttributes = HashMap<String, HashSet<String>>;

/// The most nodes of a fragment. The parser repeats open elements, so that a short text can have very many.
const MAX_NODES: usize = 1 << 14;

/// Bytes that are parsed between two checks of the number of nodes.
const CHUNK: usize = 256;

/// A parsed HTML fragment. Nodes are indexes into an arena; the first node is the document.
pub(crate) struct Dom {
    nodes: RefCell<Vec<DomNode>>,
    /// The name of nodes that are no elements.
    unnamed: Rc<QualName>,
}

#[derive(Default)]
struct DomNode {
    data: NodeData,
    parent: Option<usize>,
    children: Vec<usize>,
    /// The document of a `template` element.
    template: Option<usize>,
}

#[derive(Default)]
enum NodeData {
    /// The document, comments and declarations: never part of the result.
    #[default]
    Other,
    Text(String),
    Element(Rc<QualName>, Vec<Attribute>),
}

/// A node for the parser.
#[derive(Clone)]
pub(crate) struct DomHandle {
    index: usize,
    name: Rc<QualName>,
}

impl Dom {
    /// Parses the content of an element; `None` if it has too many nodes.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let name = QualName::new(None, ns!(html), local_name!("div"));
        let sink = Self {
            nodes: RefCell::new(vec![DomNode::default()]),
            unnamed: Rc::new(name.clone()),
        };
        let mut parser =
            html5ever::parse_fragment(sink, ParseOpts::default(), name, Vec::new(), false);
        let (mut rest, mut counted) = (text, 0);
        while !rest.is_empty() {
            let chunk = bounded(rest, CHUNK);
            parser.process(chunk.into());
            rest = &rest[chunk.len()..];
            let nodes = parser.tokenizer.sink.sink.nodes.borrow().len();
            steps::count(chunk.len() + nodes - counted);
            counted = nodes;
            (nodes <= MAX_NODES).then_some(())?;
        }
        Some(parser.finish())
    }

    /// Calls a function with the name and attributes of each element.
    pub(crate) fn for_each_element(&self, mut visit: impl FnMut(&str, &[Attribute])) {
        for node in self.nodes.borrow().iter().skip(1) {
            if let NodeData::Element(name, attributes) = &node.data {
                visit(&name.local, attributes);
            }
        }
    }

    /// Returns the text of the fragment with these elements and attributes only. The content of a removed element
    /// remains, except scripts and styles. An attribute must also fulfil a condition.
    pub(crate) fn serialize(
        &self,
        allowed: &ElementAttributes,
        is_allowed: impl Fn(&Attribute) -> bool,
    ) -> String {
        let nodes = self.nodes.borrow();
        let options = SerializeOpts {
            scripting_enabled: false,
            create_missing_parent: true,
            ..SerializeOpts::default()
        };
        let mut writer = HtmlSerializer::new(Vec::new(), options);
        // The parser puts the fragment into an `html` element.
        let root = nodes[0].children.first();
        let mut steps = root.map_or_else(Vec::new, |&root| children(&nodes, &nodes[root]));
        while let Some(step) = steps.pop() {
            // Writing to a vector cannot fail.
            let _ = match step {
                TraversalStep::Leave(name) => writer.end_elem(name),
                TraversalStep::Enter(node) => match &node.data {
                    NodeData::Other => Ok(()),
                    NodeData::Text(content) => writer.write_text(content),
                    NodeData::Element(name, attributes) => {
                        let known = allowed.get(&*name.local);
                        let is_dropped = matches!(&*name.local, "script" | "style");
                        if known.is_none() && is_dropped {
                            continue;
                        }
                        let started = known.map_or(Ok(()), |known| {
                            // SVG and MathML are written like HTML.
                            let name = QualName::new(None, ns!(html), name.local.clone());
                            steps.push(TraversalStep::Leave(name.clone()));
                            let retained = attributes.iter().filter(|attr| {
                                known.contains(&*attr.name.local) && is_allowed(attr)
                            });
                            writer.start_elem(name, retained.map(|attr| (&attr.name, &*attr.value)))
                        });
                        steps.extend(children(&nodes, node));
                        started
                    }
                },
            };
        }
        String::from_utf8(writer.writer).expect("the writer gets texts only")
    }

    fn add(&self, data: NodeData, template: Option<usize>) -> DomHandle {
        let name = match &data {
            NodeData::Element(name, _) => name.clone(),
            NodeData::Text(_) | NodeData::Other => self.unnamed.clone(),
        };
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(DomNode {
            data,
            template,
            ..DomNode::default()
        });
        DomHandle {
            index: nodes.len() - 1,
            name,
        }
    }

    /// Inserts a node or text as a child at a position.
    fn insert(&self, parent: usize, at: usize, child: NodeOrText<DomHandle>) {
        let mut nodes = self.nodes.borrow_mut();
        let at = at.min(nodes[parent].children.len());
        let index = match child {
            NodeOrText::AppendText(text) => {
                let before = at.checked_sub(1).map(|at| nodes[parent].children[at]);
                if let Some(before) = before
                    && let NodeData::Text(content) = &mut nodes[before].data
                {
                    content.push_str(&text);
                    return;
                }
                nodes.push(DomNode {
                    data: NodeData::Text(text.to_string()),
                    ..DomNode::default()
                });
                nodes.len() - 1
            }
            NodeOrText::AppendNode(handle) => handle.index,
        };
        nodes[index].parent = Some(parent);
        nodes[parent].children.insert(at, index);
    }

    fn detach(&self, index: usize) {
        let mut nodes = self.nodes.borrow_mut();
        if let Some(parent) = nodes[index].parent.take() {
            nodes[parent].children.retain(|&child| child != index);
        }
    }

    fn parent(&self, handle: &DomHandle) -> Option<usize> {
        self.nodes.borrow()[handle.index].parent
    }
}

enum TraversalStep<'n> {
    Enter(&'n DomNode),
    Leave(QualName),
}

/// The steps to the content of a node, last one first.
fn children<'n>(nodes: &'n [DomNode], node: &'n DomNode) -> Vec<TraversalStep<'n>> {
    let node = node.template.map_or(node, |template| &nodes[template]);
    let children = node.children.iter().rev();
    let steps = children.map(|&child| TraversalStep::Enter(&nodes[child]));
    steps.collect()
}

impl TreeSink for Dom {
    type Handle = DomHandle;
    type Output = Self;
    type ElemName<'a> = &'a QualName;

    fn finish(self) -> Self {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> DomHandle {
        DomHandle {
            index: 0,
            name: self.unnamed.clone(),
        }
    }

    fn elem_name<'a>(&'a self, target: &'a DomHandle) -> &'a QualName {
        &target.name
    }

    fn create_element(
        &self,
        name: QualName,
        mut attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> DomHandle {
        // Attributes are compared and written without prefix.
        attributes.iter_mut().for_each(|attr| attr.name.ns = ns!());
        let template = flags
            .template
            .then(|| self.add(NodeData::Other, None).index);
        self.add(NodeData::Element(Rc::new(name), attributes), template)
    }

    fn create_comment(&self, _: StrTendril) -> DomHandle {
        self.add(NodeData::Other, None)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> DomHandle {
        self.add(NodeData::Other, None)
    }

    fn append(&self, parent: &DomHandle, child: NodeOrText<DomHandle>) {
        self.insert(parent.index, usize::MAX, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &DomHandle,
        previous: &DomHandle,
        child: NodeOrText<DomHandle>,
    ) {
        if self.parent(element).is_some() {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &DomHandle) -> DomHandle {
        let template = self.nodes.borrow()[target.index].template;
        DomHandle {
            index: template.unwrap_or_default(),
            name: self.unnamed.clone(),
        }
    }

    fn same_node(&self, one: &DomHandle, other: &DomHandle) -> bool {
        one.index == other.index
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &DomHandle, child: NodeOrText<DomHandle>) {
        if let NodeOrText::AppendNode(node) = &child {
            self.detach(node.index);
        }
        let Some(parent) = self.parent(sibling) else {
            return;
        };
        let is_sibling = |child: &usize| *child == sibling.index;
        let at = self.nodes.borrow()[parent]
            .children
            .iter()
            .position(is_sibling);
        if let Some(at) = at {
            self.insert(parent, at, child);
        }
    }

    fn add_attrs_if_missing(&self, target: &DomHandle, attributes: Vec<Attribute>) {
        if let NodeData::Element(_, existing) = &mut self.nodes.borrow_mut()[target.index].data {
            for attribute in attributes {
                if !existing.iter().any(|other| other.name == attribute.name) {
                    existing.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &DomHandle) {
        self.detach(target.index);
    }

    fn reparent_children(&self, node: &DomHandle, new_parent: &DomHandle) {
        let mut nodes = self.nodes.borrow_mut();
        let children = std::mem::take(&mut nodes[node.index].children);
        for &child in &children {
            nodes[child].parent = Some(new_parent.index);
        }
        nodes[new_parent.index].children.extend(children);
    }
}
