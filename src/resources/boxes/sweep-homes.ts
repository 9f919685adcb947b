/** Removes the boxes of processes that have ended. Their programs have already died with them. */
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { GROUPS_FILE } from './box.ts'
import { removeControlGroups } from '../../lib/machine/control-groups.ts'
import { isAbandoned, socketPath } from './relay.ts'

const HOME = /^([0-9a-f]{8})(?:\.sock)?$/
const GROUP = /\/tollgate-box-[\w-]+$/

/** `own`: the name of this process. `removeBox` removes what a box left elsewhere. */
export async function sweepHomes(
  homes: string,
  own: string,
  removeBox?: (id: string) => Promise<void>,
): Promise<void> {
  const names = new Set(
    (await readdir(homes)).map((name) => HOME.exec(name)?.[1]).filter((name) => name !== undefined),
  )
  names.delete(own)
  for (const name of names) {
    if (!(await isAbandoned(socketPath(homes, name)))) continue
    const folder = join(homes, name)
    for (const box of await readdir(folder).catch(() => [])) {
      await removeControlGroups(await groupsOf(join(folder, box)))
      await removeBox?.(box.split('-')[0] ?? box)
    }
    await rm(folder, { recursive: true, force: true })
    await rm(socketPath(homes, name), { force: true })
  }
}

async function groupsOf(box: string): Promise<readonly string[]> {
  const text = await readFile(join(box, GROUPS_FILE), 'utf8').catch(() => '[]')
  try {
    const paths: unknown = JSON.parse(text)
    return Array.isArray(paths)
      ? paths.filter((path): path is string => typeof path === 'string' && GROUP.test(path))
      : []
  } catch {
    // The process ended while it wrote the file.
    return []
  }
}
