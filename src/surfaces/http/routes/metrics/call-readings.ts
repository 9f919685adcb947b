import type { CallTally } from '../../../../lib/metrics/call-tally.ts'
import type { Reading } from '../../../../lib/reading.ts'

/** Outcomes and charges of calls and jobs since the process started. */
export function callReadings(tally: CallTally): readonly Reading[] {
  return [
    {
      name: 'tollgate_calls_total',
      help: 'Completed calls by service, lane, and "ok" or error code.',
      kind: 'counter',
      labels: ['service', 'lane', 'code', 'mode'],
      read: () =>
        [...tally.services()].flatMap(({ mode, service, tally: { lanes } }) =>
          [...lanes].flatMap(([lane, codes]) =>
            [...codes].map(([code, { count }]) => ({
              labels: { service, lane, code, mode },
              value: count,
            })),
          ),
        ),
    },
    {
      name: 'tollgate_charged_micros_total',
      help: 'Charges of calls, jobs and sessions in millionths of a dollar.',
      kind: 'counter',
      labels: ['service', 'mode'],
      read: () =>
        [...tally.services()].map(({ mode, service, tally: { charged } }) => ({
          labels: { service, mode },
          value: Number(charged),
        })),
    },
    {
      name: 'tollgate_jobs_ended_total',
      help: 'Jobs that this process completed, by "ok" or error code.',
      kind: 'counter',
      labels: ['service', 'code', 'mode'],
      read: () =>
        [...tally.services()].flatMap(({ mode, service, tally: { jobs } }) =>
          [...jobs].map(([code, { count }]) => ({ labels: { service, code, mode }, value: count })),
        ),
    },
  ]
}
