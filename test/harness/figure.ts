import type { TestContext } from 'node:test'

const MARK = 'figure: '

/** A measured figure of docs/faults.md. `isMet` states whether it is within the target. */
export type Figure = {
  readonly what: string
  readonly measured: string
  readonly must: string
  readonly isMet: boolean
}

/** Reports a figure in the output of the test, where `bench/faults.ts` collects it. */
export function reportFigure(context: Pick<TestContext, 'diagnostic'>, figure: Figure): void {
  context.diagnostic(`${MARK}${JSON.stringify(figure)}`)
}

/** The figures in the output of a test run. */
export function figuresIn(output: string): Figure[] {
  return [...output.matchAll(new RegExp(`${MARK}(\\{.*\\})`, 'g'))].map(
    ([, json]) => JSON.parse(json ?? '') as Figure,
  )
}
