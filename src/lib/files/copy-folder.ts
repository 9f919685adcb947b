import { chmod, copyFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolders } from './make-folders.ts'

/** Copies a folder, readable only by this user. Files that disappear during the copy are skipped. */
export async function copyFolder(
  source: string,
  target: string,
  isLeftOut: (path: string) => boolean = () => false,
  inside = '',
): Promise<void> {
  await makeFolders(join(target, inside))
  for (const entry of (await present(readdir(join(source, inside), { withFileTypes: true }))) ??
    []) {
    const path = join(inside, entry.name)
    if (isLeftOut(path)) continue
    if (entry.isDirectory()) await copyFolder(source, target, isLeftOut, path)
    else if (entry.isFile())
      await present(
        copyFile(join(source, path), join(target, path)).then(() =>
          chmod(join(target, path), 0o600),
        ),
      )
  }
}

async function present<Result>(attempt: Promise<Result>): Promise<Result | undefined> {
  try {
    return await attempt
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
