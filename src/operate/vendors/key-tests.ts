import type { Database } from '../../db/database.ts'

/** `status`: the vendor's HTTP status, or null when there was no response. */
export type KeyVerdict =
  | { readonly kind: 'accepted' | 'no-free-request' }
  | { readonly kind: 'refused' | 'unclear' | 'unpaid'; readonly status: number }
  | { readonly kind: 'unreachable'; readonly status: number | null; readonly origin: string }

/** The last test of a service's key, by any process. */
export type KeyTest = {
  readonly service: string
  readonly verdict: KeyVerdict['kind']
  readonly status: number | null
  readonly tookMs: number
  readonly testedMs: number
  /** Since when the tests have had this verdict. */
  readonly sinceMs: number
}

export async function readKeyTests({
  query,
}: Pick<Database, 'query'>): Promise<readonly KeyTest[]> {
  const { rows } = await query<{
    service: string
    verdict: KeyVerdict['kind']
    status: number | null
    took_ms: number
    tested_ms: bigint
    since_ms: bigint
  }>(
    'select service, verdict, status, took_ms, tested_ms, since_ms from vendor_key_tests order by service',
  )
  return rows.map((row) => ({
    service: row.service,
    verdict: row.verdict,
    status: row.status,
    tookMs: row.took_ms,
    testedMs: Number(row.tested_ms),
    sinceMs: Number(row.since_ms),
  }))
}

export async function storeKeyTest(
  { query }: Pick<Database, 'query'>,
  test: { readonly service: string; readonly verdict: KeyVerdict; readonly tookMs: number },
  nowMs: number,
): Promise<void> {
  const { service, verdict, tookMs } = test
  await query(
    `insert into vendor_key_tests as last (service, verdict, status, took_ms, tested_ms, since_ms) values ($1, $2, $3, $4, $5, $5)
     on conflict (service) do update set verdict = $2, status = $3, took_ms = $4, tested_ms = $5,
       since_ms = case when last.verdict = $2 then last.since_ms else $5 end`,
    [service, verdict.kind, 'status' in verdict ? verdict.status : null, tookMs, nowMs],
  )
}
