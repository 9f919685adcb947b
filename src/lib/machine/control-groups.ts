/** Limits and counters of groups of processes, by control groups of version 1 or 2. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, readdir, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const CONTROLLERS = ['memory', 'pids', 'cpu', 'cpuacct', 'freezer'] as const
export type Controller = (typeof CONTROLLERS)[number]

const ROOT = '/sys/fs/cgroup'
const PERIOD_MICROSECONDS = 100_000
/** A quarter of the weight of other programs, so that the gateway comes first on a busy machine. */
const WEIGHT = { shares: 256, weight: 25 }
const REMOVE_TRIES = 100
const REMOVE_WAIT_MS = 20

export type GroupLimits = {
  readonly memoryBytes: number
  readonly cpus: number
  readonly processes: number
}

/** The groups of one set of processes, by hierarchy. */
export type ControlGroup = {
  /** One folder per hierarchy. A process joins all of them. */
  readonly folders: readonly string[]
  /** CPU time of all processes that were ever in the group; null if the system does not count it. */
  cpuMicroseconds(): Promise<number | null>
  memoryBytes(): Promise<number>
  /** The most memory in use so far. */
  highestMemoryBytes(): Promise<number>
  /** No effect if the system cannot freeze processes. */
  freeze(isFrozen: boolean): Promise<void>
}

export type ControlGroups = {
  readonly controllers: ReadonlySet<Controller>
  /** Whether frozen processes do not die before they continue. */
  readonly keepsFrozen: boolean
  create(name: string, limits: GroupLimits): Promise<ControlGroup>
  /** Removes groups without processes whose names start with `prefix`. Never rejects. */
  removeEmpty(prefix: string): Promise<void>
}

type Hierarchies = {
  readonly version: 1 | 2
  /** The folder of this process in each hierarchy, by controller. */
  readonly folders: ReadonlyMap<Controller, string>
}

/**
 * The controllers that this process may use below its own groups. `root` and `own` are
 * /sys/fs/cgroup and the text of /proc/self/cgroup.
 */
export async function openControlGroups(root: string, own: string): Promise<ControlGroups> {
  const { version, folders } = existsSync(join(root, 'cgroup.controllers'))
    ? await openVersion2(root, own)
    : await openVersion1(root, own)
  return {
    controllers: new Set(folders.keys()),
    keepsFrozen: version === 1 && folders.has('freezer'),
    async create(name, limits) {
      const paths = new Map([...folders].map(([key, folder]) => [key, join(folder, name)]))
      for (const path of new Set(paths.values())) await mkdir(path, { recursive: true })
      for (const [path, value] of version === 1
        ? limitsOf1(paths, limits)
        : limitsOf2(paths, limits))
        if (existsSync(path)) await writeFile(path, value)
      return version === 1 ? group1(paths) : group2(paths)
    },
    async removeEmpty(prefix) {
      for (const folder of new Set(folders.values()))
        for (const name of await readdir(folder).catch(() => []))
          // The system rejects this for a group with processes.
          if (name.startsWith(prefix)) await rmdir(join(folder, name)).catch(() => undefined)
    },
  }
}

/** The control groups below those of this process. */
export async function openOwnControlGroups(): Promise<ControlGroups> {
  return openControlGroups(ROOT, await readFile('/proc/self/cgroup', 'utf8').catch(() => ''))
}

/** The control groups at the top of each hierarchy, for programs that run outside of this process's groups. */
export async function openTopControlGroups(): Promise<ControlGroups> {
  const own = await readFile('/proc/self/cgroup', 'utf8').catch(() => '')
  return openControlGroups(ROOT, own.replaceAll(/^(\d+:[^:]*:).*$/gm, '$1/'))
}

async function openVersion1(root: string, own: string): Promise<Hierarchies> {
  const folders = new Map<Controller, string>()
  for (const controller of CONTROLLERS) {
    const line = own.split('\n').find((one) => one.split(':')[1]?.split(',').includes(controller))
    if (line === undefined) continue
    const nested = join(root, controller, line.split(':').slice(2).join(':'))
    // A container may see only its own part of the hierarchy.
    const folder = existsSync(nested) ? nested : join(root, controller)
    if (await isUsable(folder)) folders.set(controller, folder)
  }
  return { version: 1, folders }
}

async function openVersion2(root: string, own: string): Promise<Hierarchies> {
  const path =
    own
      .split('\n')
      .find((line) => line.startsWith('0::'))
      ?.slice(3) ?? '/'
  const nested = join(root, path)
  const folder = existsSync(nested) ? nested : root
  const enable = async (controller: string): Promise<boolean> =>
    writeFile(join(folder, 'cgroup.subtree_control'), `+${controller}`).then(
      () => true,
      () => false,
    )
  const folders = new Map<Controller, string>()
  if (!(await isUsable(folder))) return { version: 2, folders }
  for (const controller of ['memory', 'pids', 'cpu'] as const) {
    if (!(await enable(controller))) {
      // A group with processes of its own cannot pass controllers on.
      const leaf = join(folder, 'tollgate')
      await mkdir(leaf, { recursive: true }).catch(() => undefined)
      await writeFile(join(leaf, 'cgroup.procs'), String(process.pid)).catch(() => undefined)
      if (!(await enable(controller))) continue
    }
    folders.set(controller, folder)
  }
  // Part of every group, without a controller.
  folders.set('cpuacct', folder)
  folders.set('freezer', folder)
  return { version: 2, folders }
}

async function isUsable(folder: string): Promise<boolean> {
  try {
    // Several checks may run at the same time, so each has a name of its own.
    await rmdir(await mkdtemp(join(folder, 'tollgate-probe-')))
    return true
  } catch {
    return false
  }
}

