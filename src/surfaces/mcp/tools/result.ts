import { runCall } from '../../../calls/run.ts'
import { params } from '../../../catalog/vocabulary/define.ts'
import { optional, text, whole } from '../../../catalog/vocabulary/fields.ts'
import { newId } from '../../../lib/ids.ts'
import { callAction } from './run.ts'
import type { Tool, ToolCall, ToolParts } from './tool.ts'

/** core/result as a tool, and media/result for what came with an answer. Who asked for progress hears how the job stands while it waits. */
export const result: Tool = {
  name: 'result',
  title: 'Fetch the result of a job',
  description:
    'Status, progress and, once it has ended, the outcome and charge of a job that run started. Free. With wait_s it answers as soon as the job ends. With a transaction_id of media/generate: that answer again.',
  input: params({
    job_id: optional(text('The job_id that run answered.', 100)),
    transaction_id: optional(text('In its place: the transaction_id that run answered.', 100)),
    wait_s: whole('Waits so many seconds at most.', 0, 60, { default: 0 }),
  }),
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  call: (parts, call) =>
    call.input['transaction_id'] === undefined
      ? call.progress.during(
          Number(call.input['wait_s']),
          () => standing(parts, call),
          () => callAction(parts, call, { service: 'core', action: 'result', body: call.input }),
        )
      : callAction(parts, call, { service: 'media', action: 'result', body: call.input }),
}

type ShownJob = {
  readonly status: string
  readonly progress?: {
    readonly rows_done?: number
    readonly rows_total?: number
    readonly spent_cents: number
  }
}

async function standing({ calls }: ToolParts, { request, input }: ToolCall): Promise<string> {
  const { body } = await runCall(calls, {
    id: newId(calls.now()),
    caller: request.caller,
    service: 'core',
    action: 'result',
    body: { job_id: input['job_id'] },
    idempotency: null,
  })
  const { status, progress } = (JSON.parse(body) as { data: ShownJob }).data
  const rows =
    progress?.rows_total === undefined
      ? ''
      : `, ${progress.rows_done ?? 0} of ${progress.rows_total} rows`
  return `${status}${rows}${progress === undefined ? '' : `, ${progress.spent_cents}¢ spent`}`
}
