/** Counts the intents that were written for each action. Intents of all its endpoints count together. */
import type { Service } from '../../src/catalog/vocabulary/define.ts'
import { normalizeIntent, type Intent } from './read-intents.ts'

/** The fewest intents of an action in the training and test files together. */
export const LEAST_INTENTS = 40

export type IntentCount = {
  /** `service/action`. */
  readonly action: string
  readonly train: number
  /** Without intents of the training files. */
  readonly test: number
}

/** Intents that differ only in case, punctuation and spaces count once. Fewest intents first. */
export function countIntents(
  services: readonly Service[],
  train: readonly Intent[],
  test: readonly Intent[],
): IntentCount[] {
  const trained = collectTexts(train)
  const tested = collectTexts(test)
  return services
    .flatMap(({ id, actions }) => Object.keys(actions).map((name) => `${id}/${name}`))
    .map((action) => {
      const own = trained.get(action) ?? new Set()
      return {
        action,
        train: own.size,
        test: (tested.get(action) ?? new Set()).difference(own).size,
      }
    })
    .toSorted((one, other) => one.train + one.test - other.train - other.test)
}

function collectTexts(intents: readonly Intent[]): Map<string, Set<string>> {
  const texts = new Map<string, Set<string>>()
  for (const { block, text } of intents) {
    const [action = ''] = block.split(' ')
    texts.set(action, (texts.get(action) ?? new Set()).add(normalizeIntent(text)))
  }
  return texts
}
