import { findCall } from '../../../history/find-call.ts'
import { runCall } from '../../../calls/run.ts'
import { params } from '../../../catalog/vocabulary/define.ts'
import type { Data } from '../../../catalog/vocabulary/outcome.ts'
import { optional, text, whole } from '../../../catalog/vocabulary/fields.ts'
import { ownerOf } from '../../../keys/caller.ts'
import type { ErrorCode } from '../../../errors/catalog.ts'
import { AppError } from '../../../errors/app-error.ts'
import { newId, parsePublicId, publicId } from '../../../lib/ids.ts'
import { readTextPart } from '../../../resources/files/read-text-part.ts'
import { LONGEST_IDEMPOTENCY_KEY } from '../../http/idempotency.ts'
import { callAction, maxChars } from './run.ts'
import { reply, type Tool, type ToolCall, type ToolDeps, type ToolReply } from './tool.ts'

/** core/result as a tool, which also finds calls by `transaction_id` and `idempotency_key`. Progress notifications show the status of the job. */
export const result: Tool = {
  name: 'result',
  title: 'Fetch the result of a job',
  description:
    'Status and progress of a job that run started; once it has ended, its result and charge. Free. With wait_s, waits until the job ends. With the transaction_id or idempotency_key of a run whose answer was lost, returns its state and answer. With file_id, reads a file.',
  input: params({
    job_id: optional(text('The job_id from run.', 100)),
    transaction_id: optional(
      text('Instead of job_id: the transaction_id or request_id from run.', 100),
    ),
    idempotency_key: optional(
      text('Instead of job_id: the idempotency_key of a run.', LONGEST_IDEMPOTENCY_KEY),
    ),
    file_id: optional(text('Instead of job_id: a file, to read it as text.', 100)),
    offset: optional(whole('With file_id: the byte to read from.', 0, 1e9)),
    max_chars: maxChars,
    wait_s: whole('Maximum seconds to wait.', 0, 60, { default: 0 }),
  }),
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  async call(deps, call) {
    const { idempotency_key: key, transaction_id: transactionId, file_id: fileId } = call.input
    if (typeof fileId === 'string') return readFile(deps, call, fileId)
    if (typeof key === 'string') return findByKey(deps, call, key)
    if (typeof transactionId === 'string') return findByTransaction(deps, call, transactionId)
    return readJob(deps, call)
  },
}

function readJob(deps: ToolDeps, call: ToolCall): Promise<ToolReply> {
  return call.progress.during(
    Number(call.input['wait_s']),
    () => describeJob(deps, call),
    () =>
      callAction(deps, call, {
        service: 'core',
        action: 'result',
        body: jobInput(call),
        maxChars: mostOf(call),
      }),
  )
}

function jobInput({ input: { job_id, wait_s } }: ToolCall): Data {
  return { ...(job_id === undefined ? {} : { job_id }), wait_s }
}

function mostOf({ input }: ToolCall): number {
  return Number(input['max_chars'])
}

/** A part of a file of the account as text, and the offset of the next part. */
async function readFile({ files }: ToolDeps, call: ToolCall, fileId: string): Promise<ToolReply> {
  const { request, input } = call
  const part = await readTextPart(files, ownerOf(request.caller), fileId, {
    offset: Number(input['offset'] ?? 0),
    maxChars: mostOf(call),
  })
  return reply(request, part, { untrusted: true })
}

/** The answer of media/generate, the result of a job, or the state of any other call. Each has the id of its transaction. */
async function findByTransaction(
  deps: ToolDeps,
  call: ToolCall,
  transactionId: string,
): Promise<ToolReply> {
  const id = parsePublicId('transaction', transactionId) ?? parsePublicId('request', transactionId)
  const readMedia = () =>
    callAction(deps, call, {
      service: 'media',
      action: 'result',
      body: { transaction_id: transactionId },
      maxChars: mostOf(call),
    })
  if (id === null) return readMedia()
  return unlessUnknown('unknown_transaction', readMedia, () =>
    unlessUnknown(
      'unknown_job',
      () => readJob(deps, { ...call, input: { ...call.input, job_id: publicId('job', id) } }),
      async () => reply(call.request, await findCall(readerFor(deps, call), { id })),
    ),
  )
}

/** The reply of `read`, or of `next` when `read` throws `code`. */
async function unlessUnknown(
  code: ErrorCode,
  read: () => Promise<ToolReply>,
  next: () => Promise<ToolReply>,
): Promise<ToolReply> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof AppError && error.code === code) return next()
    throw error
  }
}

async function findByKey(
  deps: ToolDeps,
  call: ToolCall,
  idempotencyKey: string,
): Promise<ToolReply> {
  return reply(call.request, await findCall(readerFor(deps, call), { idempotencyKey }))
}

function readerFor({ calls }: ToolDeps, { request: { caller } }: ToolCall) {
  return { database: calls.database, owner: ownerOf(caller), walletId: caller.walletId }
}

type ShownJob = {
  readonly status: string
  readonly progress?: {
    readonly rows_done?: number
    readonly rows_total?: number
    readonly spent_cents: number
  }
}

async function describeJob({ calls }: ToolDeps, { request, input }: ToolCall): Promise<string> {
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
