/** Research tasks: one action starts a task, another returns its status and result. */
import { Type, type Static } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, params } from '../../catalog/vocabulary/define.ts'
import { done, failed, type Data } from '../../catalog/vocabulary/outcome.ts'
import { computed, free } from '../../catalog/vocabulary/tariff.ts'
import { post } from '../../catalog/vocabulary/wire.ts'
import { choice, openObject, optional, text } from '../../catalog/vocabulary/fields.ts'
import { pollJob } from '../shared/page-jobs.ts'
import { field } from '../../catalog/answers/vendor-failure.ts'
import { parallelMerchant } from './vendor.ts'

const taskInput = params({
  input: Type.Union(
    [Type.String({ minLength: 1, maxLength: 15_000 }), openObject('Named inputs.')],
    { description: 'The question or task, as text or as named inputs.' },
  ),
  processor: choice(
    'The amount of work: pro takes minutes, ultra up to half an hour.',
    ['pro', 'ultra'],
    { default: 'pro' },
  ),
  output_schema: optional(
    Type.Union(
      [Type.String({ minLength: 1, maxLength: 10_000 }), openObject('JSON Schema of the result.')],
      {
        description:
          'The format of the result: a description or a JSON Schema. The vendor decides if omitted.',
      },
    ),
  ),
})

function outputSpec(schema: string | Data | undefined): Data | undefined {
  if (schema === undefined) return undefined
  return {
    output_schema: typeof schema === 'string' ? schema : { type: 'json', json_schema: schema },
  }
}

const runReply = Type.Object({
  run_id: Type.String({ minLength: 1 }),
  status: Type.Optional(Type.String()),
})
const statusReply = Type.Object({
  run_id: Type.Optional(Type.String()),
  status: Type.Optional(Type.String()),
  run: Type.Optional(runReply),
  output: Type.Optional(Type.Unknown()),
  result: Type.Optional(Type.Unknown()),
})

/** The output is next to the run, inside it, or inside its result. */
function runOf({ run, output, result, ...rest }: Static<typeof statusReply>): Data {
  const content = output ?? field(result, 'output') ?? result
  return {
    ...rest,
    ...run,
    ...(content === undefined || content === null ? {} : { output: content }),
  }
}

const taskPath = (runId: string) => `/v1/tasks/runs/${runId}`

export const task = call({
  title: 'Start a research task',
  summary: 'Start a research task that searches and reads on its own, for an answer with evidence.',
  description:
    'Returns a `run_id`. Poll agentic/task-status with it (free) until the status is `completed`. Charged when the vendor accepts the task.',
  keywords: ['deep research', 'research agent', 'report', 'due diligence', 'structured research'],
  input: taskInput,
  example: { input: 'Compare the licences of three open vector databases.', processor: 'pro' },
  price: computed<Static<typeof taskInput>>(
    ({ processor }) => cents(processor === 'ultra' ? '30' : '10'),
    cents('10'),
    cents('30'),
  ),
  priceSource: 'Vendor list price $100 per 1000 pro tasks and $300 per 1000 ultra tasks, 2026-08.',
  timeoutMs: 30_000,
  request: ({ input, processor, output_schema }) =>
    post('/v1/tasks/runs', { input, processor, task_spec: outputSpec(output_schema) }),
  merchant: {
    at: parallelMerchant,
    sells: ({ output_schema }) => output_schema === undefined,
    request: ({ input, processor }) =>
      post('/api/task', {
        input: typeof input === 'string' ? input : JSON.stringify(input),
        processor,
      }),
  },
  reply: runReply,
  outcome: ({ body }) =>
    body.status === 'failed'
      ? failed('upstream_error', 'The vendor did not start the task.')
      : done({ status: 'queued', ...body }),
  ownership: { createdId: ({ body }) => runIdOf(body) },
})

export const taskStatus = call({
  title: 'Research task result',
  summary: 'Get the status of a research task, and its result once it is completed.',
  description:
    'Free. A completed task also has `output` with its content and the evidence for each part.',
  keywords: ['research result', 'poll', 'task progress', 'is it done', 'how far'],
  input: params({
    run_id: text('The run_id that agentic/task returned.', 4_000, {
      pattern: '^[A-Za-z0-9_-]+$',
    }),
  }),
  example: { run_id: 'trun_0197a1b25c3d7e4f8a9b0c1d2e3f4a5b' },
  price: free,
  timeoutMs: 30_000,
  untrustedContent: true,
  request: ({ run_id }) => pollJob(taskPath(run_id)),
  // The result has a separate address, which returns an error until the result exists.
  followUps: [
    ({ body }, { run_id }) =>
      field(body, 'status') === 'completed' ? pollJob(`${taskPath(run_id)}/result`) : null,
  ],
  merchant: {
    at: parallelMerchant,
    request: ({ run_id }) => pollJob(`/api/task/${run_id}`),
  },
  reply: statusReply,
  outcome: ({ body }) => done(runOf(body)),
  ownership: { targetId: ({ run_id }) => run_id },
})

function runIdOf(body: unknown): string | undefined {
  const runId = field(body, 'run_id')
  return typeof runId === 'string' ? runId : undefined
}
