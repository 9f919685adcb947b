/** The conformance suite of the tasks extension, on jobs of the gateway. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openSocketBed } from '../../../src/surfaces/mcp/testing/socket-bed.ts'
import { cleanUp } from '../../harness/clean-up.ts'
import { runScenario } from './run-suite.ts'
import { runTask, startTasksProxy } from './tasks-proxy.ts'

let url: string
before(async () => {
  const { bed, url: target } = await openSocketBed()
  bed.handleWith(runTask)
  const worker = bed.hire()
  const proxy = await startTasksProxy(target, () => void worker.wake())
  cleanUp(proxy.close)
  ;({ url } = proxy)
})

/** Scenarios, with the checks that do not apply to the gateway. */
const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  // A failed job is a completed task whose result is an error, so no task of the gateway ends as failed.
  'tasks-lifecycle': ['sep-2663-tasks-get-status-failed'],
  'tasks-capability-negotiation': [],
  'tasks-wire-fields': [],
  'tasks-request-state-removal': [],
  // The check compares the text of the tool `greet`.
  'tasks-request-headers': ['tasks-headers-tolerate-mcp-method-on-tools-call'],
  // The check needs a job that asks the person a question.
  'tasks-dispatch-and-envelope': ['tasks-result-type-complete-on-non-task-responses'],
}

describe('jobs as tasks', { timeout: 120_000 }, () => {
  for (const [scenario, notApplicable] of Object.entries(SCENARIOS))
    it(`pass ${scenario}`, async () => {
      const { passed, failed } = await runScenario(url, scenario)
      assert.deepEqual(failed, notApplicable)
      assert.ok(passed.length >= 3 && passed.includes('wire-schema-valid'), passed.join(', '))
    })
})
