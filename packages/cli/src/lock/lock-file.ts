/** tollgate.lock: sorted JSON for version control. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { UsageError } from '../usage-error.ts'
import type { LockEntry } from './lock-entry.ts'
import { sortKeys } from './lock-schema.ts'

/** By "service/action", or "service/action /endpoint" for an endpoint of a passthrough. */
export type LockEntries = Readonly<Record<string, LockEntry>>

export const DEFAULT_FILE = 'tollgate.lock'
const VERSION = 1

/** Empty for a missing file. Throws UsageError for a file that is not a lock. */
export function readLock(path: string): LockEntries {
  if (!existsSync(path)) return {}
  const content = parse(path)
  const { version, actions } = (content ?? {}) as { version?: unknown; actions?: unknown }
  if (version !== VERSION || typeof actions !== 'object' || actions === null)
    throw new UsageError(
      `${path} is not a lock of version ${VERSION}.`,
      'Delete it and create it again with "lock".',
    )
  return actions as LockEntries
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown
  } catch (error) {
    throw new UsageError(
      `${path} is not JSON: ${(error as Error).message}`,
      'Resolve conflicts in it, or restore it from version control.',
    )
  }
}

export function writeLock(path: string, entries: LockEntries): void {
  writeFileSync(
    path,
    `${JSON.stringify({ version: VERSION, actions: sortKeys(entries) }, null, 2)}\n`,
  )
}
