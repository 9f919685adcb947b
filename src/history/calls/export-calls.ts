import { csvLine } from '../../lib/csv.ts'
import type { HistoryDatabase } from '../histories.ts'
import { listCalls, type CallPageRequest } from './list-calls.ts'
import type { CallRecord } from './call-record.ts'

const ROWS_PER_READ = 1000

const COLUMNS = [
  'id',
  'created_at',
  'charge',
  'http_status',
  'surface',
  'service',
  'action',
  'agent_id',
  'external_id',
  'duration_ms',
  'held_micros',
  'charged_micros',
  'replayed',
  'transaction_id',
  'price_id',
  'omitted',
] as const satisfies readonly (keyof CallRecord)[]
const ERROR_COLUMNS = ['code', 'message', 'param', 'fix'] as const

/** All matching calls as CSV, newest first. Reads at most one page ahead of the consumer. */
export async function* exportCalls(
  database: HistoryDatabase,
  request: Omit<CallPageRequest, 'cursor' | 'limit'>,
): AsyncGenerator<string> {
  yield csvLine([...COLUMNS, ...ERROR_COLUMNS.map((name) => `error_${name}`)])
  let cursor: string | null = null
  do {
    const page = await listCalls(database, { ...request, cursor, limit: ROWS_PER_READ })
    if (page.calls.length > 0) yield page.calls.map(csvRow).join('')
    cursor = page.nextCursor
  } while (cursor !== null)
}

function csvRow(call: CallRecord): string {
  return csvLine([
    ...COLUMNS.map((column) => call[column]),
    ...ERROR_COLUMNS.map((name) => call.error?.[name] ?? null),
  ])
}
