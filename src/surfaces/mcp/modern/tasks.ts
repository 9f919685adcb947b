/** Jobs as tasks of the extension `io.modelcontextprotocol/tasks`. The id of a task is its job_id. */
import { JOB_STORED_MS } from '../../../calls/jobs/job-actions.ts'
import { runCall } from '../../../calls/run.ts'
import { AppError } from '../../../errors/app-error.ts'
import { toRfc3339 } from '../../../lib/clock.ts'
import { idTimeMs, newId, parsePublicId } from '../../../lib/ids.ts'
import type { Fields } from '../../../lib/json-fields.ts'
import type { Method, MethodCall } from '../method.ts'
import { RPC, RpcError } from '../rpc-error.ts'
import { DEFAULT_MAX_CHARS } from '../tools/run.ts'
import type { ToolDeps } from '../tools/tool.ts'
import { TASKS } from './modern-request.ts'

const POLL_EVERY_MS = 2_000

type Job = {
  readonly ok: boolean
  readonly status: string
  readonly cancelled?: true
  readonly error?: { readonly code: string }
  readonly created_at: string
  readonly started_at: string | null
  readonly finished_at: string | null
}
type Tasks = { readonly get: Method; readonly update: Method; readonly cancel: Method }

/** The result of a call that started a job, for a client with tasks. */
export function taskOfJob(jobId: string): Fields {
  const id = parsePublicId('job', jobId)
  const startedAt = toRfc3339(id === null ? 0 : idTimeMs(id))
  return {
    resultType: 'task',
    taskId: jobId,
    status: 'working',
    createdAt: startedAt,
    lastUpdatedAt: startedAt,
    ttlMs: JOB_STORED_MS,
    pollIntervalMs: POLL_EVERY_MS,
  }
}

export function createTasks({ calls }: ToolDeps): Tasks {
  return {
    async get(call) {
      const body = await runJobAction('result', call)
      return describeTask(taskIdOf(call), body)
    },
    /** A job asks nothing, so answers are ignored. */
    async update(call) {
      await runJobAction('result', call)
      return {}
    },
    async cancel(call) {
      await runJobAction('cancel', call)
      return {}
    },
  }

  /** The envelope of core/result or core/cancel. Throws RpcError. */
  async function runJobAction(action: 'result' | 'cancel', call: MethodCall): Promise<string> {
    requireTasks(call)
    const { caller } = call.exchange.request
    try {
      const { body } = await runCall(calls, {
        id: newId(calls.now()),
        caller,
        service: 'core',
        action,
        body: { job_id: taskIdOf(call) },
        idempotency: null,
        maxChars: DEFAULT_MAX_CHARS,
      })
      return body
    } catch (error) {
      if (error instanceof AppError && error.spec.fault === 'caller')
        throw new RpcError(RPC.invalidParams, error.message)
      throw error
    }
  }
}

function requireTasks({ client }: MethodCall): void {
  if (client?.hasTasks === true) return
  throw new RpcError(RPC.missingCapability, 'This method needs the tasks extension.', {
    status: 400,
    data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
  })
}

function taskIdOf({ params: { taskId } }: MethodCall): string {
  if (typeof taskId === 'string' && parsePublicId('job', taskId) !== null) return taskId
  throw new RpcError(RPC.invalidParams, 'Task not found.')
}

function describeTask(taskId: string, body: string): Fields {
  const { data: job } = JSON.parse(body) as { readonly data: Job }
  const task = {
    taskId,
    createdAt: job.created_at,
    lastUpdatedAt: job.finished_at ?? job.started_at ?? job.created_at,
    ttlMs: JOB_STORED_MS,
    pollIntervalMs: POLL_EVERY_MS,
  }
  if (job.finished_at === null) return { ...task, status: 'working', statusMessage: job.status }
  // A job that was cancelled before it began has failed with this code.
  if (job.cancelled === true || job.error?.code === 'job_cancelled')
    return { ...task, status: 'cancelled' }
  const content = [{ type: 'text', text: body }]
  return {
    ...task,
    status: 'completed',
    result: { resultType: 'complete', content, ...(job.ok ? {} : { isError: true }) },
  }
}
