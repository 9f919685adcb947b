import { Parser } from 'htmlparser2'
import { DocumentFault } from './document.ts'

/** An element. Names have no namespace prefix; attributes keep theirs. */
export type XmlElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: (XmlElement | string)[]
}

const MAX_DEPTH = 256
const MAX_NODES = 3_000_000

/**
 * Reads XML leniently. It knows only the five entities of XML and resolves no others, so documents
 * cannot expand. Throws DocumentFault for a tree that is too large or too deep.
 */
export function parseXml(source: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [] }
  const open = [root]
  let nodes = 0
  const count = (): void => {
    nodes += 1
    if (nodes > MAX_NODES || open.length > MAX_DEPTH)
      throw new DocumentFault('too_complex', 'The document has too many or too deep elements.')
  }
  readXml(source, {
    open(name, attributes) {
      count()
      const element: XmlElement = { name, attributes, children: [] }
      open.at(-1)?.children.push(element)
      open.push(element)
    },
    text(text) {
      count()
      open.at(-1)?.children.push(text)
    },
    close() {
      if (open.length > 1) open.pop()
    },
  })
  return root
}

export type XmlEvents = {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text(text: string): void
  close(name: string): void
}

/** Reads XML as events, without a tree. An event may throw to stop. */
export function readXml(source: string, events: XmlEvents): void {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => events.open(localName(name), attributes),
      ontext: (text) => events.text(text),
      onclosetag: (name) => events.close(localName(name)),
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.write(source)
  parser.end()
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

export function isXmlElement(node: XmlElement | string): node is XmlElement {
  return typeof node !== 'string'
}

export function elementsOf({ children }: XmlElement): XmlElement[] {
  return children.filter(isXmlElement)
}

/** The first child with this name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find(
    (child): child is XmlElement => isXmlElement(child) && child.name === name,
  )
}

export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return element === undefined ? [] : elementsOf(element).filter((child) => child.name === name)
}

/** The first descendant along the names. */
export function pathOf(
  element: XmlElement | undefined,
  ...names: readonly string[]
): XmlElement | undefined {
  return names.reduce<XmlElement | undefined>((at, name) => childOf(at, name), element)
}

/** All descendants with this name, in document order. */
export function findAll(element: XmlElement, name: string): XmlElement[] {
  const found: XmlElement[] = []
  const visit = (at: XmlElement): void => {
    for (const child of at.children)
      if (isXmlElement(child)) {
        if (child.name === name) found.push(child)
        visit(child)
      }
  }
  visit(element)
  return found
}

export function textOf(element: XmlElement | undefined): string {
  if (element === undefined) return ''
  return element.children.map((child) => (isXmlElement(child) ? textOf(child) : child)).join('')
}

/** An attribute by its local name. One without a prefix comes first. */
export function attributeOf(element: XmlElement | undefined, name: string): string | undefined {
  if (element === undefined) return undefined
  const { attributes } = element
  if (Object.hasOwn(attributes, name)) return attributes[name]
  const key = Object.keys(attributes).find((one) => one.endsWith(`:${name}`))
  return key === undefined ? undefined : attributes[key]
}

/** The id of a relation, such as `r:id`: the attribute that has a prefix. */
export function relationOf(element: XmlElement | undefined, name = 'id'): string | undefined {
  const key = Object.keys(element?.attributes ?? {}).find((one) => one.endsWith(`:${name}`))
  return key === undefined ? undefined : element?.attributes[key]
}
