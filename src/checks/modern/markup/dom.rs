//! A document tree for the HTML parser, and its serialisation without the parts that a policy removes.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, ParseOpts, QualName, local_name, ns};

/// Elements without content and end tag.
const VOID: &[&str] = &[
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
];

/// Elements whose text is not escaped.
const RAW_TEXT: &[&str] = &[
    "style",
    "script",
    "xmp",
    "iframe",
    "noembed",
    "noframes",
    "plaintext",
];

/// Decides which parts of a document stay.
pub(super) trait Policy {
    /// Whether an element remains. The content of a removed element remains.
    fn allows_element(&self, name: &str) -> bool;
    /// Whether the content of an element is removed with it.
    fn drops_content(&self, name: &str) -> bool;
    /// Whether an attribute stays.
    fn allows_attribute(&self, element: &str, name: &str, value: &str) -> bool;
}

/// A parsed HTML fragment. Nodes are indexes into an arena; the first node is the document.
pub(super) struct Dom {
    nodes: RefCell<Vec<DomNode>>,
    unnamed: QualName,
}

#[derive(Default)]
struct DomNode {
    data: Data,
    parent: Option<usize>,
    children: Vec<usize>,
    /// The document of a `template` element.
    template: Option<usize>,
}

#[derive(Default)]
enum Data {
    /// The document, comments and declarations: never part of the result.
    #[default]
    Other,
    Text(String),
    Element(Rc<QualName>, Vec<Attribute>),
}

/// A node for the parser.
#[derive(Clone)]
pub(super) struct DomHandle {
    index: usize,
    name: Option<Rc<QualName>>,
}

impl Dom {
    /// Parses the content of an element.
    pub(super) fn parse(text: &str) -> Self {
        let name = QualName::new(None, ns!(html), local_name!("div"));
        let sink = Self {
            nodes: RefCell::new(vec![DomNode::default()]),
            unnamed: name.clone(),
        };
        html5ever::parse_fragment(sink, ParseOpts::default(), name, Vec::new(), false).one(text)
    }

    /// Calls a function with the name and attributes of each element.
    pub(super) fn for_each_element(&self, mut visit: impl FnMut(&str, &[Attribute])) {
        for node in self.nodes.borrow().iter().skip(1) {
            if let Data::Element(name, attributes) = &node.data {
                visit(&name.local, attributes);
            }
        }
    }

    /// Returns the text of the fragment after the policy has removed parts.
    pub(super) fn serialize(&self, policy: &impl Policy) -> String {
        let nodes = self.nodes.borrow();
        let mut text = String::new();
        // The parser puts the fragment into an `html` element.
        let root = nodes
            .first()
            .and_then(|document| nodes.get(*document.children.first()?));
        let mut steps: Vec<Step> = Vec::new();
        steps.extend(root.into_iter().flat_map(|root| enter(&nodes, root, false)));
        while let Some(step) = steps.pop() {
            match step {
                Step::Leave(index) => {
                    if let Some(DomNode {
                        data: Data::Element(name, _),
                        ..
                    }) = nodes.get(index)
                    {
                        text.push_str("</");
                        text.push_str(&name.local);
                        text.push('>');
                    }
                }
                Step::Enter(index, raw) => {
                    let Some(node) = nodes.get(index) else {
                        continue;
                    };
                    match &node.data {
                        Data::Other => {}
                        Data::Text(content) if raw => text.push_str(content),
                        Data::Text(content) => escape(content, false, &mut text),
                        Data::Element(name, _) if policy.drops_content(&name.local) => {}
                        Data::Element(name, attributes) => {
                            let allowed = policy.allows_element(&name.local);
                            if allowed {
                                start_tag(&name.local, attributes, policy, &mut text);
                                if VOID.contains(&&*name.local) {
                                    continue;
                                }
                                steps.push(Step::Leave(index));
                            }
                            let raw = allowed && RAW_TEXT.contains(&&*name.local);
                            steps.extend(enter(&nodes, node, raw));
                        }
                    }
                }
            }
        }
        text
    }

    fn add(&self, data: Data, template: Option<usize>) -> DomHandle {
        let name = if let Data::Element(name, _) = &data {
            Some(name.clone())
        } else {
            None
        };
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(DomNode {
            data,
            parent: None,
            children: Vec::new(),
            template,
        });
        DomHandle {
            index: nodes.len() - 1,
            name,
        }
    }

