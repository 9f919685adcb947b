/** The parts that all commands of keys share. */
import type { KeyDeps } from '../../../keys/key-deps.ts'
import type { KeyRecord, KeyWithSecret } from '../../../keys/key-record.ts'
import { formatDollars } from '../../../lib/money.ts'
import type { KeyPage, KeyPageRequest } from '../../../keys/list-keys.ts'
import type { Report, Tools } from '../command.ts'
import { columns, facts } from '../show.ts'
import { limitOf, settingFacts } from './key-flags.ts'

export const keyOperand = { value: '<key>', about: 'key ID (agk_…)' } as const

// The database notifies running gateways of a change. This process caches no keys.
export async function openKeys(tools: Tools): Promise<KeyDeps> {
  const database = await tools.database()
  return { database, now: tools.now, forget: () => {} }
}

/** All pages of a list of keys. */
export async function readAllKeys(
  readPage: (page: KeyPageRequest) => Promise<KeyPage>,
): Promise<readonly KeyRecord[]> {
  const all: KeyRecord[] = []
  for (let cursor: string | null = null, isMore = true; isMore;) {
    const page = await readPage({ limit: 100, cursor })
    all.push(...page.keys)
    cursor = page.nextCursor
    isMore = cursor !== null
  }
  return all
}

export function reportNewKey(created: KeyWithSecret): Report {
  return {
    data: created,
    text: `${facts([
      ['id', created.id],
      ['key', created.key],
      ...settingFacts(created),
    ])}\n\nStore the key now; you won't see it again.`,
  }
}

export function listOfKeys(keys: readonly KeyRecord[]): string {
  const rows = keys.map((key) => [
    key.id,
    key.label ?? '',
    statusOf(key),
    `${key.key_prefix}…`,
    formatDollars(BigInt(key.spent_micros)),
    limitOf(key),
    key.scope,
    key.last_used_at === null ? 'never' : toTheMinute(key.last_used_at),
  ])
  return columns(['id', 'label', 'status', 'key', 'spent', 'limit', 'scope', 'last used'], rows)
}

function statusOf({ status, primary, former_key_valid_until: until }: KeyRecord): string {
  return [
    status,
    ...(primary ? ['primary'] : []),
    ...(until === null ? [] : [`former secret until ${toTheMinute(until)}`]),
  ].join(', ')
}

/** Removes the seconds of a time in UTC. */
function toTheMinute(time: string): string {
  return time.slice(0, 16)
}
