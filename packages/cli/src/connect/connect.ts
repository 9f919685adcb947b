/** Decides which gateway and key a command uses. */
import { Tollgate, type TollgateSettings } from '../../../sdk/src/index.ts'
import type { Flags } from '../flags.ts'
import type { FlagValues } from '../input/read-words.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { readProfiles, warnOfOtherReaders, type Profile } from './profiles.ts'

export const CONNECTION_FLAGS: Flags = {
  url: { value: '<address>', about: 'the gateway; default: the profile, or TOLLGATE_URL' },
  key: {
    value: '<key>',
    about: 'the API key; TOLLGATE_KEY hides it from other users of this machine',
  },
  profile: { value: '<name>', about: 'a stored gateway; see "profile list"' },
  test: { about: 'use the test key: simulated vendors, play money' },
}

export type Connect = {
  /** The address of the gateway, and whether a flag, a variable or a profile names it. Throws UsageError. */
  address(): { readonly url: string; readonly isGiven: boolean }
  /** A client with a key. Throws UsageError without one, and for a stored key that another address would get. */
  open(settings?: TollgateSettings): Tollgate
  /** Whether `open` uses a test key. Throws UsageError without a key. */
  isTest(): boolean
  /** A client without a key, for descriptions of actions. */
  openPublic(settings?: TollgateSettings): Tollgate
  /** The same with further flags. */
  with(flags: FlagValues): Connect
}

const USUAL_URL = 'http://127.0.0.1:4020'
const TEST_KEY = 'tg_test_'

export function createConnect(terminal: Terminal, flags: FlagValues): Connect {
  const address = (): { readonly url: string; readonly isGiven: boolean } => {
    const url = sourcesOf(terminal, flags).find((source) => source.url !== undefined)?.url
    return { url: readUrl(url ?? USUAL_URL), isGiven: url !== undefined }
  }
  return {
    address,
    open: (settings = {}) => {
      const { url } = address()
      return new Tollgate({ ...settings, url, key: findKey(terminal, flags, url) })
    },
    isTest: () => findKey(terminal, flags, address().url).startsWith(TEST_KEY),
    openPublic: (settings = {}) => new Tollgate({ ...settings, url: address().url, key: '' }),
    with: (more) => createConnect(terminal, { ...flags, ...more }),
  }
}

type Source = {
  readonly url?: string | undefined
  readonly key?: string | undefined
  readonly test_key?: string | undefined
  readonly isStored?: true
}

/** The first one wins. A named profile wins over the variables, and these over the current profile. */
function sourcesOf(terminal: Terminal, flags: FlagValues): readonly Source[] {
  const { environment } = terminal
  const read = (name: string): string | undefined => environment[name] || undefined
  const typed: Source = { url: flags['url']?.[0], key: flags['key']?.[0] }
  const variables: Source = {
    url: read('TOLLGATE_URL'),
    key: read('TOLLGATE_KEY'),
    test_key: read('TOLLGATE_TEST_KEY'),
  }
  const named = flags['profile']?.[0] ?? read('TOLLGATE_PROFILE')
  if (typed.url !== undefined && typed.key !== undefined && named === undefined) return [typed]
  const stored: Source = { ...readProfile(terminal, named), isStored: true }
  return named === undefined ? [typed, variables, stored] : [typed, stored, variables]
}

function findKey(terminal: Terminal, flags: FlagValues, url: string): string {
  const isTest = flags['test']?.at(-1) === 'true'
  const from = sourcesOf(terminal, flags).find((source) => keyOf(source, isTest) !== undefined)
  if (from === undefined)
    throw isTest
      ? new UsageError(
          '--test needs a test key (tg_test_…).',
          `Store one with "${terminal.program} login --test-key", or set TOLLGATE_TEST_KEY.`,
        )
      : new UsageError(
          'No API key.',
          `Run "${terminal.program} login", or set TOLLGATE_KEY in the environment.`,
        )
  // Another address must not receive the stored key.
  if (from.isStored === true && url !== readUrl(from.url ?? ''))
    throw new UsageError(
      `The stored key belongs to ${from.url ?? ''}, not to ${url}.`,
      'Add --key, or store a profile for this address with "login".',
    )
  return keyOf(from, isTest) ?? ''
}

function keyOf(source: Source, isTest: boolean): string | undefined {
  if (!isTest) return source.key
  return source.test_key ?? (source.key?.startsWith(TEST_KEY) === true ? source.key : undefined)
}

function readProfile({ environment, err }: Terminal, named: string | undefined): Profile | null {
  const { current, profiles } = readProfiles(environment)
  const name = named ?? current
  if (name === null) return null
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile === undefined) {
    if (named === undefined) return null
    const names = Object.keys(profiles)
    throw new UsageError(
      `There is no profile "${named}".`,
      names.length === 0 ? 'Create one with "login".' : `Profiles: ${names.join(', ')}.`,
    )
  }
  const warning = warnOfOtherReaders(environment)
  if (warning !== null) err(`tollgate: ${warning}\n`)
  return profile
}

/** An address without a scheme gets https, and http on this machine. Throws UsageError. */
export function readUrl(text: string): string {
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$)/.test(text)
  const full = /^[a-z]+:\/\//i.test(text) ? text : `${isLocal ? 'http' : 'https'}://${text}`
  const url = URL.canParse(full) ? new URL(full) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(
      `"${text}" is not the address of a gateway.`,
      'Write it as https://gateway.example.com.',
    )
  if (url.username !== '' || url.search !== '' || url.hash !== '')
    throw new UsageError(
      'The address of a gateway has no user, "?" or "#".',
      'Write it as https://gateway.example.com.',
    )
  return url.href.replace(/\/+$/, '')
}
