import { AppError } from '../../errors/app-error.ts'
import type { Mode } from '../../lib/mode.ts'
import { CallerDisconnected, type CallerLine } from './caller-line.ts'
import type { Router } from './create-router.ts'
import { fieldsOf, listedFields } from '../../lib/json-fields.ts'
import type { Candidate } from '../lists/model.ts'
import { openFirst } from './open-first.ts'
import { estimatePrompt, promptOf } from '../bill/prompt-tokens.ts'
import { readCompletionRequest } from './read-request.ts'

/** The tier for the gateway's own requests, which cost far below a tenth of a cent. */
const OWN_TIER = 'core/cheap'
const ANSWER_MS = 45_000

export type OwnRequest = {
  readonly system: string
  readonly prompt: string
  readonly maxTokens: number
  readonly mode: Mode
  readonly accountId: string
  readonly signal: AbortSignal
}

/**
 * Completes a prompt for the gateway itself, within the price of the calling action: no hold, no
 * charge. Returns null if the router is not configured or no model responded.
 */
export function createComplete(router: Router): (request: OwnRequest) => Promise<string | null> {
  return async (own) => {
    try {
      return await answerFrom(router, await findOwnModels(router, own.mode), own)
    } catch (error) {
      if (isUnanswered(error)) return null
      throw error
    }
  }
}

/** The models of the tier for the gateway's own requests. Throws AppError if the router has no such model. */
export function findOwnModels(
  { directory }: Pick<Router, 'directory'>,
  mode: Mode,
): Promise<readonly Candidate[]> {
  return directory.candidatesFor(OWN_TIER, mode, { tools: false, images: false })
}

/** Whether no model responded, or the caller disconnected. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof AppError || error instanceof CallerDisconnected
}

/** The text of the first of these models that responds; null if it is empty. */
export async function answerFrom(
  { times, now }: Pick<Router, 'times' | 'now'>,
  candidates: readonly Candidate[],
  { system, prompt, maxTokens, accountId, signal }: OwnRequest,
): Promise<string | null> {
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: prompt },
  ]
  const request = readCompletionRequest({ model: OWN_TIER, max_tokens: maxTokens, messages })
  const { answer } = await openFirst({
    request,
    candidates,
    maxTokens,
    promptTokens: estimatePrompt(promptOf(request)),
    accountId,
    line: lineUntil(signal),
    leave: (_candidate, call) => call.abort(new CallerDisconnected()),
    calls: [],
    times: { ...times, answerMs: ANSWER_MS },
    now,
    hops: [],
  })
  return answer.kind === 'json' ? textOf(answer.json['choices']) : null
}

function textOf(choices: unknown): string | null {
  const [first] = listedFields(choices)
  const { content } = fieldsOf(first?.['message'])
  return typeof content === 'string' && content.trim() !== '' ? content : null
}

/** The connection of an action that waits for the whole response. */
function lineUntil(signal: AbortSignal): Pick<CallerLine, 'isDisconnected' | 'onDisconnect'> {
  return {
    get isDisconnected() {
      return signal.aborted
    },
    onDisconnect(listener) {
      if (signal.aborted) listener()
      else signal.addEventListener('abort', listener, { once: true })
    },
  }
}
