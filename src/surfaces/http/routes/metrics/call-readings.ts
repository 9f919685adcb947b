import type { CallTally } from '../../../../lib/metrics/call-tally.ts'
import type { Reading } from '../../../../lib/reading.ts'

/** What became of calls and jobs since the process began. */
export function callReadings(tally: CallTally): readonly Reading[] {
  return [
    {
      name: 'tollgate_calls_total',
      help: 'Calls that ended, by service, the way they went, and "ok" or the code of their error.',
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
      help: 'What calls, jobs and sessions were charged, in millionths of a dollar.',
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
      help: 'Jobs that this process worked on to their end, by "ok" or the code of their error.',
      kind: 'counter',
      labels: ['service', 'code', 'mode'],
      read: () =>
        [...tally.services()].flatMap(({ mode, service, tally: { jobs } }) =>
          [...jobs].map(([code, { count }]) => ({ labels: { service, code, mode }, value: count })),
        ),
    },
  ]
}
