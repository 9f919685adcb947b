import { posix } from 'node:path'
import type { Archive } from './archive.ts'
import {
  DocumentFault,
  orNull,
  toTime,
  type DocumentMetadata,
  type OpenDocument,
} from './document.ts'
import { readPart } from './office/package.ts'
import {
  attributeOf,
  childOf,
  childrenOf,
  elementsOf,
  findAll,
  textOf,
  type XmlElement,
} from './xml.ts'

/** Font obfuscation, which leaves the text readable. */
const OBFUSCATED_FONT = /#(RC|obfuscation)|idpf\.org\/2008\/embedding/i

/** Opens an EPUB book. Each part is one chapter, in reading order. */
export function openEpub(archive: Archive): OpenDocument {
  const rootFile = findAll(readPart(archive, 'META-INF/container.xml') ?? EMPTY, 'rootfile')[0]
  const packagePart = attributeOf(rootFile, 'full-path') ?? ''
  const book = readPart(archive, packagePart)
  if (book === undefined)
    throw new DocumentFault('broken', 'The book is damaged: it has no package document.')
  const folder = posix.dirname(packagePart)
  const items = new Map(
    childrenOf(childOf(book, 'manifest'), 'item').map((item): [string, string] => [
      attributeOf(item, 'id') ?? '',
      posix.join(folder, decodePath(attributeOf(item, 'href') ?? '')),
    ]),
  )
  const chapters = childrenOf(childOf(book, 'spine'), 'itemref')
    .map((reference) => items.get(attributeOf(reference, 'idref') ?? ''))
    .filter((part) => part !== undefined && /\.x?html?$|\.xml$/i.test(part))
    .filter((part) => part !== undefined)
  if (chapters.length === 0)
    throw new DocumentFault('broken', 'The book is damaged: it lists no chapters.')
  rejectProtected(archive, new Set(chapters))
  function* parts(): Generator<string> {
    for (const chapter of chapters) yield bodyOfPage(archive.text(chapter) ?? '')
  }
  return {
    kind: 'epub',
    metadata: readMetadata(childOf(book, 'metadata')),
    unit: 'chapter',
    pageCount: chapters.length,
    parts: parts(),
  }
}

const EMPTY: XmlElement = { name: '', attributes: {}, children: [] }

function rejectProtected(archive: Archive, chapters: ReadonlySet<string>): void {
  const encryption = readPart(archive, 'META-INF/encryption.xml')
  if (encryption === undefined) return
  const isProtected = findAll(encryption, 'EncryptedData').some((data) => {
    const algorithm = attributeOf(childOf(data, 'EncryptionMethod'), 'Algorithm') ?? ''
    const target = attributeOf(findAll(data, 'CipherReference')[0], 'URI') ?? ''
    return !OBFUSCATED_FONT.test(algorithm) && chapters.has(decodePath(target))
  })
  if (isProtected)
    throw new DocumentFault('encrypted', 'The book is protected by digital rights management.')
}

function readMetadata(metadata: XmlElement | undefined): DocumentMetadata {
  const all = metadata === undefined ? [] : elementsOf(metadata)
  const first = (name: string): string => textOf(all.find((field) => field.name === name))
  const modified = all.find((field) => attributeOf(field, 'property') === 'dcterms:modified')
  const authors = all.filter(({ name }) => name === 'creator').map((field) => textOf(field).trim())
  return {
    title: orNull(first('title')),
    author: orNull(authors.join(', ')),
    created_at: toTime(first('date')),
    modified_at: toTime(textOf(modified)),
    language: orNull(first('language')),
  }
}

/** The body of a chapter. Links and images inside the book lead nowhere outside it. */
function bodyOfPage(source: string): string {
  const body = /<body\b[^>]*>([^]*?)<\/body\s*>/i.exec(source)?.[1] ?? source
  return body
    .replace(/<(img|image)\b[^>]*>/gi, '')
    .replace(
      /(<[a-z][^>]*?)\s(?:xlink:)?href\s*=\s*("(?!https?:|mailto:)[^"]*"|'(?!https?:|mailto:)[^']*')/gi,
      '$1',
    )
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
