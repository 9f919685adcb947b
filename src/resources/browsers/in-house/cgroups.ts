/** Control groups, of version 1 or 2, for one browser each. */
import { mkdir, readFile, readdir, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export type Cgroup = {
  /** A process joins by writing its id to each of these. */
  readonly processFiles: readonly string[]
  /** Never rejects. */
  remove(): Promise<void>
}
export type Cgroups = { create(name: string): Promise<Cgroup> }

export type CgroupLimits = {
  readonly megabytes: number
  readonly processors: number
  readonly processes: number
}

const ROOT = '/sys/fs/cgroup'
const FOLDER = 'tollgate-browsers'
const PERIOD_US = 100_000
const MEGABYTE = 1_000_000
const REMOVE_ATTEMPTS = 20
const REMOVE_PAUSE_MS = 100

/** A folder of one controller, and the files in it that set the limits. */
type Controller = { readonly folder: string; readonly files: Readonly<Record<string, string>> }

/**
 * Null if this process may not create groups with these limits. Removes the empty groups that ended
 * processes left.
 */
export async function openCgroups(limits: CgroupLimits): Promise<Cgroups | null> {
  const controllers = await findControllers(limits)
  if (controllers === null) return null
  const cgroups: Cgroups = { create: (name) => createGroup(controllers, name) }
  try {
    for (const { folder } of controllers) await sweep(folder)
    await (await cgroups.create(`try-${process.pid}`)).remove()
    return cgroups
  } catch {
    return null
  }
}

async function findControllers(limits: CgroupLimits): Promise<readonly Controller[] | null> {
  const own = await readFile('/proc/self/cgroup', 'utf8').catch(() => '')
  const unified = await readFile(join(ROOT, 'cgroup.controllers'), 'utf8').catch(() => null)
  const paths = new Map(
    own.split('\n').flatMap((line) => {
      const [, names = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
      return names.split(',').map((name) => [name, path] as const)
    }),
  )
  if (unified !== null) return findUnified(paths.get('') ?? '', limits)
  const { megabytes, processors, processes } = limits
  const files = {
    memory: { 'memory.limit_in_bytes': String(megabytes * MEGABYTE) },
    cpu: {
      'cpu.cfs_period_us': String(PERIOD_US),
      'cpu.cfs_quota_us': String(processors * PERIOD_US),
    },
    pids: { 'pids.max': String(processes) },
  }
  const controllers = Object.entries(files).map(([name, its]) => {
    const path = paths.get(name)
    return path === undefined ? null : { folder: join(ROOT, name, path, FOLDER), files: its }
  })
  return controllers.every((one) => one !== null) ? controllers : null
}

async function findUnified(
  path: string,
  { megabytes, processors, processes }: CgroupLimits,
): Promise<readonly Controller[] | null> {
  const folder = join(ROOT, path, FOLDER)
  try {
    await mkdir(folder, { recursive: true })
    for (const place of [join(ROOT, path), folder])
      await writeFile(join(place, 'cgroup.subtree_control'), '+memory +cpu +pids')
  } catch {
    return null
  }
  return [
    {
      folder,
      files: {
        'memory.max': String(megabytes * MEGABYTE),
        'cpu.max': `${processors * PERIOD_US} ${PERIOD_US}`,
        'pids.max': String(processes),
      },
    },
  ]
}

async function createGroup(controllers: readonly Controller[], name: string): Promise<Cgroup> {
  const folders = controllers.map(({ folder }) => join(folder, name))
  const remove = async (): Promise<void> => {
    await Promise.all(folders.map(removeEmpty))
  }
  try {
    for (const [index, { files }] of controllers.entries()) {
      const folder = folders[index] ?? ''
      await mkdir(folder, { recursive: true })
      for (const [file, value] of Object.entries(files)) await writeFile(join(folder, file), value)
    }
  } catch (error) {
    await remove()
    throw error
  }
  return { processFiles: folders.map((folder) => join(folder, 'cgroup.procs')), remove }
}

/** Its last process may still be ending. */
async function removeEmpty(folder: string): Promise<void> {
  for (let attempt = 1; attempt <= REMOVE_ATTEMPTS; attempt += 1) {
    const code = await rmdir(folder).then(
      () => 'ENOENT',
      (error: NodeJS.ErrnoException) => error.code,
    )
    if (code === 'ENOENT') return
    await delay(REMOVE_PAUSE_MS)
  }
}

/** Groups with processes belong to a living gateway, and rmdir rejects them. */
async function sweep(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries)
    if (entry.isDirectory()) await rmdir(join(folder, entry.name)).catch(() => undefined)
}