    /// Inserts a node or text as a child at a position.
    fn insert(&self, parent: usize, at: usize, child: NodeOrText<DomHandle>) {
        let index = match child {
            NodeOrText::AppendText(text) => {
                let mut nodes = self.nodes.borrow_mut();
                let before = nodes
                    .get(parent)
                    .and_then(|node| node.children.get(at.checked_sub(1)?))
                    .copied();
                if let Some(DomNode {
                    data: Data::Text(content),
                    ..
                }) = before.and_then(|before| nodes.get_mut(before))
                {
                    content.push_str(&text);
                    return;
                }
                drop(nodes);
                self.add(Data::Text(text.to_string()), None).index
            }
            NodeOrText::AppendNode(handle) => handle.index,
        };
        let mut nodes = self.nodes.borrow_mut();
        if let Some(node) = nodes.get_mut(index) {
            node.parent = Some(parent);
        }
        if let Some(node) = nodes.get_mut(parent) {
            node.children.insert(at.min(node.children.len()), index);
        }
    }

    fn detach(&self, index: usize) {
        let mut nodes = self.nodes.borrow_mut();
        let parent = nodes.get_mut(index).and_then(|node| node.parent.take());
        if let Some(parent) = parent.and_then(|parent| nodes.get_mut(parent)) {
            parent.children.retain(|&child| child != index);
        }
    }

    fn child_count(&self, index: usize) -> usize {
        self.nodes
            .borrow()
            .get(index)
            .map_or(0, |node| node.children.len())
    }
}

/// A step of the traversal, with the index of a node.
enum Step {
    /// Also says whether texts are not escaped.
    Enter(usize, bool),
    Leave(usize),
}

/// The steps to the content of a node, last one first.
fn enter<'n>(
    nodes: &'n [DomNode],
    node: &'n DomNode,
    raw: bool,
) -> impl Iterator<Item = Step> + 'n {
    let template = node.template.and_then(|template| nodes.get(template));
    let children = template.unwrap_or(node).children.iter().rev();
    children.map(move |&child| Step::Enter(child, raw))
}

fn start_tag(name: &str, attributes: &[Attribute], policy: &impl Policy, text: &mut String) {
    text.push('<');
    text.push_str(name);
    for attribute in attributes {
        let local = &*attribute.name.local;
        if policy.allows_attribute(name, local, &attribute.value) {
            text.push(' ');
            text.push_str(local);
            text.push_str("=\"");
            escape(&attribute.value, true, text);
            text.push('"');
        }
    }
    text.push('>');
}

fn escape(content: &str, in_attribute: bool, text: &mut String) {
    for char in content.chars() {
        match char {
            '&' => text.push_str("&amp;"),
            '\u{a0}' => text.push_str("&nbsp;"),
            '"' if in_attribute => text.push_str("&quot;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            _ => text.push(char),
        }
    }
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
            name: None,
        }
    }

    fn elem_name<'a>(&'a self, target: &'a DomHandle) -> &'a QualName {
        target.name.as_deref().unwrap_or(&self.unnamed)
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> DomHandle {
        let template = flags.template.then(|| self.add(Data::Other, None).index);
        self.add(Data::Element(Rc::new(name), attributes), template)
    }

    fn create_comment(&self, _: StrTendril) -> DomHandle {
        self.add(Data::Other, None)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> DomHandle {
        self.add(Data::Other, None)
    }

    fn append(&self, parent: &DomHandle, child: NodeOrText<DomHandle>) {
        self.insert(parent.index, self.child_count(parent.index), child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &DomHandle,
        previous: &DomHandle,
        child: NodeOrText<DomHandle>,
    ) {
        let has_parent = self
            .nodes
            .borrow()
            .get(element.index)
            .is_some_and(|node| node.parent.is_some());
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &DomHandle) -> DomHandle {
        let template = self
            .nodes
            .borrow()
            .get(target.index)
            .and_then(|node| node.template);
        DomHandle {
            index: template.unwrap_or_default(),
            name: None,
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
        let position = {
            let nodes = self.nodes.borrow();
            let parent = nodes.get(sibling.index).and_then(|node| node.parent);
            parent.and_then(|parent| {
                let children = &nodes.get(parent)?.children;
                Some((
                    parent,
                    children.iter().position(|&child| child == sibling.index)?,
                ))
            })
        };
        if let Some((parent, at)) = position {
            self.insert(parent, at, child);
        }
    }

    fn add_attrs_if_missing(&self, target: &DomHandle, attributes: Vec<Attribute>) {
        if let Some(DomNode {
            data: Data::Element(_, existing),
            ..
        }) = self.nodes.borrow_mut().get_mut(target.index)
        {
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
        let children = nodes
            .get_mut(node.index)
            .map(|node| std::mem::take(&mut node.children))
            .unwrap_or_default();
        for &child in &children {
            if let Some(child) = nodes.get_mut(child) {
                child.parent = Some(new_parent.index);
            }
        }
        if let Some(parent) = nodes.get_mut(new_parent.index) {
            parent.children.extend(children);
        }
    }
}
