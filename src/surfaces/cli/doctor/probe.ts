import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Writes a file into a folder and removes it. Rejects if the folder is not writable. */
export async function probe(folder: string): Promise<void> {
  const path = join(folder, `doctor-${randomUUID()}`)
  await writeFile(path, '')
  await rm(path)
}
