import { openArchive } from './archive.ts'
import { DocumentFault, type DocumentKind, type ParseRequest } from './document.ts'

const START_BYTES = 4_096
const OLE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
/** The stream of a compound file that contains an encrypted Office document. */
const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le')
const EMAIL_FIELDS =
  /^(from|to|date|subject|received|message-id|mime-version|return-path|delivered-to|dkim-signature|content-type):/gim
const MARKUP = /^(\ufeff)?\s*(<!doctype html|<html|<head|<body)/i
const SUPPORTED =
  'reader/document reads PDF, Word (docx), Excel (xlsx), PowerPoint (pptx), EPUB and email (eml) files.'

/** The kind of a document by its bytes. Name and type only decide about email. Throws DocumentFault. */
export function detectKind({ bytes, contentType, filename }: ParseRequest): DocumentKind {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.length === 0) throw new DocumentFault('broken', 'The file is empty.')
  const start = file.toString('latin1', 0, START_BYTES)
  if (/%PDF-\d/.test(start.slice(0, 1_024))) return 'pdf'
  if (start.startsWith('PK')) return detectPacked(file)
  if (file.subarray(0, 8).equals(OLE)) {
    if (file.includes(ENCRYPTED_PACKAGE))
      throw new DocumentFault('encrypted', 'The document is protected by a password.')
    throw unsupported('an old Office format (doc, xls, ppt or msg)')
  }
  if (MARKUP.test(start))
    throw new DocumentFault(
      'unsupported',
      'The file is a web page, not a document. Read it with core/onescrape.',
    )
  const isNamedEmail = /^message\/rfc822\b/i.test(contentType) || /\.eml$/i.test(filename)
  const fields = new Set((start.match(EMAIL_FIELDS) ?? []).map((field) => field.toLowerCase()))
  if (fields.size >= (isNamedEmail ? 1 : 3)) return 'email'
  throw unsupported('another format')
}

function detectPacked(file: Buffer): DocumentKind {
  const archive = openArchive(file)
  const names = new Set(archive.names)
  if (names.has('META-INF/container.xml')) return 'epub'
  const folders = [
    ['word/', 'docx'],
    ['xl/', 'xlsx'],
    ['ppt/', 'pptx'],
  ] as const
  const found = folders.find(([folder]) => archive.names.some((name) => name.startsWith(folder)))
  if (found !== undefined && names.has('[Content_Types].xml')) {
    if (found[1] === 'xlsx' && !names.has('xl/workbook.xml'))
      throw unsupported('a binary workbook (xlsb)')
    return found[1]
  }
  throw unsupported(names.has('content.xml') ? 'an OpenDocument format' : 'a ZIP archive')
}

function unsupported(what: string): DocumentFault {
  return new DocumentFault('unsupported', `The file has ${what}. ${SUPPORTED}`)
}
