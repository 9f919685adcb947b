/** The records of `core/result` and `core/cancel`, which serve every action that runs as a job. */
import { local, params } from '../../catalog/vocabulary/define.ts'
import { text, whole } from '../../catalog/vocabulary/fields.ts'
import { free } from '../../catalog/vocabulary/tariff.ts'

const jobId = text('The job_id that the submission answered.', 64)

export const actions = {
  result: local({
    summary: 'Ask how a job stands, and for its result once it has finished.',
    description:
      'Poll until status is "succeeded" or "failed", or pass wait_s to be answered as soon as it ends. While it runs, progress shows how far it is and what it has spent. Results are kept for 30 days.',
    keywords: [
      'poll',
      'job status',
      'job result',
      'async',
      'wait for job',
      'is my job done',
      'how long does a job take',
    ],
    input: params({
      job_id: jobId,
      wait_s: whole('Waits up to so many seconds for the job to end before answering.', 0, 60, {
        default: 0,
      }),
    }),
    example: { job_id: 'job_0192f0c4a1b27c3d8e4f5a6b7c8d9e0f', wait_s: 20 },
    exampleNeeds: ['job_id'],
    price: free,
    timeoutMs: 70_000,
    handler: 'core.result',
  }),
  cancel: local({
    summary: 'End a job early: nothing more is bought, and only what it had delivered is charged.',
    description:
      'A job that has not begun ends at once, uncharged. One that runs makes no further step and delivers what it has. A job that has ended stays as it is.',
    keywords: ['stop job', 'abort job'],
    input: params({ job_id: jobId }),
    example: { job_id: 'job_0192f0c4a1b27c3d8e4f5a6b7c8d9e0f' },
    exampleNeeds: ['job_id'],
    price: free,
    timeoutMs: 10_000,
    handler: 'core.cancel',
  }),
}
