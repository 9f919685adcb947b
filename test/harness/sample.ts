/**
 * Samples of long sweeps. `npm test` runs every n-th case and starts at another one each time; `npm run fire`, a named
 * file and a file run by node alone run all cases. `TEST_SAMPLE=<number>` repeats a sample.
 */

/** Set by the runner of `npm test`. Consecutive numbers together cover all cases. */
const sample = process.env['TEST_SAMPLE']

export type Sampled = {
  /** The first case of the sample, from 0. */
  readonly first: number
  /** The distance between its cases. */
  readonly stride: number
}

/** A sample of one case in `oneIn`. */
export function sampleSteps(oneIn: number): Sampled {
  return sample === undefined
    ? { first: 0, stride: 1 }
    : { first: Number(sample) % oneIn, stride: oneIn }
}

/** The cases of the sample. The list is never empty unless `cases` is. */
export function sampleOf<Case>(cases: readonly Case[], oneIn: number): Case[] {
  const { first, stride } = sampleSteps(Math.max(1, Math.min(oneIn, cases.length)))
  return cases.filter((_, place) => place % stride === first)
}
