import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCompletionRequest } from '../ask/read-request.ts'
import { readMessagesRequest } from '../wires/messages/read-messages-request.ts'
import { PrefixAffinity, prefixKeyOf } from './prefix-affinity.ts'

const CANDIDATES = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
const MARK = { cache_control: { type: 'ephemeral' } }
const body = (...questions: string[]) => ({
  model: 'core/mid',
  max_tokens: 10,
  system: [{ type: 'text', text: 'rules', ...MARK }],
  messages: questions.map((content) => ({ role: 'user', content })),
})
const keyOf = (value: object, account = 'one') =>
  prefixKeyOf(readMessagesRequest(value, {}, new Set()), account, 'core/mid')

test('puts the model with the cached prefix first, for the same account only', () => {
  const affinity = new PrefixAffinity()
  affinity.note(keyOf(body('Hello.')), 'b')
  const ids = (key: string | null) => affinity.order(key, CANDIDATES).map(({ id }) => id)
  assert.deepEqual(ids(keyOf(body('Hello.', 'And now?'))), ['b', 'a', 'c'])
  assert.deepEqual(ids(keyOf(body('Other.'))), ['a', 'b', 'c'])
  assert.deepEqual(ids(keyOf(body('Hello.'), 'two')), ['a', 'b', 'c'])
})

test('ignores requests without cache marks, and models that are no candidates', () => {
  const plain = readCompletionRequest({
    model: 'core/mid',
    messages: [{ role: 'user', content: 'Hello.' }],
  })
  assert.equal(prefixKeyOf(plain, 'one', 'core/mid'), null)
  const affinity = new PrefixAffinity()
  affinity.note(keyOf(body('Hello.')), 'gone')
  assert.deepEqual(affinity.order(keyOf(body('Hello.')), CANDIDATES), CANDIDATES)
})
