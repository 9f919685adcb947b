/** Faults that a request asks for, carried out: the vendor refuses, is late, breaks off or answers invalidSetting. */
import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { CallFault } from './faults.ts'
import type { SimulatedReply, SimulatedRequest, SimulatedVendor } from './vendor.ts'
import { writeReply } from './write-reply.ts'

const MAX_HELD_OPEN = 1_000
const MAX_FLAKY_INPUTS = 1_000

/** What one server remembers of the faults that it made. */
export type FaultMemory = {
  /** Answers that are being delayed or withheld; beyond the bound they fail at once. */
  heldOpen: number
  /** How often each input marked as flaky was seen, oldest first. */
  readonly flaky: Map<string, number>
}

type Scene = {
  readonly memory: FaultMemory
  readonly vendor: SimulatedVendor
  readonly request: SimulatedRequest
  readonly response: ServerResponse
  readonly fault: CallFault
  /** Answers as if there were no fault. */
  readonly answer: () => void
}

export function simulateFault(scene: Scene): void {
  const { memory, vendor, request, response, fault, answer } = scene
  switch (fault.kind) {
    case 'status':
      return writeReply(
        response,
        withRetryAfter(
          vendor.failure(fault.status, fault.status === 401 ? 'credentials' : 'fault'),
        ),
      )
    case 'quota':
      return writeReply(response, vendor.failure(vendor.quotaStatus, 'quota'))
    case 'flaky':
      return isOddTurn(memory, vendor.texts(request).join(' '))
        ? writeReply(response, vendor.failure(503, 'fault'))
        : answer()
    case 'slow':
      return holdOpen(scene, fault.delayMs)
    case 'timeout':
      return holdOpen(scene, undefined)
    case 'reset':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"cut":', () => response.destroy())
      return
    case 'badjson':
      return writeReply(response, {
        status: 200,
        text: '{"this is": not json',
        contentType: 'application/json',
      })
    case 'odd':
      return writeReply(response, {
        status: 200,
        json: { simulated: true, note: 'an answer in an unexpected form' },
      })
  }
}

/** Answers after `delayMs`, or never when undefined; either way nothing is left once the caller has gone. */
function holdOpen({ memory, vendor, response, answer }: Scene, delayMs: number | undefined): void {
  if (memory.heldOpen >= MAX_HELD_OPEN) return writeReply(response, vendor.failure(503, 'fault'))
  memory.heldOpen += 1
  const timer = delayMs === undefined ? undefined : setTimeout(answer, delayMs)
  response.once('close', () => {
    clearTimeout(timer)
    memory.heldOpen -= 1
  })
}

/** A flaky input fails the first time and every other time after it. Inputs can be large: their digests are kept. */
function isOddTurn({ flaky }: FaultMemory, text: string): boolean {
  const input = createHash('sha256').update(text).digest('base64')
  const turn = (flaky.get(input) ?? 0) + 1
  flaky.delete(input)
  flaky.set(input, turn)
  const [oldest] = flaky.keys()
  if (flaky.size > MAX_FLAKY_INPUTS && oldest !== undefined) flaky.delete(oldest)
  return turn % 2 === 1
}

function withRetryAfter(reply: SimulatedReply): SimulatedReply {
  return reply.status === 429 || reply.status === 503
    ? { ...reply, headers: { ...reply.headers, 'retry-after': '1' } }
    : reply
}
