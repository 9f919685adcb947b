import { execFile } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeFolders } from '../../../lib/files/make-folders.ts'
import { otherOwnerOf } from '../../../lib/other-owner.ts'
import type { Clock } from '../../../lib/clock.ts'
import { majorsBehind, MOST_MAJORS_BEHIND } from '../../../reader/render/browser-age.ts'
import { createBrowserFinder, type BrowserPlaces } from '../../../reader/render/find-browser.ts'
import { describeConfinement, startBrowserProcess } from '../../../reader/render/browser-process.ts'
import { SANDBOX_ADVICE } from '../../../reader/render/browser-sandbox.ts'
import { browserFolder } from '../../../reader/render/browser-user.ts'
import { findFfmpeg, type FfmpegPlaces } from '../../../reader/video/find-ffmpeg.ts'
import { broken, missing, ok, warning, type Check } from './check.ts'
import { probe } from './probe.ts'

const OLDEST_NODE = 24
// The browser only starts and reports its version, so it needs no network.
const UNUSED_PROXY = 'http://127.0.0.1:9'
const FFMPEG_TIMEOUT_MS = 10_000
const MEBIBYTE = 1024 ** 2
// Below this, PostgreSQL may be unable to write its next log segments of 16 MiB each.
const LEAST_FREE_BYTES = 128 * MEBIBYTE

export function checkNode(version = process.versions.node): Check {
  const isRecent = Number.parseInt(version, 10) >= OLDEST_NODE
  return isRecent
    ? ok('Node.js', version)
    : broken(
        'Node.js',
        version,
        `Start with ./tollgate or npm, which include Node.js ${OLDEST_NODE}.`,
      )
}

/** Folders that a gateway creates in the data folder. */
const OWN_FOLDERS = ['postgres', 'files']

export async function checkDataFolder(
  folder: string,
  freeBytesAt: (folder: string) => Promise<number> = readFreeBytes,
  ownId?: number,
): Promise<Check> {
  try {
    await makeFolders(folder)
    await probe(folder)
    const ownerId = OWN_FOLDERS.map((name) => otherOwnerOf(join(folder, name), ownId)).find(
      (id) => id !== null,
    )
    if (ownerId !== undefined)
      return broken(
        'data folder',
        `${folder} is in use by the gateway of another user, whose ID is ${ownerId}`,
        'Run the command as that user (see docs/operating.md).',
      )
    const freeBytes = await freeBytesAt(folder)
    if (freeBytes < LEAST_FREE_BYTES)
      return broken(
        'data folder',
        `${folder}: ${Math.floor(freeBytes / MEBIBYTE)} MiB are free`,
        'Free space on that disk, or set DATA_DIR to a folder on another disk.',
      )
    return ok('data folder', `${folder} is writable`)
  } catch (error) {
    return broken(
      'data folder',
      messageOf(error),
      'Give this user write access, or set DATA_DIR to another folder.',
    )
  }
}

async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

type StartedBrowser = {
  readonly program: string
  readonly version: string
  readonly isSandboxed: boolean
  readonly userId: number | undefined
}

/** Starts the browser once, because installed files prove neither that it starts nor that its sandbox works. */
export async function checkBrowser(
  folder: string,
  places: BrowserPlaces,
  allowUnsandboxed: boolean,
  now: Clock,
): Promise<Check> {
  try {
    const files = await createBrowserFinder(places)(await browserFolder(folder))
    const { browser, isSandboxed, userId, close } = await startBrowserProcess(files, {
      proxyUrl: UNUSED_PROXY,
      allowUnsandboxed,
    })
    const version = browser.version()
    await close()
    return describeBrowser({ program: files.executablePath, version, isSandboxed, userId }, now())
  } catch (error) {
    return missing(
      'browser',
      messageOf(error).split('\n')[0] ?? '',
      'The gateway cannot render pages that need a browser. Set UPSTREAM_RENDER_KEY, or run on a system where Chromium starts.',
    )
  }
}

export function describeBrowser(started: StartedBrowser, nowMs: number): Check {
  const found = `Chromium ${started.version} (${started.program}) starts ${describeConfinement(started)}`
  if (!started.isSandboxed) return missing('browser', found, SANDBOX_ADVICE)
  const behind = majorsBehind(started.version, nowMs)
  return behind > MOST_MAJORS_BEHIND
    ? warning(
        'browser',
        `${found}; it is about ${behind} major versions behind`,
        'Update Tollgate, or install the current Chromium of the system, which the gateway uses if it is newer. Attackers know the vulnerabilities that newer versions fix, and only the sandbox still protects this machine.',
      )
    : ok('browser', found)
}

/** Runs ffmpeg and checks that it can encode H.264, the codec of demo videos. */
export async function checkFfmpeg(places: FfmpegPlaces): Promise<Check> {
  const fix = 'Demo videos fail. Install ffmpeg with libx264, or set FFMPEG_PATH to it.'
  try {
    const { stdout } = await promisify(execFile)(await findFfmpeg(places), ['-version'], {
      timeout: FFMPEG_TIMEOUT_MS,
      env: {},
    })
    const version = /^ffmpeg version (\S+)/.exec(stdout)?.[1] ?? 'unknown version'
    return stdout.includes('--enable-libx264')
      ? ok('ffmpeg', version)
      : missing('ffmpeg', `${version}, without libx264`, fix)
  } catch (error) {
    return missing('ffmpeg', messageOf(error).split('\n')[0] ?? '', fix)
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
