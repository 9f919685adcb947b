import { execFile } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeFolders } from '../../../lib/files/make-folders.ts'
import { otherOwnerOf } from '../../../lib/other-owner.ts'
import type { Clock } from '../../../lib/clock.ts'
import { majorsBehind } from '../../../reader/render/browser-age.ts'
import { ensureBrowserFiles } from '../../../reader/render/browser-files.ts'
import { describeConfinement, startBrowserProcess } from '../../../reader/render/browser-process.ts'
import { SANDBOX_ADVICE } from '../../../reader/render/browser-sandbox.ts'
import { browserFolder } from '../../../reader/render/browser-user.ts'
import { findFfmpeg, type FfmpegPlaces } from '../../../reader/video/find-ffmpeg.ts'
import { broken, missing, ok, type Check } from './check.ts'
import { probe } from './probe.ts'

const OLDEST_NODE = 24
const MOST_MAJORS_BEHIND = 1
// A browser that is only started and asked for its version needs no way out.
const NO_PROXY_THERE = 'http://127.0.0.1:9'
const FFMPEG_TIMEOUT_MS = 10_000
const MEBIBYTE = 1024 ** 2
// Below it PostgreSQL's next segments of its log, 16 MiB each, may find no place.
const LEAST_FREE_BYTES = 128 * MEBIBYTE

export function checkNode(version = process.versions.node): Check {
  const isRecent = Number.parseInt(version, 10) >= OLDEST_NODE
  return isRecent
    ? ok('Node.js', version)
    : broken(
        'Node.js',
        version,
        `Start it with ./tollgate or npm, which bring Node.js ${OLDEST_NODE}.`,
      )
}

/** What a gateway keeps of its own in the data folder. */
const KEPT_THERE = ['postgres', 'files']

export async function checkDataFolder(
  folder: string,
  freeBytesAt: (folder: string) => Promise<number> = readFreeBytes,
  ownId?: number,
): Promise<Check> {
  try {
    await makeFolders(folder)
    await probe(folder)
    const ownerId = KEPT_THERE.map((name) => otherOwnerOf(join(folder, name), ownId)).find(
      (id) => id !== null,
    )
    if (ownerId !== undefined)
      return broken(
        'data folder',
        `${folder} is in use by the gateway of another user, whose id is ${ownerId}`,
        'Run this as that user (docs/operating.md shows how).',
      )
    const freeBytes = await freeBytesAt(folder)
    if (freeBytes < LEAST_FREE_BYTES)
      return broken(
        'data folder',
        `${folder}: ${Math.floor(freeBytes / MEBIBYTE)} MiB are free`,
        'Make room on that disk, or set DATA_DIR to a folder on another one.',
      )
    return ok('data folder', `${folder} is writable`)
  } catch (error) {
    return broken(
      'data folder',
      messageOf(error),
      'Let this user write there, or set DATA_DIR to another folder.',
    )
  }
}

async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

type StartedBrowser = {
  readonly version: string
  readonly isSandboxed: boolean
  readonly userId: number | undefined
}

/** Starts the browser once: that its files are there does not yet mean that it runs, nor that it has its sandbox. */
export async function checkBrowser(
  folder: string,
  allowUnsandboxed: boolean,
  now: Clock,
): Promise<Check> {
  try {
    const { browser, isSandboxed, userId, close } = await startBrowserProcess(
      await ensureBrowserFiles(await browserFolder(folder)),
      { proxyUrl: NO_PROXY_THERE, allowUnsandboxed },
    )
    const version = browser.version()
    await close()
    return describeBrowser({ version, isSandboxed, userId }, now())
  } catch (error) {
    return missing(
      'browser',
      messageOf(error).split('\n')[0] ?? '',
      'Pages that need a browser are not rendered in-house; set UPSTREAM_RENDER_KEY, or run on a system where Chromium starts.',
    )
  }
}

export function describeBrowser(started: StartedBrowser, nowMs: number): Check {
  const found = `Chromium ${started.version} starts ${describeConfinement(started)}`
  if (!started.isSandboxed) return missing('browser', found, SANDBOX_ADVICE)
  const behind = majorsBehind(started.version, nowMs)
  return behind > MOST_MAJORS_BEHIND
    ? missing(
        'browser',
        `${found}; by the calendar Chromium is ${behind} majors further`,
        'Update Tollgate. What is mended in Chromium since then is known to attackers; its sandbox is what is left.',
      )
    : ok('browser', found)
}

/** Runs the program that makes demo videos, and asks whether it can write what players play. */
export async function checkFfmpeg(places: FfmpegPlaces): Promise<Check> {
  const fix = 'Demo videos are not made; install ffmpeg with libx264, or name it with FFMPEG_PATH.'
  try {
    const { stdout } = await promisify(execFile)(await findFfmpeg(places), ['-version'], {
      timeout: FFMPEG_TIMEOUT_MS,
      env: {},
    })
    const version = /^ffmpeg version (\S+)/.exec(stdout)?.[1] ?? 'of an unknown version'
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
