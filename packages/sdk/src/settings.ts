import { systemClock, type Clock } from './clock.ts'
import type { PriceLock } from './price-lock.ts'
import { TollgateError } from './tollgate-error.ts'

export type TollgateSettings = {
  /** The secret of a key (tg_live_… or tg_test_…). Default: TOLLGATE_KEY of the environment. */
  readonly key?: string | undefined
  /** The address of the gateway. Default: TOLLGATE_URL of the environment. */
  readonly url?: string | undefined
  /** The most time of one call with all its retries. Default: 5 minutes. */
  readonly timeoutMs?: number
  /** The most retries of one call. Waiting for a call in progress is not counted. Default: 4. */
  readonly retries?: number
  /** The parsed content of tollgate.lock. Calls above a locked price are not sent. */
  readonly lock?: PriceLock
  /** Records calls, and replays them for free. The default of `mode` is "auto". */
  readonly cassette?: string | Cassette | undefined
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** For tests. */
  readonly clock?: Clock
}

export type Cassette = {
  readonly name: string
  readonly mode?: 'auto' | 'record' | 'replay'
}

export type Settings = Required<Omit<TollgateSettings, 'key' | 'url' | 'lock' | 'cassette'>> & {
  readonly key: string
  readonly url: string
  /** The header that names the cassette; null without one. */
  readonly cassette: string | null
}

const DEFAULT_TIMEOUT_MS = 300_000
const DEFAULT_RETRIES = 4

/** Throws TollgateError invalid_settings. */
export function readSettings(given: TollgateSettings): Settings {
  if (given.lock !== undefined) requireLock(given.lock)
  return {
    key: given.key ?? environment('TOLLGATE_KEY') ?? missing('key', 'TOLLGATE_KEY'),
    url: readUrl(given.url ?? environment('TOLLGATE_URL') ?? missing('url', 'TOLLGATE_URL')),
    timeoutMs: given.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    retries: given.retries ?? DEFAULT_RETRIES,
    cassette: readCassette(given.cassette),
    // A browser rejects `fetch` as a method of another object.
    fetch: given.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    clock: given.clock ?? systemClock,
  }
}

function requireLock(lock: { readonly actions?: unknown } | null): void {
  if (typeof lock?.actions === 'object' && lock.actions !== null) return
  throw new TollgateError({
    code: 'invalid_settings',
    message: 'The lock is not the content of a tollgate.lock.',
    fix: "Pass the parsed file: lock: JSON.parse(await readFile('tollgate.lock', 'utf8')).",
  })
}

/** Undefined where no environment exists, as in a browser. */
function environment(name: string): string | undefined {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> }
  }
  return process?.env?.[name] || undefined
}

function readCassette(given: string | Cassette | undefined): string | null {
  const { name, mode = 'auto' } = typeof given === 'object' ? given : { name: given }
  return name === undefined ? null : `${name}; mode=${mode}`
}

function readUrl(url: string): string {
  if (/^https?:\/\/[^/?#]+[^?#]*$/.test(url)) return url.replace(/\/+$/, '')
  throw new TollgateError({
    code: 'invalid_settings',
    message: `"${url}" is not the address of a gateway.`,
    fix: 'Set url to an http or https address, such as "https://gateway.example.com".',
  })
}

function missing(setting: string, variable: string): never {
  throw new TollgateError({
    code: 'invalid_settings',
    message: `The ${setting} is missing.`,
    fix: `Use new Tollgate({ ${setting}: … }), or set ${variable} in the environment.`,
  })
}
