import type { Database } from '../../db/database.ts'
import type { LoggedCall, OmittedCalls } from './logged-call.ts'

// Enough for every message of the catalog with a quoted value.
const LONGEST_TEXT = 600
const LONGEST_NAME = 200

const COLUMNS = `wallet_id bigint, id uuid, budget_id uuid, surface text, service text, action text, external_id text, http_status smallint,
  error_code text, message text, param text, fix text, replayed boolean, charged boolean, duration_ms integer, omitted integer`
const NAMES = COLUMNS.replaceAll(/ (?:bigint|uuid|text|smallint|boolean|integer)\b/g, '')

/** Writes one batch in one statement. A repeated batch changes nothing. */
export async function writeCalls(
  database: Pick<Database, 'query'>,
  calls: readonly LoggedCall[],
  omitted: readonly OmittedCalls[],
): Promise<void> {
  const rows = [...calls.map(rowOf), ...omitted.map(rowOfOmitted)]
  if (rows.length === 0) return
  await database.query(
    `insert into call_log (${NAMES}) select ${NAMES} from json_to_recordset($1::json) as rows (${COLUMNS}) on conflict do nothing`,
    [JSON.stringify(rows)],
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

function rowOfOmitted({ id, walletId, keyId, code, httpStatus, count }: OmittedCalls): object {
  return {
    wallet_id: walletId,
    id,
    budget_id: keyId,
    surface: 'api',
    http_status: httpStatus,
    error_code: code,
    replayed: false,
    charged: false,
    duration_ms: 0,
    omitted: count,
  }
}

/** PostgreSQL stores no NUL, and JSON no half of a surrogate pair. */
function storable(text: string | null, most: number): string | null {
  if (text === null) return null
  const clean = text.replaceAll('\0', '').toWellFormed()
  return clean.length <= most ? clean : `${clean.slice(0, most - 1).toWellFormed()}…`
}
