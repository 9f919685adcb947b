import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readIntents } from '../finding/read-intents.ts'
import { judgeValues, type ValueVerdict } from './judge-values.ts'
import { readValueCases, type ValueCase } from './read-values.ts'
import { prepareConsult } from './under-test.ts'

const ask = prepareConsult().withModel(null)

describe('core/consult by the values of its calls, on intents apart from its rules', async () => {
  const rows: {
    readonly expected: ValueCase
    readonly verdict: ValueVerdict
    readonly isCharged: boolean
  }[] = []
  for (const expected of readValueCases(import.meta.dirname, 'held')) {
    const answer = await ask(expected.intent)
    rows.push({ expected, verdict: judgeValues(expected, answer), isCharged: answer.isCharged })
  }
  const isUnanswerable = ({ steps: [first] }: ValueCase): boolean =>
    first?.expected.isUnanswerable === true
  const single = rows.filter(
    ({ expected }) => expected.steps.length === 1 && !isUnanswerable(expected),
  )
  const double = rows.filter(({ expected }) => expected.steps.length === 2)
  const share = (of: typeof rows, verdict: ValueVerdict): number =>
    of.filter((row) => row.verdict === verdict).length / of.length

  test('recommends a right call or asks a right question for four intents of five', () => {
    assert.ok(share(single, 'right') >= 0.8, String(share(single, 'right')))
  })

  test('recommends a wrong call for at most one intent of twelve', () => {
    assert.ok(share(single, 'wrong') <= 0.08, String(share(single, 'wrong')))
  })

  test('names the second of two dependent tasks', () => {
    assert.ok(share(double, 'right') >= 0.6, String(share(double, 'right')))
  })

  test('charges no intent without an action', () => {
    assert.equal(rows.filter((row) => row.isCharged && isUnanswerable(row.expected)).length, 0)
  })

  test('charges no intent of the action search that no action fits', async () => {
    let charged = 0
    for (const { text, right } of readIntents(join(import.meta.dirname, '../finding/test')))
      if (right.length === 0 && (await ask(text)).isCharged) charged += 1
    assert.equal(charged, 0)
  })
})
