import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Config } from '../../../app/settings/config.ts'
import {
  IN_HOUSE_PART_NAMES,
  IN_HOUSE_PARTS,
  type InHousePart,
  type Part,
} from '../../../app/settings/in-house-parts.ts'
import { isPartEnabled } from '../../../app/settings/in-house-settings.ts'
import { findProgram } from '../../../lib/machine/find-program.ts'
import { findBrokenProxy, listProxies } from '../../../reader/proxied/proxy-report.ts'
import { SANDBOX_ADVICE } from '../../../reader/render/browser-sandbox.ts'
import { isRoot } from '../../../reader/render/browser-user-id.ts'
import {
  mayRunBrowsers,
  openBrowserGroups,
  UNLIMITED,
} from '../../../resources/browsers/in-house/limits.ts'
import { probeConfinement } from '../../../resources/browsers/in-house/probe-confinement.ts'
import { checkBoxes } from './boxes.ts'
import { missing, ok, type Check } from './check.ts'
import { checkEmails } from './emails.ts'
import { checkInboxes } from './inboxes.ts'
import { checkMedia } from './media.ts'
import { messageOf } from './machine.ts'
import { checkSearch } from './search.ts'

const TIMEOUT_MS = 10_000

/** Tries an enabled part whose programs are installed. */
type PartTest = (config: Config, title: string) => Promise<Check>

const TESTS: Readonly<Record<InHousePart, PartTest>> = {
  git: tryGit,
  inboxes: checkInboxes,
  emails: checkEmails,
  readers: tryProxies,
  search: checkSearch,
  sandboxes: checkBoxes,
  sessions: checkBoxes,
  browsers: tryBrowsers,
  media: checkMedia,
}

/** One check for each part of IN_HOUSE, and the parts that work. */
export async function checkParts(config: Config): Promise<{
  readonly checks: readonly Check[]
  readonly working: ReadonlySet<string>
}> {
  const checks = await Promise.all(IN_HOUSE_PART_NAMES.map((part) => checkPart(part, config)))
  return {
    checks,
    working: new Set(IN_HOUSE_PART_NAMES.filter((_, index) => checks[index]?.state === 'ok')),
  }
}

async function checkPart(part: InHousePart, config: Config): Promise<Check> {
  const { title, effect, programs }: Part = IN_HOUSE_PARTS[part]
  if (!isPartEnabled(config.inHouse, part, true))
    return missing(title, 'off', `Add "${part}" to IN_HOUSE, so that ${effect}.`)
  const absent = programs.find(({ name }) => findProgram(name, config.searchPath) === null)
  if (absent !== undefined)
    return missing(
      title,
      `${absent.name} is not installed`,
      `Install ${absent.name}, for example: apt-get install ${absent.debianPackage}`,
    )
  const check = await TESTS[part](config, title)
  return check.state === 'ok' && config.inHouse.parts === null
    ? { ...check, found: `${check.found}, used by "npm start"` }
    : check
}

async function tryGit({ searchPath }: Config, title: string): Promise<Check> {
  try {
    return ok(title, await firstLineOf('git', ['--version'], searchPath))
  } catch (error) {
    return missing(title, messageOf(error).split('\n')[0] ?? '', 'Reinstall git.')
  }
}

/** Connects to each proxy, but reads no page. */
async function tryProxies({ inHouse: { proxies } }: Config, title: string): Promise<Check> {
  if (proxies.length === 0) return ok(title, 'without proxies')
  const problem = await findBrokenProxy(proxies)
  return problem === null
    ? ok(title, `proxies ${listProxies(proxies)}`)
    : missing(title, problem, 'Correct or remove the proxy in EGRESS_PROXIES.')
}

/** The browser itself is checked with those of the reader. */
async function tryBrowsers({ searchPath, inHouse }: Config, title: string): Promise<Check> {
  const program = findProgram('bwrap', searchPath) ?? 'bwrap'
  const reason = await probeConfinement(program, isRoot())
  if (reason !== null)
    return missing(title, `bwrap cannot confine a browser: ${reason}`, SANDBOX_ADVICE)
  const groups = await openBrowserGroups()
  if (!mayRunBrowsers(inHouse.parts !== null, groups))
    return missing(
      title,
      UNLIMITED,
      'Let the gateway write its control groups (Delegate=yes in its service file), or add "browsers" to IN_HOUSE to accept this.',
    )
  const warning = groups === null ? `; WARNING: ${UNLIMITED}` : ''
  const version = await firstLineOf('bwrap', ['--version'], searchPath)
  return ok(
    title,
    isRoot()
      ? `${version}, each browser as another user${warning}`
      : `${version}, as the user of the gateway; start as root for one user each${warning}`,
  )
}

/** Runs a program of PATH and returns its first line. Throws if it fails. */
async function firstLineOf(
  name: string,
  words: readonly string[],
  searchPath: string,
): Promise<string> {
  const { stdout } = await promisify(execFile)(findProgram(name, searchPath) ?? name, words, {
    timeout: TIMEOUT_MS,
    env: {},
  })
  return stdout.trim().split('\n')[0] ?? ''
}
