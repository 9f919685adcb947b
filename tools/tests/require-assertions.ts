import assert, { AssertionError } from 'node:assert/strict'
import type { TestContext } from 'node:test'

let assertionCount = 0
const assertions = assert as unknown as Record<string, unknown>
for (const [name, assertion] of Object.entries<unknown>(assertions)) {
  if (typeof assertion !== 'function' || !/^[a-z]/.test(name)) continue
  // A getter adds no frame to the stack, so messages and locations stay those of the assertion.
  Object.defineProperty(assertions, name, {
    get() {
      assertionCount += 1
      return assertion
    },
  })
}

/** Fails each test below `context` that passes without an assertion. Tests of one process run one after another. */
export function requireAssertions(context: TestContext): void {
  const countAtStart = new Map<string, number>()
  context.beforeEach((test) => {
    countAtStart.set(test.fullName, assertionCount)
  })
  context.afterEach((test) => {
    const isWithout = countAtStart.get(test.fullName) === assertionCount
    countAtStart.delete(test.fullName)
    // The types of Node 24 leave `passed` out.
    if (isWithout && (test as TestContext & { readonly passed: boolean }).passed)
      throw new AssertionError({ message: 'The test makes no assertion.' })
  })
}
