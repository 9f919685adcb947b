/**
 * Runs the browser under another user if this process is root. That user owns no files, cannot read
 * the data folder and can use a sandbox.
 */
import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../../errors/start-error.ts'
import { makeFolders } from '../../lib/files/make-folders.ts'
import type { BrowserFiles } from './browser-files.ts'
import { BROWSER_USER_ID, isRoot } from './browser-user-id.ts'

const PUBLIC_FOLDERS = ['/var/cache/tollgate', join(tmpdir(), 'tollgate')]
const REMOVE_TIMEOUT_MS = 10_000

/**
 * The folder to unpack the browser into: `folder`, unless this process is root and other users
 * cannot enter it. Rejects with StartError, or the system's error.
 */
export async function browserFolder(folder: string): Promise<string> {
  await makeFolders(folder)
  if (!isRoot() || (await isOpenToAll(folder))) return folder
  let failure: unknown
  for (const candidate of PUBLIC_FOLDERS) {
    try {
      await mkdir(candidate, { recursive: true, mode: 0o755 })
      if (await isSafeForRoot(candidate)) return candidate
      failure = new StartError(
        `${candidate} belongs to another user or is writable by others. Remove it.`,
      )
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/**
 * Starts the browser as the other user, with its own profile. Call `remove` after its processes
 * have ended; never rejects.
 */
export type OtherUser = { readonly files: BrowserFiles; remove(): Promise<void> }

/** Rejects with StartError if the system has no setpriv, or with the system's error. */
export async function prepareOtherUser(files: BrowserFiles): Promise<OtherUser> {
  await promisify(execFile)('setpriv', [...SWITCH_USER, 'true']).catch(
    (error: NodeJS.ErrnoException) => {
      throw new StartError(
        `The browser cannot be started as another user than root: ${error.code === 'ENOENT' ? 'setpriv (package util-linux) is not installed' : firstLine(error)}.`,
      )
    },
  )
  const home = await mkdtemp(join(tmpdir(), 'tollgate-browser-'))
  await chmod(home, 0o711)
  const profile = join(home, 'profile')
  await mkdir(profile, { mode: 0o700 })
  await chown(profile, BROWSER_USER_ID, BROWSER_USER_ID)
  const start = join(home, 'start')
  // The browser uses the last of several profile arguments.
  await writeFile(
    start,
    `#!/bin/sh\ncd /\nexec setpriv ${SWITCH_USER.join(' ')} ${quoted(files.executablePath)} "$@" --user-data-dir=${quoted(profile)}\n`,
    { mode: 0o700 },
  )
  return {
    files: { executablePath: start, env: { ...files.env, HOME: profile, TMPDIR: profile } },
    async remove() {
      // Runs as the user who wrote the files: a symbolic link must not lead root elsewhere.
      await promisify(execFile)('setpriv', [...SWITCH_USER, 'rm', '-rf', '--', profile], {
        timeout: REMOVE_TIMEOUT_MS,
      }).catch(() => undefined)
      await rm(start, { force: true }).catch(() => undefined)
      for (const folder of [profile, home]) await rmdir(folder).catch(() => undefined)
    },
  }
}

const SWITCH_USER = [
  `--reuid=${BROWSER_USER_ID}`,
  `--regid=${BROWSER_USER_ID}`,
  '--clear-groups',
  '--no-new-privs',
  '--',
]

/** Reports whether every user may enter the folder. */
async function isOpenToAll(folder: string): Promise<boolean> {
  const mode = await stat(folder).then(
    (facts) => facts.mode,
    () => 0,
  )
  if ((mode & 0o001) === 0) return false
  return dirname(folder) === folder || isOpenToAll(dirname(folder))
}

async function isSafeForRoot(folder: string): Promise<boolean> {
  const { uid, mode } = await stat(folder)
  return uid === 0 && (mode & 0o022) === 0 && (await isOpenToAll(folder))
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function firstLine(error: Error): string {
  return error.message.split('\n').slice(0, 2).join(' ')
}
