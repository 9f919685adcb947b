/**
 * Simulated language models for core/consult. Each reads the prompt and answers as recorded text. They bound what a
 * model can change; they do not show how a real model answers.
 */
import type { Complete } from '../../src/composites/shared/complete.ts'
import { isAcceptable, nameOf, type Target } from './judge.ts'
import type { Case } from './read-cases.ts'

/**
 * `oracle` chooses the first acceptable action and copies the suggested parameters. `mediocre` does so for seven
 * intents of ten, otherwise it chooses the last action. `adversary` chooses an unacceptable action if the prompt has
 * one, otherwise it adds an invented parameter. `broken` answers without JSON.
 */
export const SIMULATED_MODELS = ['oracle', 'mediocre', 'adversary', 'broken'] as const
export type SimulatedModel = (typeof SIMULATED_MODELS)[number]

type Action = Target & { readonly number: number; readonly suggestion: Record<string, unknown> }

export function simulateModel(model: SimulatedModel, cases: readonly Case[]): Complete {
  const byIntent = new Map(cases.map((one) => [one.intent, one]))
  return async ({ prompt }) => {
    // Written by `writePrompt` of ask-model.ts.
    const { intent, actions } = JSON.parse(prompt) as { intent: string; actions: Action[] }
    const expected = byIntent.get(intent)
    if (model === 'broken') return 'I would call the first one, it seems to fit: {"choice": one}'
    const right = actions.find(
      (one) => expected !== undefined && isAcceptable(expected, nameOf(one)),
    )
    const wrong = actions.find(
      (one) => expected === undefined || !isAcceptable(expected, nameOf(one)),
    )
    switch (model) {
      case 'oracle':
        return answer(right)
      case 'mediocre':
        return answer(intent.length % 10 < 7 ? right : actions.at(-1))
      case 'adversary':
        return wrong === undefined ? answer(actions[0], { invented: 'value' }) : answer(wrong)
    }
  }
}

function answer(action: Action | undefined, added: Record<string, unknown> = {}): string {
  return JSON.stringify({
    choice: action?.number ?? null,
    params: { ...action?.suggestion, ...added },
  })
}
