import { posix } from 'node:path'
import type { Archive } from '../archive.ts'
import { NO_METADATA, orNull, toTime, type DocumentMetadata } from '../document.ts'
import {
  attributeOf,
  childrenOf,
  childOf,
  elementsOf,
  parseXml,
  textOf,
  type XmlElement,
} from '../xml.ts'

/** The links of a part of an Office file: targets by id. */
export type Relations = ReadonlyMap<string, Relation>
export type Relation = {
  readonly type: string
  readonly target: string
  readonly isExternal: boolean
}

/** The root element of an XML part; undefined if the file has no such part. */
export function readPart(archive: Archive, name: string): XmlElement | undefined {
  const source = archive.text(name)
  return source === undefined ? undefined : elementsOf(parseXml(source))[0]
}

/** The relations of a part. Targets inside the file are names of entries. */
export function readRelations(archive: Archive, part: string): Relations {
  const folder = posix.dirname(part)
  const root = readPart(archive, posix.join(folder, '_rels', `${posix.basename(part)}.rels`))
  return new Map(
    childrenOf(root, 'Relationship').map((relation) => {
      const target = attributeOf(relation, 'Target') ?? ''
      const isExternal = attributeOf(relation, 'TargetMode') === 'External'
      return [
        attributeOf(relation, 'Id') ?? '',
        {
          type: (attributeOf(relation, 'Type') ?? '').split('/').at(-1) ?? '',
          target: isExternal ? target : resolvePart(folder, target),
          isExternal,
        },
      ]
    }),
  )
}

function resolvePart(folder: string, target: string): string {
  return target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
}

export function relatedPart(relations: Relations, type: string): string | undefined {
  return [...relations.values()].find((relation) => relation.type === type)?.target
}

/** The main part of an Office file, such as `word/document.xml`. */
export function mainPart(archive: Archive, usual: string): string {
  const root = readPart(archive, '_rels/.rels')
  const target = childrenOf(root, 'Relationship')
    .filter((relation) => (attributeOf(relation, 'Type') ?? '').endsWith('/officeDocument'))
    .map((relation) => attributeOf(relation, 'Target') ?? '')[0]
  return target === undefined ? usual : resolvePart('.', target)
}

/** Parts of Office files that are not read, by their names. */
const UNREAD_PARTS: readonly (readonly [name: string, part: RegExp])[] = [
  ['charts', /^(word|xl|ppt)\/charts\/chart[^/]*\.xml$/],
  ['diagrams', /^(word|xl|ppt)\/diagrams\/data[^/]*\.xml$/],
  ['comments', /^(word|xl|ppt)\/(\w+\/)*(threaded)?comments?[^/]*\.xml$/i],
]

/** The names of the kinds of parts that a file has and the reader leaves out. */
export function unreadParts({ names }: Archive): string[] {
  return UNREAD_PARTS.filter(([, part]) => names.some((name) => part.test(name))).map(
    ([name]) => name,
  )
}

export function readOfficeMetadata(archive: Archive): DocumentMetadata {
  const core = readPart(archive, 'docProps/core.xml')
  if (core === undefined) return NO_METADATA
  const field = (name: string): string => textOf(childOf(core, name))
  return {
    title: orNull(field('title')),
    author: orNull(field('creator')),
    created_at: toTime(field('created')),
    modified_at: toTime(field('modified')),
    language: orNull(field('language')),
  }
}

/** A number of docProps/app.xml, such as the pages that the program counted when it saved the file. */
export function readAppNumber(archive: Archive, name: string): number | null {
  const value = Number(textOf(childOf(readPart(archive, 'docProps/app.xml'), name)))
  return Number.isSafeInteger(value) && value > 0 ? value : null
}
