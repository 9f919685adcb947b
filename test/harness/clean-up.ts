import { after } from 'node:test'

const steps: (() => Promise<unknown> | unknown)[] = []

/** Runs `step` when the test file ends, the last one registered first. (`after` itself runs the first one first.) */
export function cleanUp(step: () => Promise<unknown> | unknown): void {
  if (steps.length === 0) after(runAll)
  steps.push(step)
}

async function runAll(): Promise<void> {
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) await step()
}
