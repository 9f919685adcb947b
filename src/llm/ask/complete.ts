import { AppError } from '../../errors/app-error.ts'
import type { Mode } from '../../lib/mode.ts'
import { CallerDisconnected, type CallerLine } from './caller-line.ts'
import type { Router } from './create-router.ts'
import { fieldsOf, listedFields } from '../../lib/json-fields.ts'
import { openFirst } from './open-first.ts'
import { estimatePrompt, promptOf } from '../bill/prompt-tokens.ts'
import { readCompletionRequest } from './read-request.ts'

/** The tier for the gateway's own requests, which cost far below a tenth of a cent. */
const OWN_TIER = 'core/cheap'
const ANSWER_MS = 45_000

type OwnRequest = {
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
export function createComplete({
  directory,
  times,
  now,
}: Router): (request: OwnRequest) => Promise<string | null> {
  return async ({ system, prompt, maxTokens, mode, accountId, signal }) => {
    const messages = [
      { role: 'system', content: system },
      { role: 'user', content: prompt },
    ]
    const request = readCompletionRequest({ model: OWN_TIER, max_tokens: maxTokens, messages })
    try {
      const candidates = await directory.candidatesFor(request.model, mode, request.needs)
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
    } catch (error) {
      if (error instanceof AppError || error instanceof CallerDisconnected) return null
      throw error
    }
  }
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
