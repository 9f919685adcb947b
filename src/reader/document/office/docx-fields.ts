import { attributeOf, elementsOf, textOf, type XmlElement } from '../xml.ts'

/** A field that was begun. Its content is its result, once the result begins. */
type OpenField = { instruction: string; hasResult: boolean; readonly content: XmlElement[] }

/** The attribute with the address of a hyperlink that is not a relation. */
export const FIELD_URL = 'field-url'

/**
 * The children of an element, with the result of each HYPERLINK field in a hyperlink element. Other
 * fields are their results.
 */
export function withFieldLinks(parent: XmlElement): readonly XmlElement[] {
  const children = elementsOf(parent)
  if (!children.some(isOfField)) return children
  const open: OpenField[] = [{ instruction: '', hasResult: true, content: [] }]
  const put = (...elements: readonly XmlElement[]): void => {
    const { hasResult, content } = open.at(-1) as OpenField
    if (hasResult) content.push(...elements)
  }
  const end = (): void => {
    const field = open.pop()
    if (field !== undefined) put(...asLink(field.instruction, field.content))
  }
  for (const child of children.flatMap((one) => (hasFieldMark(one) ? piecesOf(one) : [one]))) {
    const field = open.at(-1)
    const mark = markOf(child)
    if (child.name === 'fldSimple')
      put(...asLink(attributeOf(child, 'instr') ?? '', elementsOf(child)))
    else if (mark?.name === 'instrText' && field !== undefined) field.instruction += textOf(mark)
    else if (mark === undefined) put(child)
    else if (attributeOf(mark, 'fldCharType') === 'begin')
      open.push({ instruction: '', hasResult: false, content: [] })
    else if (attributeOf(mark, 'fldCharType') === 'separate' && field !== undefined)
      field.hasResult = true
    else if (open.length > 1) end()
  }
  // A field that ends in another paragraph is no link.
  return open.flatMap(({ content }) => content)
}

const FIELD_MARKS = new Set(['fldChar', 'instrText'])

function isOfField(child: XmlElement): boolean {
  return child.name === 'fldSimple' || hasFieldMark(child)
}

function hasFieldMark({ name, children }: XmlElement): boolean {
  return (
    name === 'r' && children.some((one) => typeof one !== 'string' && FIELD_MARKS.has(one.name))
  )
}

function markOf(run: XmlElement): XmlElement | undefined {
  return run.name === 'r' ? elementsOf(run).find(({ name }) => FIELD_MARKS.has(name)) : undefined
}

/** A run of the same format for each of its children. */
function piecesOf(run: XmlElement): XmlElement[] {
  const [format, content] = [
    elementsOf(run).filter(({ name }) => name === 'rPr'),
    elementsOf(run).filter(({ name }) => name !== 'rPr'),
  ]
  return content.map((one) => ({ ...run, children: [...format, one] }))
}

function asLink(instruction: string, content: readonly XmlElement[]): readonly XmlElement[] {
  const [, quoted, plain, rest = ''] =
    /^\s*HYPERLINK\s+(?:"([^"]*)"|([^\s"\\]\S*))(.*)$/is.exec(instruction) ?? []
  const url = quoted ?? plain
  if (url === undefined || content.length === 0) return content
  const place = /\\l\s+"([^"]*)"/i.exec(rest)?.[1]
  const attributes = { [FIELD_URL]: place === undefined ? url : `${url}#${place}` }
  return [{ name: 'hyperlink', attributes, children: [...content] }]
}
