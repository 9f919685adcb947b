import { AppError } from '../../errors/app-error.ts'
import { parsePublicId, type Id } from '../../lib/ids.ts'
import { findCall, type CallReader, type CallState } from '../find-call.ts'
import { readBodies, type StoredBodies } from '../bodies/stored-bodies.ts'
import type { CallName } from '../stored-answers.ts'
import { seenBy } from '../transaction-filter.ts'
import type { CallRecord } from './call-record.ts'
import { listCalls } from './list-calls.ts'

/** The state of a call with its facts; `call` is null while nothing is known about it. */
export type CallDetail = CallState & {
  readonly call: CallRecord | null
  /** Stored if the account turned this on. */
  readonly bodies: StoredBodies | null
}

/** As `findCall`, also for calls that are only in the call log. Throws AppError unknown_transaction. */
export async function readCall(reader: CallReader, name: CallName): Promise<CallDetail> {
  const { state, call } = await readState(reader, name)
  const id = call?.id == null ? null : parsePublicId('request', call.id)
  const bodies = id === null ? null : await readBodies(reader.database, reader.walletId, id)
  return { ...state, call, bodies }
}

type Found = { readonly state: CallState; readonly call: CallRecord | null }

async function readState(reader: CallReader, name: CallName): Promise<Found> {
  if (!('id' in name)) {
    const state = await findCall(reader, name)
    const id = state.request_id === null ? null : parsePublicId('request', state.request_id)
    return { state, call: id === null ? null : await findById(reader, id) }
  }
  const [call, state] = await Promise.all([
    findById(reader, name.id),
    findCall(reader, name).catch((error: unknown) => error),
  ])
  if (!(state instanceof Error)) return { state: state as CallState, call }
  if (call === null || !(state instanceof AppError) || state.code !== 'unknown_transaction')
    throw state
  return { state: stateOfLogged(call), call }
}

async function findById(
  { database, owner, walletId }: CallReader,
  id: Id,
): Promise<CallRecord | null> {
  const { calls } = await listCalls(database, {
    walletId,
    filter: { id, ...seenBy(owner) },
    cursor: null,
    limit: 1,
  })
  return calls.find((call) => call.omitted === 0) ?? null
}

function stateOfLogged({ id, created_at, error }: CallRecord): CallState {
  return {
    state: error === null ? 'answered' : 'uncharged',
    request_id: id,
    transaction_id: null,
    created_at,
    charged_micros: 0,
    error_code: error?.code ?? null,
    answer: null,
    answer_stored_until: null,
  }
}
