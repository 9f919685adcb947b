import { after } from 'node:test'

const steps: (() => unknown)[] = []

/** Runs `step` after the last test of the file. Steps run in reverse order of registration. */
export function cleanUp(step: () => unknown): void {
  steps.push(step)
}

/** Runs the registered steps. A worker of `npm test` calls this after each of its files. */
export async function runCleanUp(): Promise<void> {
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) await step()
}

// Registered while the module loads, so it belongs to the file and not to the test or hook that calls `cleanUp`.
after(runCleanUp)