type Paths = ReadonlyMap<Controller, string>
type Files = readonly (readonly [path: string, value: string])[]

function limitsOf1(paths: Paths, { memoryBytes, cpus, processes }: GroupLimits): Files {
  const at = (controller: Controller, file: string, value: number): Files => {
    const folder = paths.get(controller)
    return folder === undefined ? [] : [[join(folder, file), String(Math.round(value))]]
  }
  return [
    ...at('memory', 'memory.limit_in_bytes', memoryBytes),
    ...at('memory', 'memory.memsw.limit_in_bytes', memoryBytes),
    ...at('pids', 'pids.max', processes),
    ...at('cpu', 'cpu.shares', WEIGHT.shares),
    ...at('cpu', 'cpu.cfs_period_us', PERIOD_MICROSECONDS),
    ...at('cpu', 'cpu.cfs_quota_us', cpus * PERIOD_MICROSECONDS),
  ]
}

function limitsOf2(paths: Paths, { memoryBytes, cpus, processes }: GroupLimits): Files {
  return [
    ['memory', 'memory.max', String(memoryBytes)] as const,
    ['memory', 'memory.swap.max', '0'] as const,
    ['pids', 'pids.max', String(processes)] as const,
    ['cpu', 'cpu.weight', String(WEIGHT.weight)] as const,
    ['cpu', 'cpu.max', `${Math.round(cpus * PERIOD_MICROSECONDS)} ${PERIOD_MICROSECONDS}`] as const,
  ].flatMap(([controller, file, value]) => {
    const folder = paths.get(controller)
    return folder === undefined ? [] : [[join(folder, file), value] as const]
  })
}

function group1(paths: Paths): ControlGroup {
  const [cpu, memory, freezer] = [paths.get('cpuacct'), paths.get('memory'), paths.get('freezer')]
  const bytesIn = async (file: string): Promise<number> =>
    memory === undefined ? 0 : Number(await readFile(join(memory, file), 'utf8'))
  return {
    folders: [...new Set(paths.values())],
    cpuMicroseconds: async () =>
      cpu === undefined
        ? null
        : Math.floor(Number(await readFile(join(cpu, 'cpuacct.usage'), 'utf8')) / 1000),
    memoryBytes: () => bytesIn('memory.usage_in_bytes'),
    highestMemoryBytes: () => bytesIn('memory.max_usage_in_bytes'),
    async freeze(isFrozen) {
      if (freezer === undefined) return
      const file = join(freezer, 'freezer.state')
      await writeFile(file, isFrozen ? 'FROZEN' : 'THAWED')
      if (!isFrozen) return
      for (let left = REMOVE_TRIES; left > 0; left -= 1) {
        if ((await readFile(file, 'utf8')).trim() === 'FROZEN') return
        await delay(1)
      }
    },
  }
}

function group2(paths: Paths): ControlGroup {
  const folder = paths.get('cpuacct')
  const bytesIn = async (...files: readonly string[]): Promise<number> => {
    const path = files.map((file) => join(folder ?? '', file)).find((one) => existsSync(one))
    return folder === undefined || path === undefined ? 0 : Number(await readFile(path, 'utf8'))
  }
  return {
    folders: [...new Set(paths.values())],
    async cpuMicroseconds() {
      if (folder === undefined) return null
      const usage = /^usage_usec (\d+)$/m.exec(await readFile(join(folder, 'cpu.stat'), 'utf8'))
      return usage === null ? null : Number(usage[1])
    },
    memoryBytes: () => bytesIn('memory.current'),
    // Linux before 5.19 has no peak.
    highestMemoryBytes: () => bytesIn('memory.peak', 'memory.current'),
    async freeze(isFrozen) {
      if (folder === undefined) return
      await writeFile(join(folder, 'cgroup.freeze'), isFrozen ? '1' : '0')
      if (!isFrozen) return
      for (let left = REMOVE_TRIES; left > 0; left -= 1) {
        if (/^frozen 1$/m.test(await readFile(join(folder, 'cgroup.events'), 'utf8'))) return
        await delay(1)
      }
    },
  }
}

/** Kills all processes of the groups in `folders` and removes the groups. Missing ones are skipped. */
export async function removeControlGroups(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    // Frozen processes of version 1 die only when they continue.
    await writeIfPresent(join(folder, 'freezer.state'), 'THAWED')
    await writeIfPresent(join(folder, 'cgroup.kill'), '1')
  }
  for (const folder of folders) {
    for (let left = REMOVE_TRIES; left > 0 && existsSync(folder); left -= 1) {
      await killAll(folder)
      for (const nested of await foldersIn(folder)) {
        await killAll(nested)
        await rmdir(nested).catch(() => undefined)
      }
      const isRemoved = await rmdir(folder).then(
        () => true,
        () => false,
      )
      if (!isRemoved) await delay(REMOVE_WAIT_MS)
    }
  }
}

/** The groups below a group, the deepest first. */
async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .toReversed()
}

async function killAll(folder: string): Promise<void> {
  const text = await readFile(join(folder, 'cgroup.procs'), 'utf8').catch(() => '')
  for (const line of text.split('\n').filter((one) => /^[1-9]\d*$/.test(one)))
    try {
      process.kill(Number(line), 'SIGKILL')
    } catch {
      // It has ended.
    }
}

/** Never creates the file, which a removed group does not have. */
async function writeIfPresent(path: string, value: string): Promise<void> {
  if (existsSync(dirname(path)) && existsSync(path))
    await writeFile(path, value).catch(() => undefined)
}
