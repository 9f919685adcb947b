import type { Job } from '../../../sdk/src/index.ts'
import type { Command, Deps, Report } from '../command.ts'
import { readWhole } from '../input/read-value.ts'
import { dollars } from '../output/money.ts'
import { renderData } from '../output/render-data.ts'
import { facts, table } from '../output/table.ts'
import { finishJob, progressOf, reportResult } from './call-job.ts'
import { widthFor } from '../terminal.ts'

const operand = { value: '<job>', about: 'the id of a job (job_…)' } as const
const USUAL_ROWS = 20
const MOST_ROWS = 100

type Transaction = {
  readonly created_at: string
  readonly job_id: string | null
  readonly service: string
  readonly action: string
  readonly status: 'held' | 'settled' | 'released'
  readonly held_micros: number
  readonly charged_micros: number
  readonly error_code: string | null
}

export const jobsList: Command = {
  name: 'jobs list',
  summary: 'list the jobs of the account, newest first',
  flags: {
    limit: { value: '<count>', about: `the most jobs, up to ${MOST_ROWS}; default: ${USUAL_ROWS}` },
  },
  example: 'jobs list',
  async run({ flags }, { connect, signal, terminal }) {
    const limit = Math.min(MOST_ROWS, readWhole('limit', flags['limit']?.[0], USUAL_ROWS))
    const { data } = await connect
      .open()
      .request<{ readonly data: readonly Transaction[] }>(
        'GET',
        `/api/v1/transactions?kind=job&limit=${limit}`,
        undefined,
        { signal },
      )
    const rows = data.map((one) => [
      one.job_id ?? '',
      `${one.service}/${one.action}`,
      statusOf(one),
      one.status === 'held' ? `up to ${dollars(one.held_micros)}` : dollars(one.charged_micros),
      one.created_at.slice(0, 16).replace('T', ' '),
    ])
    return {
      data,
      text:
        rows.length === 0
          ? 'No jobs.'
          : table(['job', 'action', 'status', 'charge', 'created (UTC)'], rows, widthFor(terminal)),
    }
  },
}

/** Jobs that found nothing are released without an error. */
function statusOf({ status, error_code: error }: Transaction): string {
  if (status === 'held') return 'in progress'
  return error === null ? 'finished' : `failed: ${error}`
}

export const jobsShow: Command = {
  name: 'jobs show',
  summary: 'show the state of a job, and its result after its end',
  operand,
  flags: {},
  example: 'jobs show job_0192…',
  async run({ operands }, deps) {
    const { data } = await deps.connect
      .open()
      .run<Job>('core/result', { job_id: operands[0] ?? '' }, { signal: deps.signal })
    return reportJob(data, deps)
  },
}

function reportJob(job: Job, deps: Deps): Report {
  const { rows_done: done, rows_total: total } = progressOf(job)
  const state = facts([
    ['job', job.job_id],
    ['action', `${job.service}/${job.action}`],
    ['status', job.cancelled === true ? 'cancelled' : job.status],
    ...(typeof total === 'number' ? [['progress', `${String(done)} of ${total}`] as const] : []),
    [
      'charged',
      dollars(job.finished_at === null ? (job.progress?.spent_micros ?? 0) : job.charged_micros),
    ],
    ['created', job.created_at],
    ...(job.finished_at === null ? [] : [['finished', job.finished_at] as const]),
    ...(job.error === undefined
      ? []
      : [['error', `${job.error.message} (${job.error.code})`] as const]),
  ])
  const width = widthFor(deps.terminal)
  const result = job.result === undefined ? '' : `\n\n${renderData(job.result, width)}`
  return { data: job, text: state + result }
}

export const jobsWait: Command = {
  name: 'jobs wait',
  summary: 'wait for the end of a job and print its result',
  operand,
  flags: {},
  example: 'jobs wait job_0192…',
  run: ({ operands }, deps) => finishJob(deps.connect.open(), operands[0] ?? '', deps),
}

export const jobsCancel: Command = {
  name: 'jobs cancel',
  summary: 'end a job early; finished steps are charged',
  operand,
  flags: {},
  example: 'jobs cancel job_0192…',
  async run({ operands }, deps) {
    const { data } = await deps.connect
      .open()
      .run<Job>('core/cancel', { job_id: operands[0] ?? '' }, { signal: deps.signal })
    return data.status === 'succeeded' ? reportResult(data, deps) : reportJob(data, deps)
  },
}
