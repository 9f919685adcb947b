/** Root starts the browser as another user, who owns nothing, reaches no data folder and may have a sandbox. */
import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../../errors/start-error.ts'
import { makeFolders } from '../../lib/files/make-folders.ts'
import type { BrowserFiles } from './browser-files.ts'

/** No user has this id: systemd and Debian leave 65520 to 65533 unused, and a container that maps ids has it. */
export const BROWSER_USER_ID = 65_520
const PUBLIC_FOLDERS = ['/var/cache/tollgate', join(tmpdir(), 'tollgate')]
const REMOVE_TIMEOUT_MS = 10_000

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** Where the browser is unpacked: in `folder`, unless root starts it and other users cannot enter that. Rejects with StartError, or the system's error. */
export async function browserFolder(folder: string): Promise<string> {
  await makeFolders(folder)
  if (!isRoot() || (await isOpenToAll(folder))) return folder
  let failure: unknown
  for (const candidate of PUBLIC_FOLDERS) {
    try {
      await mkdir(candidate, { recursive: true, mode: 0o755 })
      if (await isOnlyOurs(candidate)) return candidate
      failure = new StartError(
        `${candidate} belongs to another user or lets others write. Remove it.`,
      )
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** A way to start the browser as the other user, with a profile of its own. `remove` is for when all its processes have ended; it never rejects. */
export type OtherUser = { readonly files: BrowserFiles; remove(): Promise<void> }

/** Rejects with StartError where the system has no setpriv, or with the system's error. */
export async function asOtherUser(files: BrowserFiles): Promise<OtherUser> {
  await promisify(execFile)('setpriv', [...SWITCH_USER, 'true']).catch(
    (error: NodeJS.ErrnoException) => {
      throw new StartError(
        `The browser cannot be started as another user than root: ${error.code === 'ENOENT' ? 'setpriv, of util-linux, is not installed' : firstLine(error)}.`,
      )
    },
  )
  const home = await mkdtemp(join(tmpdir(), 'tollgate-browser-'))
  await chmod(home, 0o711)
  const profile = join(home, 'profile')
  await mkdir(profile, { mode: 0o700 })
  await chown(profile, BROWSER_USER_ID, BROWSER_USER_ID)
  const start = join(home, 'start')
  // Of two profiles that are named, the browser takes the last.
  await writeFile(
    start,
    `#!/bin/sh\ncd /\nexec setpriv ${SWITCH_USER.join(' ')} ${quoted(files.executablePath)} "$@" --user-data-dir=${quoted(profile)}\n`,
    { mode: 0o700 },
  )
  return {
    files: { executablePath: start, env: { ...files.env, HOME: profile, TMPDIR: profile } },
    async remove() {
      // As the user who wrote there: a link that it left must not lead root elsewhere.
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

/** Whether every user may enter it. */
async function isOpenToAll(folder: string): Promise<boolean> {
  const mode = await stat(folder).then(
    (facts) => facts.mode,
    () => 0,
  )
  if ((mode & 0o001) === 0) return false
  return dirname(folder) === folder || isOpenToAll(dirname(folder))
}

async function isOnlyOurs(folder: string): Promise<boolean> {
  const { uid, mode } = await stat(folder)
  return uid === 0 && (mode & 0o022) === 0 && (await isOpenToAll(folder))
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function firstLine(error: Error): string {
  return error.message.split('\n').slice(0, 2).join(' ')
}
