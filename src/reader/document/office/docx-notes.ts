import type { Archive } from '../archive.ts'
import { attributeOf, childOf, elementsOf, pathOf, type XmlElement } from '../xml.ts'
import { formatCount } from './docx-numbers.ts'
import { readPart, readRelations, type Relations } from './package.ts'
import { numberOf } from './properties.ts'

/** A note, with the relations of its own part. */
export type Note = {
  readonly element: XmlElement
  readonly relations: Relations
  /** The number that Word shows; empty for a mark of the author. */
  readonly label: string
}
type Kind = 'footnote' | 'endnote'
export type Notes = {
  /** Counts a reference, and returns the label of its note. */
  refer(reference: XmlElement): string
  /** The notes that were referred to, in the order of their references. */
  used(): readonly Note[]
}

/** Reads the footnotes and endnotes of a document. `settings` is the root of its settings. */
export function readNotes(
  archive: Archive,
  parts: Readonly<Record<Kind, string>>,
  settings: XmlElement | undefined,
): Notes {
  const used = new Map<string, Note>()
  const read = (kind: Kind) => {
    const format = childOf(settings, `${kind}Pr`)
    return {
      relations: readRelations(archive, parts[kind]),
      elements: new Map(
        elementsOf(readPart(archive, parts[kind]) ?? { name: '', attributes: {}, children: [] })
          .filter((note) => attributeOf(note, 'type') === undefined)
          .map((note) => [attributeOf(note, 'id') ?? '', note]),
      ),
      format:
        attributeOf(pathOf(format, 'numFmt'), 'val') ??
        (kind === 'footnote' ? 'decimal' : 'lowerRoman'),
      next: numberOf(pathOf(format, 'numStart')) ?? 1,
    }
  }
  const kinds = { footnote: read('footnote'), endnote: read('endnote') }
  return {
    refer(reference) {
      const kind: Kind = reference.name === 'footnoteReference' ? 'footnote' : 'endnote'
      const id = attributeOf(reference, 'id') ?? ''
      const known = used.get(`${kind}/${id}`)
      if (known !== undefined) return known.label
      const notes = kinds[kind]
      const element = notes.elements.get(id)
      if (element === undefined) return ''
      const hasOwnMark = /^(1|true|on)$/.test(attributeOf(reference, 'customMarkFollows') ?? '')
      const label = hasOwnMark ? '' : formatCount(notes.next, notes.format)
      if (!hasOwnMark) notes.next += 1
      used.set(`${kind}/${id}`, { element, relations: notes.relations, label })
      return label
    },
    used: () => [...used.values()],
  }
}
