/** Reads a text file of an operator, which may be anything that a folder can contain. */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { relative, sep } from 'node:path'

/** Reading a larger file would delay the calls of a running gateway. */
export const MOST_FILE_BYTES = 2 * 1024 * 1024

export type ReadText = { readonly text: string } | { readonly problem: string }

/** `within`: links must end in this folder. Never throws. */
export function readText(path: string, within: string | null): ReadText {
  try {
    const target = realpathSync(path)
    if (within !== null && relative(realpathSync(within), target).split(sep)[0] === '..')
      return { problem: 'is a link that leaves the folder.' }
    // Without O_NONBLOCK, opening a named pipe waits for its writer.
    const file = openSync(target, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      if (!fstatSync(file).isFile()) return { problem: 'is not a regular file.' }
      const buffer = Buffer.alloc(Math.min(fstatSync(file).size, MOST_FILE_BYTES) + 1)
      const length = readSync(file, buffer)
      if (length > MOST_FILE_BYTES) return { problem: 'is larger than 2 MiB.' }
      // A byte order mark is not JSON, and editors hide it.
      return { text: buffer.toString('utf8', 0, length).replace(/^\uFEFF/, '') }
    } finally {
      closeSync(file)
    }
  } catch (error) {
    return { problem: `cannot be read (${codeOf(error)}).` }
  }
}

export function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code)
}

/** The first position whose text cannot be the beginning of JSON. The message of the engine has it for some mistakes only. */
export function findMistake(text: string): number {
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isCutOff(text.slice(0, middle + 1))) low = middle + 1
    else high = middle
  }
  return low
}

function isCutOff(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const { message } = error as Error
    const [, position] = /position (\d+)/.exec(message) ?? []
    return /^Unexpected end|^Unterminated/.test(message) || Number(position) >= text.length
  }
}
