import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import type { BoundedComplete } from '../shared/complete.ts'
import { createExtractData, requireSchema } from './extract-data.ts'
import type { Wanted } from './extraction.ts'
import { createSchemaChecker, type SchemaChecker } from './schema-checker.ts'

const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' }, price: { type: ['number', 'null'] } },
  required: ['name'],
  additionalProperties: false,
}
const PAGE = {
  url: 'https://a.example/x',
  title: 'Crane',
  text: '# Crane\nThe **crane** costs 40\neuros a day.',
}
const visitor = { accountId: 'a', signal: new AbortController().signal }

describe('structured extraction', () => {
  const checker = createSchemaChecker()
  const asked: Parameters<BoundedComplete>[0][] = []
  const extract = (answers: readonly (string | null)[], wanted: Wanted, check = checker) => {
    asked.length = 0
    const complete: BoundedComplete = async (request) => {
      asked.push(request)
      const answer = answers[asked.length - 1] ?? null
      return answer === null ? null : { answer, isCut: false }
    }
    return createExtractData({ complete, checker: check })({
      wanted,
      pages: [PAGE],
      mostMicros: 8_000n,
      mode: 'live',
      visitor,
    })
  }

  it('returns the object of an answer that fits the schema', async () => {
    const found = await extract(['Here it is: ```json\n{"name":"Crane","price":40}\n```'], {
      schema: SCHEMA,
    })
    assert.deepEqual(found, { kind: 'data', data: { name: 'Crane', price: 40 }, isCut: false })
    assert.equal(asked.length, 1)
    assert.match(asked[0]?.texts[0] ?? '', /The \*\*crane\*\* costs/)
  })

  it('repairs an answer once, with its problems, within the same cost limit', async () => {
    const wrong = '{"price":"forty"}'
    const found = await extract([wrong, '{"name":"Crane","price":40}'], { schema: SCHEMA })
    assert.equal(found.kind, 'data')
    assert.deepEqual(
      asked.map(({ mostMicros }) => mostMicros),
      [4_000n, 4_000n],
    )
    assert.match(asked[1]?.prompt ?? '', /required property 'name'/)
    assert.ok(asked[1]?.prompt.includes(wrong))
    const failed = await extract([wrong, wrong, '{"name":"late"}'], { schema: SCHEMA })
    assert.equal(failed.kind, 'failed')
    assert.equal(asked.length, 2)
  })

  it('accepts any object for a prompt alone, and no other answer', async () => {
    assert.equal((await extract(['{"offer":"a crane"}'], { prompt: 'The offer.' })).kind, 'data')
    assert.match(asked[0]?.prompt ?? '', /The offer\./)
    assert.equal((await extract(['no', '[1]'], { prompt: 'The offer.' })).kind, 'failed')
    assert.deepEqual(await extract([null], { prompt: 'The offer.' }), {
      kind: 'failed',
      reason: 'No language model answered within the cost limit.',
    })
  })

  it('fails without repair if the answer fits the schema and contains nothing', async () => {
    for (const empty of ['{}', '{"name":""}', '{"name":" ","price":null}']) {
      const schema = { ...SCHEMA, required: [] }
      assert.deepEqual(await extract([empty], { schema }), {
        kind: 'failed',
        reason: 'The pages do not contain the wanted data.',
        isAnswered: true,
      })
      assert.equal(asked.length, 1)
    }
  })

  it('cites only passages that stand in the page', async () => {
    const answer = {
      data: { name: 'Crane', price: 40, colour: 'red', owner: null },
      passages: { price: 'the crane costs 40 euros', colour: 'The crane is red.' },
    }
    const found = await extract([JSON.stringify(answer)], { prompt: 'All facts.', basis: true })
    assert.ok(found.kind === 'data')
    assert.deepEqual(
      found.basis?.map(({ field, status, citations }) => [field, status, citations.length]),
      [
        ['name', 'unverified', 0],
        ['price', 'supported', 1],
        ['colour', 'unverified', 0],
        ['owner', 'notFound', 0],
      ],
    )
  })

  it('fails instead of repeating a paid request if no check is possible', async () => {
    const busy: SchemaChecker = { check: () => Promise.reject(new AppError('overloaded')) }
    assert.equal((await extract(['{"name":"Crane"}'], { schema: SCHEMA }, busy)).kind, 'failed')
    assert.equal(asked.length, 1)
  })

  it('rejects schemas that are wrong, too long or refer to the outside, by name', async () => {
    for (const schema of [
      { type: 'text' },
      { $ref: 'https://elsewhere.example/schema.json' },
      { description: 'x'.repeat(16_001) },
    ])
      await assert.rejects(requireSchema(checker, { schema, param: 'jsonSchema' }, visitor), {
        code: 'invalid_params',
        param: 'jsonSchema',
      })
    const older = { $schema: 'http://json-schema.org/draft-07/schema#', ...SCHEMA }
    await requireSchema(checker, { schema: older, param: 'schema' }, visitor)
  })

  it('ends the check of a schema that takes unbounded time', async () => {
    const levels = Array.from({ length: 40 }, (_, level) => [
      `level${level}`,
      { allOf: Array.from({ length: 2 }, () => ({ $ref: `#/$defs/level${level + 1}` })) },
    ])
    const nested = {
      $ref: '#/$defs/level0',
      $defs: { ...Object.fromEntries(levels), level40: { type: 'object' } },
    }
    const short = createSchemaChecker({ cpuMs: 2_000 })
    assert.deepEqual(await short.check({ schema: nested, value: {} }, visitor), {
      kind: 'bad_schema',
      reason: 'it takes too long to check',
    })
  })
})
