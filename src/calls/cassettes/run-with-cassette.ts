/** Calls of actions with a cassette. */
import { keepError, keepTake, replayScene } from '../../cassettes/use-cassette.ts'
import type { CassetteUse, Scene } from '../../cassettes/cassette.ts'
import { readStoredFailure } from '../../errors/stored-failure.ts'
import { ownerOf } from '../../keys/caller.ts'
import { requireAllowed } from '../../keys/policy/require-allowed.ts'
import { fieldsOf, parseFields } from '../../lib/json-fields.ts'
import type { Call, CallAnswer, CallRequest, Calls } from '../call.ts'
import { toReplay } from '../idempotency/claim.ts'
import { readInput } from '../quote/read-input.ts'
import type { CallLabels } from '../tally-call.ts'

/** The whole answer of a call, with what bounds it. The entry is null if the call was not quoted. */
export type WholeAnswer = Pick<Call, 'request' | 'maxChars'> & {
  readonly entry: Call['entry'] | null
  readonly answer: CallAnswer
}

/** Replays a call, or carries it out with `perform` and stores its end. Throws AppError. */
export async function runWithCassette(
  calls: Calls,
  request: CallRequest & { readonly cassette: CassetteUse },
  labels: CallLabels,
  perform: () => Promise<WholeAnswer>,
): Promise<WholeAnswer> {
  const { caller } = request
  const entry = calls.catalog.findAction(request.service, request.action)
  labels.service = entry.service.id
  requireAllowed(caller, entry.service.id, entry.name)
  const read = readInput(calls, entry, caller.mode, request.body)
  const action = `${entry.service.id}/${entry.name}`
  const scene: Scene = {
    use: request.cassette,
    owner: ownerOf(caller),
    route: `run/${action}`,
    input: withoutWait(action, read.input),
  }
  const take = await replayScene(calls, scene)
  if (take !== null) {
    if (take.status >= 400) throw readStoredFailure(take.body)
    const answer = toReplay({ status: take.status, body: take.body })
    const maxChars = read.maxChars ?? request.maxChars ?? null
    return { request, entry, maxChars, answer: { ...answer, replayed: false } }
  }
  let whole: WholeAnswer
  try {
    whole = await perform()
  } catch (error) {
    await keepError(calls, scene, error)
    throw error
  }
  const { status, body, charged, replayed } = whole.answer
  if (replayed || !isFinal(action, body))
    scene.use.report({ kind: 'not_recorded', reason: 'not_final' })
  else await keepTake(calls, scene, { status, body, charged, isEvents: false, model: null })
  return whole
}

/** Actions that read the state of a job. A cassette stores only its last state, so a replay never waits. */
const POLLS: readonly string[] = ['core/result', 'media/result']

function withoutWait(action: string, input: Readonly<Record<string, unknown>>): object {
  if (!POLLS.includes(action)) return input
  const { wait_s: _wait, ...rest } = input
  return rest
}

function isFinal(action: string, body: string): boolean {
  if (!POLLS.includes(action)) return true
  const { status } = fieldsOf(fieldsOf(parseFields(body))['data'])
  return status !== 'queued' && status !== 'running'
}
