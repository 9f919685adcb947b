import { after } from 'node:test'

const steps: (() => unknown)[] = []

/** Runs `step` when every test of the file is done, the last one registered first, wherever in the file it was called. */
export function cleanUp(step: () => unknown): void {
  steps.push(step)
}

// Registered while the module loads, so it belongs to the file and not to the test or hook that calls `cleanUp`.
after(async () => {
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) await step()
})
