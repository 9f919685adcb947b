/** Files among what a paid call brought are kept for the account, between the vendor's answer and the settlement. */
import { createHash } from 'node:crypto'
import type { Entry } from '../../catalog/index.ts'
import {
  findOutputs,
  formatPath,
  insertLink,
  type StoreOutput,
  type OutputPlace,
} from '../../catalog/vocabulary/file-field.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Id } from '../../lib/ids.ts'
import type { Owner } from '../../lib/owner.ts'

/** The call or the job that was paid for. */
export type Paid = { readonly id: Id; readonly owner: Owner }

export type Keeping = {
  /** Left out: files stay as the vendor sent them. */
  readonly keep: StoreOutput | undefined
  readonly paid: Paid
  readonly entry: Entry
  readonly withinMs: number
  /** Ends the keeping before its time. */
  readonly stopped?: AbortSignal
}
type KeepingOne = {
  readonly keep: StoreOutput
  readonly paid: Paid
  readonly entry: Entry
  readonly signal: AbortSignal
}
type Kept = { readonly place: OutputPlace; readonly link: string | null; readonly line: Data }

const AT_ONCE = 4

/** Whether the action's answers may hold files: those of all others are not even looked at. */
export function keepsOutputs({ action }: Entry): boolean {
  return action.fileFields.length > 0
}

/**
 * The answer with the gateway's own links where it held files, and `kept_files`, which tells about each. Never throws: a
 * file that could not be kept within the time stays as the vendor sent it, and its line says why.
 */
export async function keepOutputs(
  data: Data,
  { keep, paid, entry, withinMs, stopped }: Keeping,
): Promise<Data> {
  if (keep === undefined) return data
  const places = findOutputs(data, entry.action.fileFields)
  if (places.length === 0) return data
  const time = withinMs < 1 ? AbortSignal.abort() : AbortSignal.timeout(Math.trunc(withinMs))
  const keeping: KeepingOne = {
    keep,
    paid,
    entry,
    signal: stopped === undefined ? time : AbortSignal.any([time, stopped]),
  }
  const kept: Kept[] = []
  for (let from = 0; from < places.length; from += AT_ONCE) {
    kept.push(
      ...(await Promise.all(
        places.slice(from, from + AT_ONCE).map((place) => keepOne(keeping, place)),
      )),
    )
  }
  const linked = kept.reduce(
    (answer, { place, link }) => (link === null ? answer : insertLink(answer, place, link)),
    data,
  )
  return { ...linked, kept_files: kept.map(({ line }) => line) }
}

async function keepOne(
  { keep, paid, entry, signal }: KeepingOne,
  place: OutputPlace,
): Promise<Kept> {
  const { field, content } = place
  const source = `${entry.service.id}/${entry.name}`
  try {
    signal.throwIfAborted()
    const output = {
      owner: paid.owner,
      id: outputId(paid.id, formatPath(place, false)),
      filename: field.filename,
      mime: field.mime,
      source,
      content,
    }
    const {
      get_url: link,
      file_id,
      filename,
      mime,
      size,
      sha256,
      expires_at,
    } = await keep(output, signal)
    return {
      place,
      link,
      line: { field: formatPath(place, true), file_id, filename, mime, size, sha256, expires_at },
    }
  } catch (error) {
    // Once the time is up, a connection that is cut short may tell it as any other fault.
    const { code, message } = signal.aborted
      ? TOO_SLOW
      : error instanceof AppError
        ? error
        : NOT_KEPT
    return {
      place,
      link: null,
      line: {
        field: formatPath(place, false),
        file_id: null,
        error: { code, message: `${message} The field holds what the vendor sent.` },
      },
    }
  }
}

const TOO_SLOW = {
  code: 'upstream_timeout',
  message: 'The file did not come in time to be kept.',
} as const
const NOT_KEPT = { code: 'internal', message: 'The file could not be kept.' } as const

/** An id as others are, as old as the call, and the same each time: what is done again leads to the same file. */
function outputId(paidId: Id, place: string): Id {
  const digits = createHash('sha256').update(`${paidId} ${place}`).digest('hex')
  return `${paidId.slice(0, 12)}7${digits.slice(0, 3)}8${digits.slice(3, 18)}`
}
