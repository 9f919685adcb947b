import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'
import { sortFiles, type PackageFile } from '../package-file.ts'

const compress = promisify<Buffer, Buffer>(deflateRaw)
const VERSION = 20
const UTF8_NAMES = 0x800
const DEFLATED = 8
/** 1 January 1980, the first day of the format. */
const DATE = 0x21
const MODE = 0o100_644 << 16

/** A zip archive of files below 4 GiB. */
export async function writeZip(files: readonly PackageFile[]): Promise<Buffer> {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { path, content } of sortFiles(files)) {
    const name = Buffer.from(path)
    const packed = await compress(content)
    const shared = [
      ...shorts(VERSION, UTF8_NAMES, DEFLATED, 0, DATE),
      ...longs(crc32(content), packed.length, content.length),
      ...shorts(name.length, 0),
    ]
    const local = Buffer.from([...longs(0x04034b50), ...shared])
    directory.push(
      Buffer.from([
        ...longs(0x02014b50),
        // Made by Unix.
        ...shorts((3 << 8) | VERSION),
        ...shared,
        ...shorts(0, 0, 0),
        ...longs(MODE >>> 0, offset),
      ]),
      name,
    )
    parts.push(local, name, packed)
    offset += local.length + name.length + packed.length
  }
  const central = Buffer.concat(directory)
  const end = [
    ...longs(0x06054b50),
    ...shorts(0, 0, files.length, files.length),
    ...longs(central.length, offset),
    ...shorts(0),
  ]
  return Buffer.concat([...parts, central, Buffer.from(end)])
}

function shorts(...values: readonly number[]): number[] {
  return values.flatMap((value) => [value & 0xff, value >>> 8])
}

function longs(...values: readonly number[]): number[] {
  return values.flatMap((value) => shorts(value & 0xffff, value >>> 16))
}
