import type { Intents } from '../intents.ts'

export type MemoryIntents = Intents & { readonly steps: string[] }

/** Intents for tests of methods: allows everything and records the steps in order. */
export function memoryIntents(): MemoryIntents {
  const steps: string[] = []
  const note = (step: string) => async (): Promise<void> => void steps.push(step)
  return {
    steps,
    async open() {
      steps.push('opened')
      return 'opened'
    },
    signed: note('signed'),
    paid: note('paid'),
    unknown: note('unknown'),
    unsigned: note('unsigned'),
  }
}
