import { execFile } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeFolders } from '../../../lib/make-folders.ts'
import { otherOwnerOf } from '../../../lib/other-owner.ts'
import { ensureBrowserFiles } from '../../../pages/browser-files.ts'
import { startBrowserProcess } from '../../../pages/browser-process.ts'
import { findFfmpeg, type FfmpegPlaces } from '../../../pages/demo/find-ffmpeg.ts'
import { broken, missing, ok, type Check } from './check.ts'
import { probe } from './probe.ts'

const OLDEST_NODE = 24
// A browser that is only started and asked for its version needs no way out.
const NO_PROXY_THERE = 'http://127.0.0.1:9'
const FFMPEG_TIMEOUT_MS = 10_000
const MEBIBYTE = 1024 ** 2
// Below it PostgreSQL's next segments of its log, 16 MiB each, may find no place.
const LEAST_FREE_BYTES = 128 * MEBIBYTE

export function checkNode(version = process.versions.node): Check {
  const isRecent = Number.parseInt(version, 10) >= OLDEST_NODE
  return isRecent ? ok('Node.js', version) : broken('Node.js', version, `Start it with ./tollgate or npm, which bring Node.js ${OLDEST_NODE}.`)
}

/** What a gateway keeps of its own in the data folder. */
const KEPT_THERE = ['postgres', 'files']

export async function checkDataFolder(folder: string, freeBytesAt: (folder: string) => Promise<number> = readFreeBytes, ownId?: number): Promise<Check> {
  try {
    await makeFolders(folder)
    await probe(folder)
    const ownerId = KEPT_THERE.map((name) => otherOwnerOf(join(folder, name), ownId)).find((id) => id !== null)
    if (ownerId !== undefined) return broken('data folder', `${folder} is in use by the gateway of another user, whose id is ${ownerId}`, 'Run this as that user (docs/operating.md shows how).')
    const freeBytes = await freeBytesAt(folder)
    if (freeBytes < LEAST_FREE_BYTES) return broken('data folder', `${folder}: ${Math.floor(freeBytes / MEBIBYTE)} MiB are free`, 'Make room on that disk, or set DATA_DIR to a folder on another one.')
    return ok('data folder', `${folder} is writable`)
  } catch (error) {
    return broken('data folder', messageOf(error), 'Let this user write there, or set DATA_DIR to another folder.')
  }
}

async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Starts the browser once: that its files are there does not yet mean that it runs. */
export async function checkBrowser(folder: string): Promise<Check> {
  try {
    const started = await startBrowserProcess(await ensureBrowserFiles(folder), NO_PROXY_THERE)
    const version = started.browser.version()
    await started.close()
    return ok('browser', `Chromium ${version} starts`)
  } catch (error) {
    return missing('browser', messageOf(error).split('\n')[0] ?? '', 'Pages that need a browser are not rendered in-house; set UPSTREAM_RENDER_KEY, or run on a system where Chromium starts.')
  }
}

/** Runs the program that makes demo videos, and asks whether it can write what players play. */
export async function checkFfmpeg(places: FfmpegPlaces): Promise<Check> {
  const fix = 'Demo videos are not made; install ffmpeg with libx264, or name it with FFMPEG_PATH.'
  try {
    const { stdout } = await promisify(execFile)(await findFfmpeg(places), ['-version'], { timeout: FFMPEG_TIMEOUT_MS, env: {} })
    const version = /^ffmpeg version (\S+)/.exec(stdout)?.[1] ?? 'of an unknown version'
    return stdout.includes('--enable-libx264') ? ok('ffmpeg', version) : missing('ffmpeg', `${version}, without libx264`, fix)
  } catch (error) {
    return missing('ffmpeg', messageOf(error).split('\n')[0] ?? '', fix)
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
