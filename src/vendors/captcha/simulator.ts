/**
 * 2Captcha's API: POST /createTask and /getTaskResult with `clientKey` in the body. Errors have
 * status 200 and a code.
 */
import { faultOf } from '../../simulators/faults.ts'
import { json, routed } from '../../simulators/routed.ts'
import {
  bodyField,
  type SimulatedReply,
  type SimulatedRequest,
  type SimulatedVendor,
} from '../../simulators/vendor.ts'

const CODES = { credentials: 'ERROR_KEY_DOES_NOT_EXIST', quota: 'ERROR_ZERO_BALANCE' } as const

const captcha: SimulatedVendor = routed({
  credential: (request) => {
    const key = bodyField(request, 'clientKey')
    return typeof key === 'string' ? key : undefined
  },
  quotaStatus: 200,
  failure: (status, reason) => {
    if (reason === 'credentials' || reason === 'quota') return refusal(CODES[reason])
    return status === 429
      ? refusal('ERROR_NO_SLOT_AVAILABLE')
      : status === 400
        ? refusal('ERROR_BAD_PARAMETERS')
        : json(
            {
              errorId: 1,
              errorCode: 'ERROR_SIMULATED',
              errorDescription: `Simulated failure with status ${status}.`,
            },
            status,
          )
  },
  routes: { 'POST /createTask': createTask, 'POST /getTaskResult': getTaskResult },
})

function refusal(errorCode: string): SimulatedReply {
  return json({ errorId: 1, errorCode, errorDescription: `Simulated refusal: ${errorCode}.` })
}

const SOLVED_AFTER_MS = 1_000

/** A task's number encodes its creation time and whether it can be solved. */
function createTask(request: SimulatedRequest): SimulatedReply {
  const task = bodyField(request, 'task')
  if (typeof task !== 'object' || task === null) return refusal('ERROR_BAD_PARAMETERS')
  const isLost = Object.values(task).some(
    (value) => typeof value === 'string' && faultOf(value, 'captcha')?.kind === 'miss',
  )
  return json({ errorId: 0, taskId: request.now() * 10 + (isLost ? 1 : 0) })
}

function getTaskResult(request: SimulatedRequest): SimulatedReply {
  const taskId = Number(bodyField(request, 'taskId'))
  if (!Number.isSafeInteger(taskId) || taskId < 1e12) return refusal('ERROR_NO_SUCH_CAPCHA_ID')
  const startedMs = Math.floor(taskId / 10)
  if (request.now() - startedMs < SOLVED_AFTER_MS) return json({ errorId: 0, status: 'processing' })
  if (taskId % 10 === 1)
    return json({
      errorId: 12,
      errorCode: 'ERROR_CAPTCHA_UNSOLVABLE',
      errorDescription: 'Workers could not solve the captcha (simulated).',
    })
  return json({
    errorId: 0,
    status: 'ready',
    solution: { token: 'simulated-token', userAgent: 'simulated' },
    cost: '0.00299',
    ip: '127.0.0.1',
    createTime: Math.floor(startedMs / 1000),
    endTime: Math.floor(startedMs / 1000) + 1,
    solveCount: 1,
  })
}

export const simulators = { captcha }
