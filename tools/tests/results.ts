/** Prints results while they come in, and the failures and counts at the end. */
import type { Message, TestResult } from './messages.ts'

const SIGNS = { passed: '✔', failed: '✖', skipped: '﹣' } as const

export type ResultsOptions = {
  readonly write: (text: string) => void
  /** Whether to print each test. Otherwise a line for each file and each failed test. */
  readonly isDetailed: boolean
}

export class Results {
  readonly #write: (text: string) => void
  readonly #isDetailed: boolean
  readonly #startMs = performance.now()
  readonly #byFile = new Map<string, TestResult[]>()

  constructor({ write, isDetailed }: ResultsOptions) {
    this.#write = write
    this.#isDetailed = isDetailed
  }

  add(message: Message): void {
    if (message.kind === 'diagnostic') this.#write(`ℹ ${message.text}\n`)
    if (message.kind === 'test') this.#resultsOf(message.result.path[0] ?? '').push(message.result)
    if (message.kind === 'file') this.#printFile(message.file, message.ms)
  }

  get all(): readonly TestResult[] {
    return [...this.#byFile.values()].flat()
  }

  get failed(): readonly TestResult[] {
    return this.all.filter(({ outcome }) => outcome === 'failed')
  }

  /** Prints every failure and the counts. */
  printSummary(): void {
    const { all, failed } = this
    if (failed.length > 0) this.#write('\n✖ failing tests:\n')
    for (const result of failed)
      this.#write(`\ntest at ${result.place}\n✖ ${nameOf(result)}\n${indent(result.error ?? '')}\n`)
    const skipped = all.filter(({ outcome }) => outcome === 'skipped').length
    const counts = {
      tests: all.length,
      // Tests that a loop declares share their place.
      declarations: new Set(all.map(({ place }) => place)).size,
      files: this.#byFile.size,
      pass: all.length - failed.length - skipped,
      fail: failed.length,
      skipped,
      duration_s: seconds(performance.now() - this.#startMs),
    }
    const lines = Object.entries(counts).map(([name, count]) => `ℹ ${name} ${count}\n`)
    this.#write(`\n${lines.join('')}`)
  }

  #resultsOf(file: string): TestResult[] {
    const results = this.#byFile.get(file) ?? []
    this.#byFile.set(file, results)
    return results
  }

  #printFile(file: string, ms: number): void {
    const results = this.#resultsOf(file)
    const hasFailed = results.some(({ outcome }) => outcome === 'failed')
    this.#write(
      `${SIGNS[hasFailed ? 'failed' : 'passed']} ${file} (${results.length} tests, ${seconds(ms)} s)\n`,
    )
    for (const result of results)
      if (this.#isDetailed || result.outcome === 'failed')
        this.#write(`  ${SIGNS[result.outcome]} ${nameOf(result)} (${Math.round(result.ms)} ms)\n`)
  }
}

/** The suites around a test and its name; the file when it failed as a whole. */
function nameOf({ path: [file = '', ...names] }: TestResult): string {
  return names.length === 0 ? file : names.join(' › ')
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1)

const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ')
