import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCatalog } from '../index.ts'
import { answerSchema } from './answer-schema.ts'

test('names the stored files of an answer for the actions with files that are not temporary', () => {
  for (const { service, name, action } of createCatalog().allActions()) {
    const schema = answerSchema(service, name)
    if (schema === undefined) continue
    assert.equal(
      schema.properties?.['kept_files'] !== undefined,
      action.fileFields.some(({ isTemporary }) => isTemporary !== true),
      `${service.id}/${name}`,
    )
    assert.equal(schema.required?.includes('kept_files') ?? false, false)
  }
})
