/** Keys over the HTTP API. They need the primary key of the account. */
import type { Tollgate } from '../../../sdk/src/index.ts'
import type { Command, Deps } from '../command.ts'
import { readWhole } from '../input/read-value.ts'
import { dollars } from '../output/money.ts'
import { facts, table } from '../output/table.ts'
import { UsageError } from '../usage-error.ts'
import { KEY_SETTING_FLAGS, readKeySettings } from './key-settings.ts'
import { widthFor } from '../terminal.ts'

type Key = {
  readonly id: string
  readonly label: string | null
  readonly mode: string
  readonly status: string
  readonly primary: boolean
  readonly key_prefix: string
  readonly ceiling_cents: number | null
  readonly ceiling_period: string
  readonly spent_micros: number
  readonly scope: string
}
type Created = Key & { readonly key: string }
type Page = { readonly data: readonly Key[]; readonly next_cursor: string | null }

const KEYS = '/api/v1/agents'
const operand = { value: '<key>', about: 'the id of a key (agk_…)' } as const
const STORE = "Store the key now; you won't see it again."

export const keysList: Command = {
  name: 'keys list',
  summary: 'list the keys of the account and their spending',
  flags: {},
  example: 'keys list',
  async run(_, { connect, signal, terminal }) {
    const all = await readAll(connect.open(), signal)
    const rows = all.map((key) => [
      key.id,
      key.label ?? '',
      key.mode,
      `${key.status}${key.primary ? ', primary' : ''}`,
      `${key.key_prefix}…`,
      dollars(key.spent_micros),
      limitOf(key),
    ])
    return {
      data: all,
      text: table(
        ['id', 'label', 'mode', 'status', 'key', 'spent', 'limit'],
        rows,
        widthFor(terminal),
      ),
    }
  },
}

async function readAll(client: Tollgate, signal: AbortSignal): Promise<readonly Key[]> {
  const all: Key[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page: Page = await client.request<Page>('GET', `${KEYS}?limit=100${after}`, undefined, {
      signal,
    })
    all.push(...page.data)
    cursor = page.next_cursor
  }
  return all
}

function limitOf({ ceiling_cents: cents, ceiling_period: period }: Key): string {
  if (cents === null) return 'none'
  return `${dollars(cents * 10_000)} ${period === 'total' ? 'in total' : `per ${period}`}`
}

export const keysCreate: Command = {
  name: 'keys create',
  summary: 'create a key; its secret is shown once',
  flags: { ...KEY_SETTING_FLAGS, mode: { value: '<mode>', about: 'live or test; default: live' } },
  example: 'keys create --label ci --ceiling-cents 500 --ceiling-period day',
  async run({ flags }, { connect, signal }) {
    const mode = flags['mode']?.[0]
    const body = { ...readKeySettings(flags), ...(mode === undefined ? {} : { mode }) }
    const { data } = await connect
      .open()
      .request<{ readonly data: Created }>('POST', KEYS, body, { signal })
    return {
      data,
      text: `${facts([
        ['id', data.id],
        ['key', data.key],
        ['mode', data.mode],
        ['limit', limitOf(data)],
        ['scope', data.scope],
      ])}\n\n${STORE}`,
    }
  },
}

export const keysSet: Command = {
  name: 'keys set',
  summary: 'change settings of a key; "none" removes one',
  operand,
  flags: KEY_SETTING_FLAGS,
  example: 'keys set agk_0192… --ceiling-cents 700 --allow "core/*"',
  async run({ operands, flags }, deps) {
    const body = readKeySettings(flags)
    if (Object.keys(body).length === 0)
      throw new UsageError('Name at least one setting, such as --label ci.')
    return change(deps, 'PATCH', operands[0] ?? '', body)
  },
}

export const keysPause: Command = {
  name: 'keys pause',
  summary: 'reject paid calls of a key until it is resumed',
  operand,
  flags: {},
  example: 'keys pause agk_0192…',
  run: ({ operands }, deps) => change(deps, 'PATCH', operands[0] ?? '', { paused: true }),
}

export const keysResume: Command = {
  name: 'keys resume',
  summary: 'allow paid calls of a paused key again',
  operand,
  flags: {},
  example: 'keys resume agk_0192…',
  run: ({ operands }, deps) => change(deps, 'PATCH', operands[0] ?? '', { paused: false }),
}

export const keysRevoke: Command = {
  name: 'keys revoke',
  summary: 'permanently end a key',
  operand,
  flags: {},
  example: 'keys revoke agk_0192…',
  run: ({ operands }, deps) => change(deps, 'DELETE', operands[0] ?? ''),
}

async function change(
  { connect, signal }: Deps,
  method: 'PATCH' | 'DELETE',
  id: string,
  body?: object,
): Promise<{ readonly data: Key; readonly text: string }> {
  const { data } = await connect
    .open()
    .request<{ readonly data: Key }>(method, `${KEYS}/${encodeURIComponent(id)}`, body, { signal })
  return {
    data,
    text: `${data.id} (${data.label ?? data.key_prefix}) is ${data.status}; limit ${limitOf(data)}.`,
  }
}

export const keysRotate: Command = {
  name: 'keys rotate',
  summary: 'replace the secret of a key; the new one is shown once',
  operand,
  flags: {
    'grace-seconds': {
      value: '<seconds>',
      about: 'how long the former secret stays valid; default: 0',
    },
  },
  example: 'keys rotate agk_0192… --grace-seconds 3600',
  async run({ operands, flags }, { connect, signal }) {
    const grace = flags['grace-seconds']?.[0]
    const body = grace === undefined ? {} : { grace_seconds: readWhole('grace-seconds', grace, 1) }
    const path = `${KEYS}/${encodeURIComponent(operands[0] ?? '')}/rotate` as const
    const { data } = await connect
      .open()
      .request<{ readonly data: Created }>('POST', path, body, { signal })
    return {
      data,
      text: `${facts([
        ['id', data.id],
        ['key', data.key],
      ])}\n\n${STORE}`,
    }
  },
}
