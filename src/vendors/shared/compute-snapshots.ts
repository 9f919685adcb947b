/**
 * Snapshots of compute sessions: the saved disk of an open machine, from which later sessions
 * start.
 */
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { local, params, type Action } from '../../catalog/vocabulary/define.ts'
import { optional, text } from '../../catalog/vocabulary/fields.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { flat, free } from '../../catalog/vocabulary/tariff.ts'

const LONGEST_ID = 200
/** One line, not blank. */
const ONE_LINE = { pattern: String.raw`^\P{Cc}*[^\p{Cc}\s]\P{Cc}*$` }

export const snapshotToStartFrom = text(
  'A snapshot_id from boxd/snapshot. The machine starts with the files and installations of the snapshot, and with the envs of this call. Excludes template.',
  LONGEST_ID,
)

/** A machine starts from a template or from a snapshot. */
export function requireOneStart({ template, snapshot_id: snapshot }: Data): void {
  if (template !== undefined && snapshot !== undefined)
    throw new AppError('invalid_params', '"template" and "snapshot_id" cannot be combined.', {
      param: 'snapshot_id',
      fix: 'Remove "template": a snapshot contains its own system.',
    })
}

/** The handlers' names begin with the service's id. */
export function snapshotActions(service: string): Readonly<Record<string, Action>> {
  const example = { snapshot_id: 'snap_019a0000000070008000000000000000' }
  return {
    snapshot: local({
      title: 'Save a session snapshot',
      summary: 'Save the disk of an open session as a snapshot that other sessions can start from.',
      description: `Saves files and installations, but no running programs, memory or envs. The session stays open and metered. Start one or more sessions from the snapshot with ${service}/create_session {"snapshot_id": …}, also after this session is closed. A snapshot is deleted after seven days, and an account has at most ten. A large disk can take minutes. If the snapshot fails or the session closes in the meantime, nothing is charged.`,
      keywords: [
        'save machine',
        'checkpoint',
        'snapshot disk',
        'suspend',
        'pause machine',
        'clone machine',
        'fork session',
        'back up session',
      ],
      input: params({
        session_id: text(`The session_id that ${service}/create_session returned.`, LONGEST_ID),
        name: optional(text('A name that identifies the snapshot in the list.', 100, ONE_LINE)),
      }),
      example: { session_id: 'ses_019a0000000070008000000000000000', name: 'deps installed' },
      exampleNeeds: ['session_id'],
      price: flat(cents('5')),
      priceSource:
        'Own price, 2026-11: one gigabyte for seven days at the vendor’s disk rate of $0.00034 per GB-hour.',
      timeoutMs: 300_000,
      handler: `${service}.snapshot`,
      atVendor: true,
    }),
    list_snapshots: local({
      title: 'List session snapshots',
      summary: 'List the snapshots of the account, newest first, with the time of deletion.',
      keywords: ['my snapshots', 'find snapshot', 'saved machines'],
      input: params({}),
      example: {},
      price: free,
      timeoutMs: 5_000,
      handler: `${service}.list_snapshots`,
      atVendor: true,
    }),
    delete_snapshot: local({
      title: 'Delete a session snapshot',
      summary: 'Delete a snapshot before its seven days are over.',
      description: 'Sessions that started from it stay open.',
      keywords: ['remove snapshot', 'free snapshot'],
      input: params({
        snapshot_id: text(
          `The snapshot_id that ${service}/snapshot or ${service}/list_snapshots returned.`,
          LONGEST_ID,
        ),
      }),
      example,
      exampleNeeds: ['snapshot_id'],
      price: free,
      timeoutMs: 5_000,
      handler: `${service}.delete_snapshot`,
      atVendor: true,
    }),
  }
}
