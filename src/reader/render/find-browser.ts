import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { ensureBrowserFiles, type BrowserFiles } from './browser-files.ts'

export type BrowserPlaces = {
  /** The operator's Chromium, tried instead of the system's. `packaged`: only the packaged one. */
  readonly chromiumPath?: string | null | undefined
  /** The environment's PATH. */
  readonly searchPath: string
}

/** Returns the version that a program reports. Rejects if it does not run. */
export type ProbeVersion = (program: string, env: Record<string, string>) => Promise<string>

/** `packaged`: to start instead if the system's browser does not. */
export type FoundBrowser = BrowserFiles & { readonly packaged?: BrowserFiles }

export type FindBrowser = (folder: string) => Promise<FoundBrowser>

/**
 * The programs themselves: the scripts in /usr/bin add switches of the distribution, and need
 * folders that a confined browser does not see.
 */
const SYSTEM_PROGRAMS = [
  '/usr/lib/chromium/chromium',
  '/usr/lib/chromium-browser/chromium-browser',
  '/usr/lib64/chromium-browser/chromium-browser',
  '/opt/google/chrome/chrome',
]
const PROGRAM_OF_SCRIPT: Readonly<Record<string, string>> = {
  '/usr/bin/chromium': '/usr/lib/chromium/chromium',
  '/usr/bin/google-chrome': '/opt/google/chrome/chrome',
  '/usr/bin/google-chrome-stable': '/opt/google/chrome/chrome',
}
const PACKAGED_ONLY = 'packaged'
const PROBE_TIMEOUT_MS = 10_000

/**
 * Creates a function that returns the newest browser of this machine: the packaged one, unpacked
 * below its argument, or a newer one of the system. It asks each program for its version once, and
 * again after an update. Rejects with the system's error.
 */
export function createBrowserFinder(
  { chromiumPath = null, searchPath }: BrowserPlaces,
  probe: ProbeVersion = probeVersion,
  systemPrograms: readonly string[] = SYSTEM_PROGRAMS,
): FindBrowser {
  const programs =
    chromiumPath === null
      ? systemPrograms
      : chromiumPath === PACKAGED_ONLY
        ? []
        : [PROGRAM_OF_SCRIPT[chromiumPath] ?? chromiumPath]
  const known = new Map<string, { readonly mtimeMs: number; readonly version: string | null }>()

  async function versionOf(program: string, env: Record<string, string>): Promise<string | null> {
    const facts = await stat(program).catch(() => null)
    if (facts === null) return null
    const { mtimeMs } = facts
    const last = known.get(program)
    if (last?.mtimeMs === mtimeMs) return last.version
    const version = await probe(program, env).catch(() => null)
    known.set(program, { mtimeMs, version })
    return version
  }

  return async (folder) => {
    const packaged = await ensureBrowserFiles(folder, searchPath)
    // Those libraries belong to the packaged browser only.
    const { LD_LIBRARY_PATH: _, ...env } = packaged.env
    let newest: { files: FoundBrowser; version: string } = { files: packaged, version: '' }
    for (const program of programs) {
      const version = await versionOf(program, env)
      if (version === null) continue
      if (newest.version === '')
        newest.version = (await versionOf(packaged.executablePath, packaged.env)) ?? '0'
      if (isNewer(version, newest.version))
        newest = { files: { executablePath: program, env, packaged }, version }
    }
    return newest.files
  }
}

function isNewer(one: string, other: string): boolean {
  const [ours, theirs] = [one, other].map((version) => version.split('.').map(Number))
  const place = ours?.findIndex((part, index) => part !== theirs?.[index]) ?? -1
  return place >= 0 && (ours?.[place] ?? 0) > (theirs?.[place] ?? 0)
}

async function probeVersion(program: string, env: Record<string, string>): Promise<string> {
  const { stdout } = await promisify(execFile)(program, ['--version'], {
    env,
    timeout: PROBE_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  return /\d+(\.\d+){3}/.exec(stdout)?.[0] ?? Promise.reject(new TypeError('no version'))
}
