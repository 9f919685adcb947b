import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCatalog } from '../index.ts'
import { descriptor } from './descriptor.ts'
import { exampleNeeds, exampleNeedsSentences } from './example-needs.ts'
import { openapi } from './openapi.ts'
import { fixturePublished } from './testing/small-catalog.ts'

const catalog = createCatalog()
const published = { ...fixturePublished, services: catalog.services }
const document = openapi(published, {
  paths: {},
  schemas: {},
  tags: [],
  securitySchemes: {},
}) as unknown as { paths: Record<string, { post: { 'x-example-needs'?: object } }> }

test('names the parameter to replace and the call that returns its value', () => {
  for (const { service, name, action } of catalog.allActions()) {
    const asked = action.kind === 'call' ? action.ownership?.targetId?.(action.example) : undefined
    const needs = exampleNeeds(action)
    const id = `${service.id}/${name}`
    if (asked !== undefined)
      assert.ok(
        Object.keys(needs).some((param) => action.example[param] === asked),
        id,
      )
    for (const [param, description] of Object.entries(needs)) {
      assert.ok(Object.hasOwn(action.example, param), `${id}: ${param}`)
      assert.match(description, /\b(answered|returned|listed|list-messages)\b/, `${id}: ${param}`)
    }
  }
})

test('publishes replaceable parameters in descriptor and OpenAPI, and none if the example works', () => {
  const needs = { run_id: 'The run_id that agentic/task returned.' }
  const { service } = catalog.findAction('agentic', 'task-status')
  assert.deepEqual(
    [
      descriptor(published, service, 'task-status').example_needs,
      descriptor(published, service, 'task').example_needs,
    ],
    [needs, {}],
  )
  assert.deepEqual(
    [
      document.paths['/api/run/agentic/task-status']?.post['x-example-needs'],
      document.paths['/api/run/agentic/task']?.post['x-example-needs'],
    ],
    [needs, undefined],
  )
  assert.deepEqual(exampleNeedsSentences(catalog.findAction('core', 'result').action), [
    'Replace `job_id` with your own: the job_id that the submission returned.',
  ])
})
