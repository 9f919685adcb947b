import type { Database } from '../../db/database.ts'
import type { LoggedCall, OmittedCalls } from './logged-call.ts'

// Enough for every message of the catalog with a quoted value.
const LONGEST_TEXT = 600
const LONGEST_NAME = 200

const COLUMNS = `wallet_id bigint, id uuid, budget_id uuid, surface text, service text, action text, external_id text, http_status smallint,
  error_code text, message text, param text, fix text, replayed boolean, charged boolean, duration_ms integer, omitted integer`
const NAMES = COLUMNS.replaceAll(/ (?:bigint|uuid|text|smallint|boolean|integer)\b/g, '')

/** Writes one batch in one statement. A repeated batch changes nothing; a count only grows. */
export async function writeCalls(
  database: Pick<Database, 'query'>,
  calls: readonly LoggedCall[],
  omitted: readonly OmittedCalls[],
): Promise<void> {
  // One statement updates no row twice. A request whose answer could not be sent is logged twice.
  const rows = new Map<string, object>([
    ...calls.map((call) => [`${call.walletId} ${call.id}`, rowOf(call)] as const),
    ...omitted.map((one) => [`${one.walletId} ${one.id}`, rowOfOmitted(one)] as const),
  ])
  if (rows.size === 0) return
  await database.query(
    `insert into call_log (${NAMES}) select ${NAMES} from json_to_recordset($1::json) as rows (${COLUMNS}) 
     on conflict (wallet_id, id) do update set omitted = excluded.omitted where call_log.omitted < excluded.omitted`,
    [JSON.stringify([...rows.values()])],
    'write_call_log',
  )
}

function rowOf(call: LoggedCall): object {
  const { error } = call
  return {
    wallet_id: call.walletId,
    id: call.id,
    budget_id: call.keyId,
    surface: call.surface,
    service: storable(call.service, LONGEST_NAME),
    action: storable(call.action, LONGEST_NAME),
    external_id: storable(call.externalId, LONGEST_NAME),
    http_status: call.httpStatus,
    error_code: error?.code ?? null,
    message: storable(error?.message ?? null, LONGEST_TEXT),
    param: storable(error?.param ?? null, LONGEST_NAME),
    fix: storable(error?.fix ?? null, LONGEST_TEXT),
    replayed: call.isReplayed,
    charged: call.isCharged,
    duration_ms: Math.round(call.durationMs),
    omitted: 0,
  }
}

function rowOfOmitted(omitted: OmittedCalls): object {
  return {
    wallet_id: omitted.walletId,
    id: omitted.id,
    budget_id: omitted.keyId,
    surface: omitted.surface,
    service: storable(omitted.service, LONGEST_NAME),
    action: storable(omitted.action, LONGEST_NAME),
    external_id: storable(omitted.externalId, LONGEST_NAME),
    http_status: omitted.httpStatus,
    error_code: omitted.code,
    replayed: false,
    charged: false,
    duration_ms: 0,
    omitted: omitted.count,
  }
}

/** PostgreSQL stores no NUL, and JSON no half of a surrogate pair. */
function storable(text: string | null, most: number): string | null {
  if (text === null) return null
  const clean = text.replaceAll('\0', '').toWellFormed()
  return clean.length <= most ? clean : `${clean.slice(0, most - 1).toWellFormed()}…`
}
