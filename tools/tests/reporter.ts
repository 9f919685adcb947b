/** The reporter of a worker: sends each result to the runner. */
import { relative } from 'node:path'
import type { EventData } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import type { Message, TestResult } from './messages.ts'

type Ended = EventData.TestFail | EventData.TestPass

// oxlint-disable-next-line require-yield -- a reporter is a generator of output; results go to the runner instead
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  /** The names of the tests and suites that are running, outermost first. */
  const names: string[] = []
  for await (const { type, data } of events) {
    if (type === 'test:start') names.splice(data.nesting, Infinity, data.name)
    if (type === 'test:diagnostic' && (data.nesting > 0 || data.message.startsWith('Error')))
      send({ kind: 'diagnostic', text: data.message })
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const path = [...names.slice(0, data.nesting), data.name]
    if (isTest(data) || isOwnFailure(data))
      send({ kind: 'test', result: resultOf(path, type === 'test:pass', data) })
    if (data.nesting === 0) send({ kind: 'file', file: data.name, ms: data.details.duration_ms })
  }
}

function send(message: Message): void {
  process.send?.(message)
}

/** The file itself is a test too, and suites are reported like tests. */
const isTest = ({ nesting, details }: Ended): boolean => nesting > 0 && details.type !== 'suite'

/** Whether a file or suite failed by itself, and not because a test in it did. */
const isOwnFailure = (data: Ended): boolean =>
  'error' in data.details &&
  (data.details.error as { failureType?: string }).failureType !== 'subtestsFailed'

function resultOf(path: readonly string[], isPass: boolean, data: Ended): TestResult {
  const { file = '', line = 0, column = 0, details } = data
  const isSkipped = data.skip !== undefined && data.skip !== false
  return {
    path,
    place: `${relative('', file)}:${line}:${column}`,
    outcome: isSkipped ? 'skipped' : isPass ? 'passed' : 'failed',
    ms: details.duration_ms,
    ...('error' in details ? { error: textOf(details.error) } : {}),
  }
}

/** The runner wraps what a test throws. */
const textOf = (error: Error): string => inspect(error.cause ?? error, { depth: 5 })
