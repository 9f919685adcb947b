/** Simulates the fault that a request asks for: an error, a delay, a dropped connection or a malformed reply. */
import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { CallFault } from './faults.ts'
import type { SimulatedReply, SimulatedRequest, SimulatedVendor } from './vendor.ts'
import { writeReply } from './write-reply.ts'

const MAX_HELD_OPEN = 1_000
const MAX_FLAKY_INPUTS = 1_000

/** The faults in progress at one server. */
export type FaultMemory = {
  /** Answers being delayed or withheld. Beyond the bound they fail immediately. */
  heldOpen: number
  /** The number of requests with each flaky input, oldest first. */
  readonly flaky: Map<string, number>
}

type FaultContext = {
  readonly memory: FaultMemory
  readonly vendor: SimulatedVendor
  readonly request: SimulatedRequest
  readonly response: ServerResponse
  readonly fault: CallFault
  /** Sends the regular answer. */
  readonly answer: () => void
}

export function simulateFault(context: FaultContext): void {
  const { memory, vendor, request, response, fault, answer } = context
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
      return isOddRequest(memory, vendor.texts(request).join(' '))
        ? writeReply(response, vendor.failure(503, 'fault'))
        : answer()
    case 'slow':
      return holdOpen(context, fault.delayMs)
    case 'timeout':
      return holdOpen(context, undefined)
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

/** Answers after `delayMs`, or never if undefined. Frees everything when the caller disconnects. */
function holdOpen(
  { memory, vendor, response, answer }: FaultContext,
  delayMs: number | undefined,
): void {
  if (memory.heldOpen >= MAX_HELD_OPEN) return writeReply(response, vendor.failure(503, 'fault'))
  memory.heldOpen += 1
  const timer = delayMs === undefined ? undefined : setTimeout(answer, delayMs)
  response.once('close', () => {
    clearTimeout(timer)
    memory.heldOpen -= 1
  })
}

/** A flaky input fails on every odd request. Stores digests, because inputs can be large. */
function isOddRequest({ flaky }: FaultMemory, text: string): boolean {
  const input = createHash('sha256').update(text).digest('base64')
  const count = (flaky.get(input) ?? 0) + 1
  flaky.delete(input)
  flaky.set(input, count)
  const [oldest] = flaky.keys()
  if (flaky.size > MAX_FLAKY_INPUTS && oldest !== undefined) flaky.delete(oldest)
  return count % 2 === 1
}

function withRetryAfter(reply: SimulatedReply): SimulatedReply {
  return reply.status === 429 || reply.status === 503
    ? { ...reply, headers: { ...reply.headers, 'retry-after': '1' } }
    : reply
}
