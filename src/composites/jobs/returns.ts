import {
  answer,
  count,
  flag,
  maybe,
  oneOf,
  open,
  record,
  text,
  time,
  orNull,
} from '../../catalog/vocabulary/returns.ts'
import { chargedCents, chargedMicros } from '../shared/returns.ts'

const job = answer({
  ok: flag('false if the job failed.'),
  job_id: text('The id of the job.'),
  service: text('The service of the submitted action.'),
  action: text('The submitted action.'),
  status: oneOf('"succeeded" and "failed" are final.', [
    'queued',
    'running',
    'succeeded',
    'failed',
  ]),
  cancelled: maybe(flag('true if core/cancel ended the job early.')),
  attempt: count('The number of times that a worker has started the job. 0 while it is queued.'),
  created_at: time('When the job was submitted.'),
  started_at: orNull(time('When a worker first started it. null while it is queued.')),
  finished_at: orNull(time('When it succeeded or failed. null before that.')),
  deadline_at: time('When the job ends at the latest, with the results so far.'),
  charged_cents: chargedCents('The charge of the job, 0 until it has ended'),
  charged_micros: chargedMicros('The charge of the job, 0 until it has ended'),
  budget_cents: chargedCents('The amount held for the job'),
  progress: maybe(
    record('The state of an unfinished job.', {
      rows_done: maybe(count('The number of finished rows.')),
      rows_total: maybe(count('The number of all rows.')),
      spent_cents: chargedCents('The cost of the steps so far'),
      spent_micros: chargedMicros('The cost of the steps so far'),
    }),
  ),
  result: maybe(
    open(
      'The answer of the submitted action, as its own page describes it. A failed job may have partial results.',
    ),
  ),
  error: maybe(
    record('Why the job failed. It is charged at most the processor time that its files used.', {
      code: text('The error code, as in the errors of calls.'),
      message: text('What happened.'),
      param: maybe(text('The parameter at fault.')),
      fix: maybe(text('What to do.')),
      retryable: maybe(flag('Whether the same job may succeed later.')),
      details: maybe(open('Further facts, such as the calls that failed.')),
    }),
  ),
})

export const returns = { result: job, cancel: job }
