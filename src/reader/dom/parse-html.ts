import {
  html as HTML,
  parse,
  serialize,
  type Token,
  type TreeAdapter,
  type TreeAdapterTypeMap,
} from 'parse5'
import type { DomDocument } from './dom-types.ts'
import { TreeComment, TreeDocument, TreeElement, TreeNode, TreeText } from './tree.ts'

/**
 * The page exceeds the limits of a tree: too many nodes, or nested too deeply. Misnested tags make
 * the standard's algorithm multiply elements, so the source length alone does not bound the tree.
 */
export class TreeTooLarge extends Error {
  override readonly name = 'TreeTooLarge'
}

export type TreeLimits = { readonly nodes: number; readonly depth: number }

const LIMITS: TreeLimits = { nodes: 1_000_000, depth: 2_000 }

type Map = TreeAdapterTypeMap<
  TreeNode,
  TreeElement,
  TreeNode,
  TreeDocument,
  TreeElement,
  TreeElement,
  TreeComment,
  TreeText,
  TreeElement,
  TreeComment
>

/**
 * Parses a page as the HTML standard specifies for browsers without scripts, so the content of
 * `noscript` is elements. Throws TreeTooLarge beyond the limits.
 */
export function parseHtml(html: string, limits: TreeLimits = LIMITS): DomDocument {
  return parse<Map>(html, { scriptingEnabled: false, treeAdapter: createAdapter(limits) })
}

/** The source of a document that this parser made. */
export function serializeHtml(document: DomDocument): string {
  return serialize<Map>(document as TreeDocument, { treeAdapter: createAdapter(LIMITS) })
}

function createAdapter(limits: TreeLimits): TreeAdapter<Map> {
  let nodes = 0
  let depth = 0
  const counted = <Node extends TreeNode>(node: Node): Node => {
    nodes += 1
    if (nodes > limits.nodes) throw new TreeTooLarge(`more than ${limits.nodes} nodes`)
    return node
  }
  return {
    ...READING,
    onItemPush() {
      depth += 1
      if (depth > limits.depth) throw new TreeTooLarge(`nested beyond ${limits.depth} levels`)
    },
    onItemPop() {
      depth -= 1
    },
    createDocument: () => new TreeDocument(),
    createDocumentFragment: () => new TreeElement('#fragment', '', []),
    createElement: (name, namespace, attributes) =>
      counted(new TreeElement(name, namespace, attributes)),
    createCommentNode: (data) => counted(new TreeComment(data)),
    createTextNode: (data) => counted(new TreeText(data)),
    appendChild: (parent, node) => parent.append(node),
    insertBefore: (parent, node, reference) => parent.insert(node, reference),
    detachNode: (node) => node.detach(),
    insertText(parent, text) {
      if (parent.last instanceof TreeText) parent.last.textContent += text
      else parent.append(counted(new TreeText(text)))
    },
    insertTextBefore(parent, text, reference) {
      if (reference.previous instanceof TreeText) reference.previous.textContent += text
      else parent.insert(counted(new TreeText(text)), reference)
    },
    adoptAttributes(recipient, attributes) {
      recipient.attributes = [
        ...recipient.attributes,
        ...attributes.filter(({ name }) => !recipient.hasAttribute(name)),
      ]
    },
    // The content of a template is its children: reading treats both alike.
    getTemplateContent: (template) => template,
    setTemplateContent: () => undefined,
    setDocumentType: () => undefined,
    setDocumentMode(document, mode) {
      document.mode = mode
    },
    setNodeSourceCodeLocation: () => undefined,
    updateNodeSourceCodeLocation: () => undefined,
  }
}

const READING = {
  getDocumentMode: ({ mode }: TreeDocument) => mode as HTML.DOCUMENT_MODE,
  getFirstChild: ({ first }: TreeElement) => first,
  getChildNodes: ({ childNodes }: TreeElement) => childNodes,
  getParentNode: ({ parent }: TreeNode) => parent,
  getAttrList: ({ attributes }: TreeElement) => attributes as Token.Attribute[],
  getTagName: ({ localName }: TreeElement) => localName,
  getNamespaceURI: ({ namespace }: TreeElement) => namespace as HTML.NS,
  getTextNodeContent: ({ data }: TreeText) => data,
  getCommentNodeContent: ({ data }: TreeComment) => data,
  getDocumentTypeNodeName: () => 'html',
  getDocumentTypeNodePublicId: () => '',
  getDocumentTypeNodeSystemId: () => '',
  getNodeSourceCodeLocation: () => undefined,
  isTextNode: (node: TreeNode): node is TreeText => node instanceof TreeText,
  isCommentNode: (node: TreeNode): node is TreeComment => node instanceof TreeComment,
  isDocumentTypeNode: (_node: TreeNode): _node is TreeComment => false,
  isElementNode: (node: TreeNode): node is TreeElement =>
    node instanceof TreeElement && node.nodeType === 1,
}
