import { crc32, inflateRawSync } from 'node:zlib'
import { DocumentFault } from './document.ts'

/** The entries of a ZIP file. Office documents and EPUB books are ZIP files. */
export type Archive = {
  readonly names: readonly string[]
  /** The bytes of an entry; undefined for an unknown name. Throws DocumentFault. */
  bytes(name: string): Buffer | undefined
  /** The same as text, in the encoding of its byte order mark. */
  text(name: string): string | undefined
}

/** Far above the largest parts of real documents, which are worksheets of some hundred thousand rows. */
const MAX_ENTRY_BYTES = 64 * 1024 * 1024
const MAX_TOTAL_BYTES = 192 * 1024 * 1024
const MAX_ENTRIES = 20_000

const END_SIGNATURE = 0x06054b50
const ENTRY_SIGNATURE = 0x02014b50
const LOCAL_SIGNATURE = 0x04034b50
const [STORED, DEFLATED] = [0, 8]
/** The end record with the longest comment. */
const MAX_END_BYTES = 65_557

type Entry = {
  readonly method: number
  readonly isEncrypted: boolean
  readonly packedBytes: number
  readonly bytes: number
  readonly crc: number
  readonly offset: number
}

/**
 * Opens a ZIP file by its central directory. An entry is unpacked only when it is read, and never
 * beyond its declared size, so a bomb costs no more than the limits.
 */
export function openArchive(file: Buffer): Archive {
  const entries = readDirectory(file)
  let totalBytes = 0

  function bytes(name: string): Buffer | undefined {
    const entry = entries.get(name)
    if (entry === undefined) return undefined
    if (entry.isEncrypted)
      throw new DocumentFault('encrypted', 'The document is protected by a password.')
    totalBytes += entry.bytes
    if (entry.bytes > MAX_ENTRY_BYTES || totalBytes > MAX_TOTAL_BYTES)
      throw new DocumentFault(
        'too_complex',
        `The document unpacks to more than ${(entry.bytes > MAX_ENTRY_BYTES ? MAX_ENTRY_BYTES : MAX_TOTAL_BYTES) / 1024 ** 2} MiB.`,
      )
    return unpack(file, entry)
  }

  return {
    names: [...entries.keys()],
    bytes,
    text(name) {
      const found = bytes(name)
      return found === undefined ? undefined : decode(found)
    },
  }
}

function readDirectory(file: Buffer): Map<string, Entry> {
  const end = findEnd(file)
  const count = file.readUInt16LE(end + 10)
  let at = file.readUInt32LE(end + 16)
  const entries = new Map<string, Entry>()
  if (count > MAX_ENTRIES)
    throw new DocumentFault('too_complex', `The document has more than ${MAX_ENTRIES} parts.`)
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== ENTRY_SIGNATURE) throw damaged()
    const nameBytes = file.readUInt16LE(at + 28)
    const name = file.toString('utf8', at + 46, at + 46 + nameBytes).replaceAll('\\', '/')
    entries.set(name, {
      isEncrypted: (file.readUInt16LE(at + 8) & 1) === 1,
      method: file.readUInt16LE(at + 10),
      crc: file.readUInt32LE(at + 16),
      packedBytes: file.readUInt32LE(at + 20),
      bytes: file.readUInt32LE(at + 24),
      offset: file.readUInt32LE(at + 42),
    })
    at += 46 + nameBytes + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  return entries
}

function findEnd(file: Buffer): number {
  for (let at = file.length - 22; at >= Math.max(0, file.length - MAX_END_BYTES); at -= 1)
    if (file.readUInt32LE(at) === END_SIGNATURE) return at
  throw damaged()
}

function unpack(file: Buffer, { method, packedBytes, bytes, crc, offset }: Entry): Buffer {
  if (offset + 30 > file.length || file.readUInt32LE(offset) !== LOCAL_SIGNATURE) throw damaged()
  const start = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28)
  const packed = file.subarray(start, start + packedBytes)
  if (packed.length < packedBytes || (method !== STORED && method !== DEFLATED)) throw damaged()
  try {
    const unpacked =
      method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) })
    if (unpacked.length !== bytes || crc32(unpacked) !== crc) throw damaged()
    return unpacked
  } catch (error) {
    throw error instanceof DocumentFault ? error : damaged()
  }
}

function decode(bytes: Buffer): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return bytes.toString('utf16le', 2)
  if (first === 0xfe && second === 0xff)
    return Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)))
      .swap16()
      .toString('utf16le')
  return bytes.toString('utf8').replace(/^\ufeff/, '')
}

function damaged(): DocumentFault {
  return new DocumentFault('broken', 'The document is damaged or incomplete.')
}
