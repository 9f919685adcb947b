/** Completions with a cassette. */
import type { CassetteUse, Scene, Take } from '../../cassettes/cassette.ts'
import { splitEvents } from '../../cassettes/recording-file.ts'
import { keepError, keepTake, replayScene } from '../../cassettes/use-cassette.ts'
import { readStoredFailure } from '../../errors/stored-failure.ts'
import { ownerOf } from '../../keys/caller.ts'
import { fieldsOf, type Fields } from '../../lib/json-fields.ts'
import type { CompletionCall, RecordAnswer } from '../bill/active-completion.ts'
import type { CompletionAnswer } from '../stream/whole-answer.ts'
import { ROUTES } from '../wires/read-any-request.ts'
import type { CallerLine } from './caller-line.ts'
import type { Router } from './create-router.ts'
import { DEFAULT_MAX_TOKENS, type CompletionRequest } from './read-request.ts'

type TapedCompletion = {
  readonly router: Router
  readonly call: CompletionCall
  readonly request: CompletionRequest
  readonly cassette: CassetteUse
  readonly line: CallerLine
}

/**
 * Replays a completion, or carries it out with `perform` and stores its end. Returns null if the
 * answer was streamed to the line. Throws AppError.
 */
export async function completeWithCassette(
  { router, call, request, cassette, line }: TapedCompletion,
  perform: (record: RecordAnswer) => Promise<CompletionAnswer | null>,
): Promise<CompletionAnswer | null> {
  const scene: Scene = {
    use: cassette,
    owner: ownerOf(call.caller),
    route: ROUTES[call.wire],
    input: inputOf(call, request),
  }
  const take = await replayScene(router, scene)
  if (take !== null) {
    if (take.status >= 400) throw readStoredFailure(take.body)
    return replay(take, line)
  }
  try {
    if (request.stream) cassette.report({ kind: 'recording' })
    const answer = await perform(async ({ body, charged, model }) =>
      keepTake(router, scene, { status: 200, body, isEvents: true, charged, model }),
    )
    if (answer?.replayed === true) cassette.report({ kind: 'not_recorded', reason: 'not_final' })
    else if (answer !== null) await keepTake(router, scene, answer)
    return answer
  } catch (error) {
    await keepError(router, scene, error)
    throw error
  }
}

/** Fields that limit the cost, label the request, or are written as other fields below. */
const NOT_MATCHED = new Set([
  'max_cost_cents',
  'confirm_loop',
  'user',
  'metadata',
  'safety_identifier',
  'prompt_cache_key',
  'models',
  'max_tokens',
  'max_completion_tokens',
])
/** Fields with their default, which equal absent ones. */
const DEFAULTS: Fields = { stream: false, n: 1, store: false }

/** The body that decides the answer. It is itself a valid body of the same API. */
function inputOf({ body }: CompletionCall, request: CompletionRequest): Fields {
  const { model, fallbacks, namesLimit, maxTokens } = request
  const given = fieldsOf(body)
  const matched = Object.entries(given).filter(
    ([name, value]) => value !== null && !NOT_MATCHED.has(name) && DEFAULTS[name] !== value,
  )
  return {
    ...Object.fromEntries(matched),
    model,
    ...(fallbacks.length === 0 ? {} : { models: [model, ...fallbacks] }),
    ...(namesLimit && maxTokens !== DEFAULT_MAX_TOKENS && !('max_output_tokens' in given)
      ? { max_tokens: maxTokens }
      : {}),
  }
}

/** Streams are sent again event by event, without the original pauses. */
async function replay(take: Take, line: CallerLine): Promise<CompletionAnswer | null> {
  const { status, body, isEvents, model } = take
  if (!isEvents || model === null)
    return { status, body, isEvents, model, charged: 0n, wallet: null, replayed: false }
  line.start({ model })
  const events = splitEvents(body)
  const last = events.pop() ?? ''
  let wake = (): void => {}
  line.onDrain(() => wake())
  line.onDisconnect(() => wake())
  for (const event of events) {
    if (line.isDisconnected) return null
    if (line.write(Buffer.from(event))) continue
    // A caller who reads nothing loses the connection, which ends this wait.
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
  line.end(Buffer.from(last), 0n)
  return null
}
