import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../../../docs/images')

/** Reads an image of docs/images by its name. Null for any other name. */
export async function openDocumentationImages(): Promise<(name: string) => Promise<Buffer | null>> {
  const names = new Set(await Array.fromAsync(glob('*.png', { cwd: folder })))
  return async (name) => (names.has(name) ? readFile(join(folder, name)) : null)
}
