import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BoxPlan } from './isolation.ts'
import type { Layout } from './layout.ts'

/** Writes the small files of a layout into the folder of the box, to be mounted from there. */
export async function writeFiles({ folder, layout }: BoxPlan): Promise<Layout['binds']> {
  const files = join(folder, 'files')
  await mkdir(files, { recursive: true, mode: 0o755 })
  return Promise.all(
    layout.files.map(async ({ path, text }, index) => {
      const source = join(files, String(index))
      await writeFile(source, text, { mode: 0o644 })
      return { source, target: path }
    }),
  )
}
