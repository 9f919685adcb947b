import { Tollgate } from '../../../sdk/src/index.ts'
import type { Command, Deps } from '../command.ts'
import { maskKey, readProfiles, writeProfiles, type Profile } from '../connect/profiles.ts'
import type { FlagValues } from '../input/read-words.ts'
import { facts } from '../output/table.ts'
import { UsageError } from '../usage-error.ts'

const USUAL_NAME = 'default'
const KEY = /^tg_(live|test)_[0-9A-Za-z]+$/

type Me = {
  readonly data: {
    readonly mode: string
    readonly label: string | null
    readonly key_prefix: string
  }
}

export const login: Command = {
  name: 'login',
  summary: 'store the address of a gateway and a key, and select them',
  flags: {
    name: { value: '<name>', about: `the name of the profile; default: ${USUAL_NAME}` },
    'test-key': { value: '<key>', about: 'also store a test key, for --test' },
  },
  example: 'login --url https://gateway.example.com --name work',
  async run({ flags }, deps) {
    const { terminal, connect, signal } = deps
    const name = readName(flags['name']?.[0] ?? flags['profile']?.[0] ?? USUAL_NAME)
    const url = connect.address().url
    const key = await readKey(flags, deps)
    const testKey = flags['test-key']?.[0]
    if (testKey !== undefined) requireKey(testKey, 'test')
    const me = await checkKey(url, key, signal)
    if (testKey !== undefined) await checkKey(url, testKey, signal)
    const profile: Profile = { url, key, ...(testKey === undefined ? {} : { test_key: testKey }) }
    const { profiles } = readProfiles(terminal.environment)
    const path = writeProfiles(terminal.environment, {
      current: name,
      profiles: { ...profiles, [name]: profile },
    })
    const shown = { profile: name, url, key_prefix: me.key_prefix, mode: me.mode, path }
    return {
      data: shown,
      text: facts([
        ['profile', name],
        ['gateway', url],
        ['key', `${maskKey(key)} (${me.mode}${me.label === null ? '' : `, ${me.label}`})`],
        ...(testKey === undefined ? [] : [['test key', maskKey(testKey)] as const]),
        ['stored in', path],
      ]),
    }
  },
}

function readName(name: string): string {
  if (/^[\w.-]{1,64}$/.test(name)) return name
  throw new UsageError('The name of a profile has only letters, digits, ".", "_" and "-".')
}

/** From --key, a pipe, the keyboard, or TOLLGATE_KEY. */
async function readKey(flags: FlagValues, { terminal, connect }: Deps): Promise<string> {
  const typed =
    flags['key']?.[0] ??
    (await terminal.readSecret(`API key for ${connect.address().url}: `)) ??
    (await terminal.readInput()) ??
    ''
  const key = typed.trim() || terminal.environment['TOLLGATE_KEY'] || ''
  if (key === '')
    throw new UsageError(
      'No key was given.',
      `Type it, pipe it, or set TOLLGATE_KEY: ${terminal.program} login < key.txt`,
    )
  requireKey(key, null)
  return key
}

/** The message does not repeat the text: it can be a key with a typo. */
function requireKey(key: string, mode: 'test' | null): void {
  const found = KEY.exec(key)?.[1]
  if (found === undefined || (mode !== null && found !== mode))
    throw new UsageError(
      mode === null ? 'This is not a key of a gateway.' : 'This is not a test key of a gateway.',
      mode === null ? 'Keys begin with tg_live_ or tg_test_.' : 'Test keys begin with tg_test_.',
    )
}

/** Throws TollgateError for a key that the gateway rejects. */
async function checkKey(url: string, key: string, signal: AbortSignal): Promise<Me['data']> {
  const client = new Tollgate({ url, key, retries: 1 })
  return (await client.request<Me>('GET', '/api/v1/agents/me', undefined, { signal })).data
}
