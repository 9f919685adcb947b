/** Snapshots of compute sessions: the disk of an open machine, saved under an id that later sessions start from. */
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { local, params, type Action } from '../../catalog/vocabulary/define.ts'
import { optional, text } from '../../catalog/vocabulary/fields.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { flat, free } from '../../catalog/vocabulary/tariff.ts'

const LONGEST_ID = 200
/** On one line and not blank. */
const ONE_LINE = { pattern: String.raw`^\P{Cc}*[^\p{Cc}\s]\P{Cc}*$` }

export const snapshotToStartFrom = text(
  'A snapshot_id that boxd/snapshot answered: the machine starts with its files and installs. Not together with template. Its envs are those of this call.',
  LONGEST_ID,
)

/** A machine starts from a template or from a snapshot. */
export function requireOneStart({ template, snapshot_id: snapshot }: Data): void {
  if (template !== undefined && snapshot !== undefined)
    throw new AppError('invalid_params', '"template" and "snapshot_id" cannot be combined.', {
      param: 'snapshot_id',
      fix: 'Leave out "template": a snapshot brings its own system.',
    })
}

/** Of the service with this id, whose handlers have names that begin with it. */
export function snapshotActions(service: string): Readonly<Record<string, Action>> {
  const example = { snapshot_id: 'snap_019a0000000070008000000000000000' }
  return {
    snapshot: local({
      summary: 'Save the disk of an open session as a snapshot that other sessions can start from.',
      description: `Files and installs are saved; running programs, memory and envs are not. The session stays open and metered meanwhile. Start one or many sessions from it with ${service}/create_session {"snapshot_id": …}, also after this session is closed. A snapshot is deleted seven days after it was taken; an account keeps at most ten. It can take minutes for a large disk. If it fails, or the session is closed meanwhile, nothing is charged.`,
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
        session_id: text(`The session_id that ${service}/create_session answered.`, LONGEST_ID),
        name: optional(text('A name to recognize it by in the list.', 100, ONE_LINE)),
      }),
      example: { session_id: 'ses_019a0000000070008000000000000000', name: 'deps installed' },
      exampleNeeds: ['session_id'],
      price: flat(cents('5')),
      priceSource:
        'Own price, 2026-11: a gigabyte for seven days at the vendor’s disk rate of $0.00034 per GB-hour.',
      timeoutMs: 300_000,
      handler: `${service}.snapshot`,
      atVendor: true,
    }),
    list_snapshots: local({
      summary:
        'List the snapshots of the account, newest first, with the time at which each is deleted.',
      keywords: ['my snapshots', 'find snapshot', 'saved machines'],
      input: params({}),
      example: {},
      price: free,
      timeoutMs: 5_000,
      handler: `${service}.list_snapshots`,
      atVendor: true,
    }),
    delete_snapshot: local({
      summary: 'Delete a snapshot before its seven days are over.',
      description: 'Sessions that were started from it stay open.',
      keywords: ['remove snapshot', 'free snapshot'],
      input: params({
        snapshot_id: text(
          `The snapshot_id that ${service}/snapshot answered, or one of ${service}/list_snapshots.`,
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
