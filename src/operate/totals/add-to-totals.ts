import { HOUR_MS } from '../../lib/clock.ts'

/**
 * The statements of a WITH query that add the transactions of the query `found` to the three tables. It has the columns of
 * `transactions` and the mode.
 */
export function addToTotals(found: string): string {
  return `wallet as (
    insert into wallet_days as total (day, wallet_id, kind, transactions, failed, amount_micros)
    select day, wallet_id, kind, count(*), count(*) filter (where status = 'released'), sum(amount_micros)
    from ${found} group by day, wallet_id, kind
    on conflict (day, wallet_id, kind) do update set transactions = total.transactions + excluded.transactions,
      failed = total.failed + excluded.failed, amount_micros = total.amount_micros + excluded.amount_micros
  ), services as (
    insert into service_days as total (day, mode, service, kind, transactions, failed, amount_micros)
    select day, mode, coalesce(service, ''), kind, count(*), count(*) filter (where status = 'released'), sum(amount_micros)
    from ${found} group by day, mode, coalesce(service, ''), kind
    on conflict (day, mode, service, kind) do update set transactions = total.transactions + excluded.transactions,
      failed = total.failed + excluded.failed, amount_micros = total.amount_micros + excluded.amount_micros
  ), hours as (
    insert into hour_totals as total (hour, mode, service, error_code, latency_step, calls)
    select ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / ${HOUR_MS}, mode, coalesce(service, ''), coalesce(error_code, ''),
      case when status = 'released' or latency_ms is null then -1 else floor(2 * log(2.0, greatest(latency_ms, 1))) end, count(*)
    from ${found} where kind in ('call', 'job', 'llm', 'session') group by 1, 2, 3, 4, 5
    on conflict (hour, mode, service, error_code, latency_step) do update set calls = total.calls + excluded.calls
  )`
}
