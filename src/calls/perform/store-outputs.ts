/** Stores the files of a paid answer in the account, after the vendor's reply and before the settlement. */
import type { Entry } from '../../catalog/index.ts'
import {
  findOutputs,
  formatPath,
  insertLink,
  replaceFile,
  type OutputPlace,
  type StoreOutput,
} from '../../catalog/vocabulary/file-field.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'
import { derivedId, type Id } from '../../lib/ids.ts'
import type { Owner } from '../../lib/owner.ts'

/** The paid call or job. */
export type Paid = { readonly id: Id; readonly owner: Owner }

export type StoreOptions = {
  /** Without it the answer contains what the vendor sent. */
  readonly store: StoreOutput | undefined
  readonly paid: Paid
  readonly entry: Entry
  readonly limitMs: number
  /** Ends the work before its time limit. */
  readonly stopped?: AbortSignal
}
type StoreOne = Pick<StoreOptions, 'paid' | 'entry'> & {
  readonly store: StoreOutput
  readonly signal: AbortSignal
}
type Stored = { readonly place: OutputPlace; readonly link: string | null; readonly line: Data }

const CONCURRENCY = 4

/** Whether answers of the action can contain files. */
export function hasFileFields({ action }: Entry): boolean {
  return action.fileFields.length > 0
}

/**
 * Replaces the files of an answer with links of the gateway and adds `kept_files`, which describes each.
 * Never throws: a file that cannot be stored in time stays as the vendor sent it, and its line has the error.
 */
export async function storeOutputs(
  data: Data,
  { store, paid, entry, limitMs, stopped }: StoreOptions,
): Promise<Data> {
  const places = findOutputs(data, entry.action.fileFields)
  if (store === undefined) return withoutTemporary(data, places)
  if (places.length === 0) return data
  const limit = limitMs < 1 ? AbortSignal.abort() : AbortSignal.timeout(Math.trunc(limitMs))
  const signal = stopped === undefined ? limit : AbortSignal.any([limit, stopped])
  const stored: Stored[] = []
  for (let from = 0; from < places.length; from += CONCURRENCY) {
    const some = places.slice(from, from + CONCURRENCY)
    stored.push(
      ...(await Promise.all(some.map((place) => storeOne({ store, paid, entry, signal }, place)))),
    )
  }
  const linked = stored.reduce(insertStored, data)
  const kept = stored.filter(({ place }) => place.field.isTemporary !== true)
  return kept.length === 0 ? linked : { ...linked, kept_files: kept.map(({ line }) => line) }
}

function insertStored(answer: Data, { place, link, line }: Stored): Data {
  if (place.field.isTemporary !== true)
    return link === null ? answer : insertLink(answer, place, link)
  const { file_id, size, expires_at, error } = line
  return replaceFile(
    answer,
    place.path,
    link === null ? { file_id: null, error } : { file_id, size, get_url: link, expires_at },
  )
}

function withoutTemporary(data: Data, places: readonly OutputPlace[]): Data {
  return places
    .filter(({ field }) => field.isTemporary === true)
    .reduce((answer, { path }) => replaceFile(answer, path, { file_id: null }), data)
}

async function storeOne(
  { store, paid, entry, signal }: StoreOne,
  place: OutputPlace,
): Promise<Stored> {
  const { field, content } = place
  try {
    signal.throwIfAborted()
    const output = {
      owner: paid.owner,
      // A repeated attempt replaces the file.
      id: derivedId(paid.id, formatPath(place, false)),
      filename: field.filename,
      mime: field.mime,
      source: `${entry.service.id}/${entry.name}`,
      content,
      ...(field.isTemporary === true ? { isTemporary: true } : {}),
    }
    const { get_url, file_id, filename, mime, size, sha256, expires_at } = await store(
      output,
      signal,
    )
    return {
      place,
      link: get_url,
      line: { field: formatPath(place, true), file_id, filename, mime, size, sha256, expires_at },
    }
  } catch (error) {
    // After the time limit, a closed connection can appear as any other error.
    const { code, message } = signal.aborted
      ? TOO_SLOW
      : error instanceof AppError
        ? error
        : NOT_STORED
    return {
      place,
      link: null,
      line: {
        field: formatPath(place, false),
        file_id: null,
        error: {
          code,
          message:
            field.isTemporary === true
              ? message
              : `${message} The field contains what the vendor sent.`,
        },
      },
    }
  }
}

const TOO_SLOW = {
  code: 'upstream_timeout',
  message: 'The file did not arrive in time to be stored.',
} as const
const NOT_STORED = { code: 'internal', message: 'The file could not be stored.' } as const
