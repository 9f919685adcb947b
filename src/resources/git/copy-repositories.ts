import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { copyFolder } from '../../lib/files/copy-folder.ts'

/**
 * Copies all repositories while clients push. Branches are copied before objects, because git writes
 * the objects of a branch first. The second copy of the objects adds a pack that replaced others
 * during the first one.
 */
export async function copyRepositories(source: string, target: string): Promise<void> {
  await copyFolder(source, target, (path) => isUnfinished(path) || isObjects(path))
  for (let copy = 1; copy <= 2; copy += 1)
    await copyFolder(
      source,
      target,
      (path) => isUnfinished(path) || isOutsideObjects(path) || isCopiedPack(join(target, path)),
    )
}

/** git writes files under other names until they are complete. */
function isUnfinished(path: string): boolean {
  return /\.unfinished|\.lock$|\/tmp_[^/]*$|\/incoming-[^/]*$/.test(path)
}

function isObjects(path: string): boolean {
  return /^[^/]+\/objects$/.test(path)
}

function isOutsideObjects(path: string): boolean {
  return /^[^/]+\/[^/]+$/.test(path) && !isObjects(path)
}

/** Packs never change. */
function isCopiedPack(target: string): boolean {
  return /\/pack-[0-9a-f]+\.[a-z]+$/.test(target) && existsSync(target)
}
