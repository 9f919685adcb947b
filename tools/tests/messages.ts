/** Message of the runner to a worker: the next file, or null after the last one. */
export type Assignment = { readonly file: string | null }

/** Message of a worker to the runner. `ready` requests an `Assignment`. */
export type Message =
  | { readonly kind: 'ready' }
  | { readonly kind: 'test'; readonly result: TestResult }
  | { readonly kind: 'diagnostic'; readonly text: string }
  | { readonly kind: 'file'; readonly file: string; readonly ms: number }

export type TestResult = {
  /** The file, the suites around the test, and its own name. */
  readonly path: readonly string[]
  /** "file:line:column" of its declaration. Tests that a loop declares share it. */
  readonly place: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly ms: number
  /** The error of a failed test, as text with its stack. */
  readonly error?: string
}
