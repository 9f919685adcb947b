import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areOwnThoughts, markThoughts, withoutMarkedThoughts } from './thoughts.ts'

const thinking = (signature: string) => ({ type: 'thinking', thinking: 'hm', signature })
const reasoning = (encrypted: string) => ({ type: 'reasoning', encrypted_content: encrypted })
const text = { type: 'text', text: 'x' }
const MINE = markThoughts('maker/model')

test('knows the thoughts of a model by its mark, and counts unsigned ones among them', () => {
  for (const [signature, isOwn] of [
    [markThoughts('m'), true],
    ['', true],
    [undefined, true],
    [null, true],
    [markThoughts('other'), false],
    ['ErUBCkYIBRgC', false],
  ] as const)
    assert.equal(areOwnThoughts(signature, 'm'), isOwn, String(signature))
})

test('removes thoughts of converted answers, and keeps signed ones and the order', () => {
  const user = { role: 'user', content: 'x' }
  const answer = (...content: object[]) => ({ role: 'assistant', content })
  const { messages } = withoutMarkedThoughts({
    messages: [user, answer(thinking(MINE), thinking('Er'), text), answer(thinking(MINE)), user],
  })
  assert.deepEqual(messages, [user, answer(thinking('Er'), text), user])
  const { input } = withoutMarkedThoughts({ input: [reasoning(MINE), reasoning('gA'), user] })
  assert.deepEqual(input, [reasoning('gA'), user])
})

test('returns a body without such thoughts as it is', () => {
  for (const body of [
    { messages: [{ role: 'assistant', content: [thinking('Er'), text] }] },
    { messages: [{ role: 'assistant', content: MINE }] },
    { input: MINE },
    { input: [reasoning('gA')] },
  ])
    assert.equal(withoutMarkedThoughts(body), body)
})
