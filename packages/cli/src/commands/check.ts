import { TollgateError, type Tollgate } from '../../../sdk/src/index.ts'
import type { Command } from '../command.ts'
import { isOn } from '../deps.ts'
import type { Change } from '../lock/compare-schema.ts'
import { compareEntry, type LockEntry } from '../lock/lock-entry.ts'
import { DEFAULT_FILE, readLock } from '../lock/lock-file.ts'
import { UsageError } from '../usage-error.ts'
import { FILE_FLAG, readLockedDescriptor } from './lock.ts'

type Drift = Change & { readonly action: string }

/** The action, or its endpoint, no longer exists. */
const GONE = ['unknown_service', 'unknown_action', 'not_found']

export const check: Command = {
  name: 'check',
  summary: 'compare tollgate.lock with the gateway; exit code 1 if a price or a schema changed',
  flags: {
    file: FILE_FLAG,
    'allow-compatible': { about: 'accept changes with which the program still works' },
  },
  example: 'check --allow-compatible',
  async run({ flags }, { connect, signal, terminal }) {
    const path = flags['file']?.[0] ?? DEFAULT_FILE
    const entries = Object.entries(readLock(path))
    if (entries.length === 0)
      throw new UsageError(
        `${path} has no actions.`,
        `Create it: ${terminal.program} lock core/onescrape`,
      )
    const client = connect.openPublic()
    const drift: Drift[] = []
    for (const [action, locked] of entries)
      for (const change of await findChanges(client, action, locked, signal))
        drift.push({ action, ...change })
    const breaking = drift.filter(({ isBreaking }) => isBreaking).length
    const isAccepted = breaking === 0 && isOn(flags, 'allow-compatible')
    if (drift.length > 0 && !isAccepted)
      throw new TollgateError({
        code: 'lock_drift',
        message: `${textOf(drift)}\n${summaryOf(drift.length, breaking, path)}`,
        fix: `Adapt the program if it is affected, then run "${terminal.program} lock" to accept the changes.`,
        details: { changes: drift.map(asData) },
      })
    const state = drift.length === 0 ? 'has not changed' : 'has only compatible changes'
    return {
      data: { file: path, actions: entries.length, changes: drift.map(asData) },
      text: `${drift.length === 0 ? '' : `${textOf(drift)}\n`}${path}: ${entries.length === 1 ? 'its action' : `each of ${entries.length} actions`} ${state}.`,
    }
  },
}

async function findChanges(
  client: Tollgate,
  action: string,
  locked: LockEntry,
  signal: AbortSignal,
): Promise<readonly Change[]> {
  try {
    return compareEntry(locked, await readLockedDescriptor(client, action, signal))
  } catch (error) {
    if (error instanceof TollgateError && GONE.includes(error.code))
      return [{ what: 'removed from the catalog', isBreaking: true }]
    throw error
  }
}

function asData({ action, what, isBreaking }: Drift): object {
  return { action, change: what, compatible: !isBreaking }
}

function textOf(drift: readonly Drift[]): string {
  const actions = [...new Set(drift.map(({ action }) => action))]
  return actions
    .map((action) =>
      [
        action,
        ...drift
          .filter((change) => change.action === action)
          .map(({ what, isBreaking }) => `  ${isBreaking ? 'breaking  ' : 'compatible'}  ${what}`),
      ].join('\n'),
    )
    .join('\n')
}

function summaryOf(count: number, breaking: number, path: string): string {
  return `${count} ${count === 1 ? 'change' : 'changes'} since ${path} was written, ${breaking} breaking.`
}
