/** Stored gateways: profiles.json in the user's configuration folder, readable by the user only. */
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

export type Profile = {
  readonly url: string
  readonly key: string
  /** For --test. */
  readonly test_key?: string
}

export type Profiles = {
  /** The profile of commands without --profile. */
  readonly current: string | null
  readonly profiles: Readonly<Record<string, Profile>>
}

const ONLY_OWNER = 0o600
const OTHERS = 0o077

type Environment = Terminal['environment']

export function profilesPath(environment: Environment): string {
  return join(folderOf(environment, 'XDG_CONFIG_HOME', '.config'), 'tollgate', 'profiles.json')
}

export function cacheFolder(environment: Environment): string {
  return join(folderOf(environment, 'XDG_CACHE_HOME', '.cache'), 'tollgate')
}

/** The XDG specification ignores relative paths. */
function folderOf(environment: Environment, variable: string, usual: string): string {
  const given = environment[variable] ?? ''
  return isAbsolute(given) ? given : join(environment['HOME'] ?? homedir(), usual)
}

/** Throws UsageError for a file that is not valid. */
export function readProfiles(environment: Environment): Profiles {
  const path = profilesPath(environment)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: null, profiles: {} }
    throw new UsageError(`Could not read ${path}: ${(error as Error).message}`)
  }
  const stored = parse(text)
  if (stored === null)
    throw new UsageError(`${path} is not valid.`, 'Repair it, or remove it and log in again.')
  return stored
}

function parse(text: string): Profiles | null {
  try {
    const { current, profiles } = JSON.parse(text) as Partial<Profiles>
    const isValid = Object.values(profiles ?? {}).every(
      (one) => typeof one.url === 'string' && typeof one.key === 'string',
    )
    return isValid && profiles !== undefined ? { current: current ?? null, profiles } : null
  } catch {
    return null
  }
}

/** Other users cannot read the file at any moment: it is written under another name first. */
export function writeProfiles(environment: Environment, profiles: Profiles): string {
  const path = profilesPath(environment)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  try {
    writeFileSync(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: ONLY_OWNER, flag: 'wx' })
    chmodSync(draft, ONLY_OWNER)
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
  return path
}

/** A warning if other users can read the keys; null otherwise. */
export function warnOfOtherReaders(environment: Environment): string | null {
  const path = profilesPath(environment)
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
  return process.platform === 'win32' || (mode & OTHERS) === 0
    ? null
    : `Other users can read the keys in ${path}. Run: chmod 600 ${path}`
}

/** Enough of a key to recognize it. */
export function maskKey(key: string): string {
  return `${key.slice(0, 12)}…`
}
