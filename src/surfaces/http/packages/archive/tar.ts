import { sortFiles, type PackageFile } from '../package-file.ts'

const BLOCK_BYTES = 512
const NAME_BYTES = 100
/** The time that npm gives the files of its packages. */
const MTIME_S = Date.UTC(1985, 9, 26, 8, 15) / 1000

/** A tar archive in the ustar format, with the files in `folder`. Paths have at most 100 ASCII characters. */
export function writeTar(folder: string, files: readonly PackageFile[]): Buffer {
  const parts = sortFiles(files).flatMap((file) => [
    writeHead(`${folder}/${file.path}`, file),
    file.content,
    Buffer.alloc((BLOCK_BYTES - (file.content.length % BLOCK_BYTES)) % BLOCK_BYTES),
  ])
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK_BYTES)])
}

function writeHead(path: string, { content, isExecutable = false }: PackageFile): Buffer {
  if (path.length > NAME_BYTES) throw new RangeError(`${path} is too long for a tar archive.`)
  const head = Buffer.alloc(BLOCK_BYTES)
  const octal = (value: number, at: number, length: number): void =>
    void head.write(value.toString(8).padStart(length - 1, '0'), at, 'ascii')
  head.write(path, 0, 'ascii')
  octal(isExecutable ? 0o755 : 0o644, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(content.length, 124, 12)
  octal(MTIME_S, 136, 12)
  head.write('        0', 148, 'ascii')
  head.write('ustar\u000000', 257, 'ascii')
  // The checksum counts its own field as spaces.
  octal(
    head.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  )
  return head
}
