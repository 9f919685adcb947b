/** The records of `core/result` and `core/cancel`, which serve every action that runs as a job. */
import { local, params } from '../../catalog/vocabulary/define.ts'
import { text, whole } from '../../catalog/vocabulary/fields.ts'
import { free } from '../../catalog/vocabulary/tariff.ts'

const jobId = text('The job_id that the submission returned.', 64)

export const actions = {
  result: local({
    title: 'Job result',
    summary: 'Get the status of a job, and its result once it has finished.',
    description:
      'Poll until status is "succeeded" or "failed", or pass wait_s to wait for the end. While the job runs, `progress` shows the finished rows and the money spent. Results are stored for 30 days.',
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
      wait_s: whole('Maximum number of seconds to wait for the end of the job.', 0, 60, {
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
    title: 'Cancel a job',
    summary: 'End a job early: it makes no further calls and charges only the results so far.',
    description:
      'A job that has not started ends immediately and is not charged. A running job makes no further step and returns its results so far. A finished job does not change.',
    keywords: ['stop job', 'abort job'],
    input: params({ job_id: jobId }),
    example: { job_id: 'job_0192f0c4a1b27c3d8e4f5a6b7c8d9e0f' },
    exampleNeeds: ['job_id'],
    price: free,
    timeoutMs: 10_000,
    handler: 'core.cancel',
  }),
}
