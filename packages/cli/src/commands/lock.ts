import type { Tollgate } from '../../../sdk/src/index.ts'
import type { Command } from '../command.ts'
import { readActionName } from '../input/descriptor.ts'
import { readWhole } from '../input/read-value.ts'
import {
  lockEntry,
  relockEntry,
  type LockedDescriptor,
  type LockEntry,
} from '../lock/lock-entry.ts'
import { DEFAULT_FILE, readLock, writeLock } from '../lock/lock-file.ts'
import { table } from '../output/table.ts'
import { widthFor } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

export const FILE_FLAG = {
  value: '<path>',
  about: `the lock; default: ${DEFAULT_FILE} in this folder`,
}

export const lock: Command = {
  name: 'lock',
  summary: 'write prices, limits and schemas of actions to tollgate.lock',
  operand: {
    value: '<actions>',
    about:
      'such as core/onescrape "trends/fetch /trend"; default: all actions that are already in the lock',
    isOptional: true,
    isList: true,
  },
  flags: {
    file: FILE_FLAG,
    'max-cents': {
      value: '<cents>',
      about:
        'the most that one call of these actions may cost; default: the highest price, or the cost of the example if a count decides it',
    },
  },
  example: 'lock core/onescrape --max-cents 4',
  async run({ operands, flags }, { connect, signal, terminal }) {
    const path = flags['file']?.[0] ?? DEFAULT_FILE
    const entries = readLock(path)
    const names = operands.length > 0 ? [...new Set(operands)] : Object.keys(entries)
    if (names.length === 0)
      throw new UsageError(
        `${path} has no actions yet.`,
        `Name them: ${terminal.program} lock core/onescrape`,
      )
    const given = flags['max-cents']?.[0]
    const maxCents = given === undefined ? undefined : readWhole('max-cents', given, 0)
    const client = connect.openPublic()
    const added: Record<string, LockEntry> = {}
    for (const name of names) {
      const descriptor = await readLockedDescriptor(client, name, signal)
      const former = entries[name]
      added[name] =
        maxCents === undefined && former !== undefined
          ? relockEntry(former, descriptor)
          : lockEntry(descriptor, requireEnough(name, maxCents, descriptor))
    }
    writeLock(path, { ...entries, ...added })
    const rows = Object.entries(added).map(([name, { price, max_cents: most }]) => [
      name,
      price,
      `${most}¢`,
    ])
    return {
      data: { file: path, actions: added },
      text: `${table(['action', 'price', 'limit per call'], rows, widthFor(terminal))}\n\nWrote ${path}. Commit it, and run "${terminal.program} check" in the build.`,
    }
  },
}

/** Throws UsageError for a passthrough without its endpoint, and TollgateError for an unknown action. */
export async function readLockedDescriptor(
  client: Tollgate,
  name: string,
  signal: AbortSignal,
): Promise<LockedDescriptor> {
  const [action = '', endpoint] = name.split(' ')
  const query = endpoint === undefined ? '' : `?endpoint=${encodeURIComponent(endpoint)}`
  const path = `/api/run/${readActionName(action)}${query}` as const
  const descriptor = await client.request<LockedDescriptor>('GET', path, undefined, { signal })
  const { endpoints } = descriptor
  if (endpoints !== undefined)
    throw new UsageError(
      `${action} has ${endpoints.length} endpoints with inputs and prices of their own.`,
      `Lock each one that you use: "${action} ${endpoints[0]?.endpoint ?? '/path'}".`,
    )
  return descriptor
}

/** Throws UsageError for a limit that no call fits into. */
function requireEnough(
  name: string,
  maxCents: number | undefined,
  { price }: LockedDescriptor,
): number | undefined {
  if (maxCents === undefined || maxCents >= price.price_cents) return maxCents
  throw new UsageError(
    `--max-cents ${maxCents} is too low: a call of ${name} costs at least ${price.price_cents}¢.`,
    `Use --max-cents ${Math.ceil(price.price_cents)} or more.`,
  )
}
