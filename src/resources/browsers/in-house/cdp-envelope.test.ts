import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readEnvelope, rewriteEnvelope } from './cdp-envelope.ts'

const large = 'x'.repeat(100_000)

describe('the envelope of a message from the browser', () => {
  it('has the id and the session of an answer, also of a large one', () => {
    for (const body of ['"result":{}', `"result":{"data":"${large}"}`, '"error":{"code":-32000}']) {
      const text = `{"id":7,${body},"sessionId":"A1"}`
      assert.deepEqual(readEnvelope(text), {
        id: 7,
        sessionId: 'A1',
        attached: null,
        detached: null,
      })
    }
  })

  it('has the session that an event is about, and the one that it adds or removes', () => {
    const event = (method: string): string =>
      `{"method":"${method}","params":{"sessionId":"B2"},"sessionId":"A1"}`
    const about = { id: null, sessionId: 'A1', attached: null, detached: null }
    assert.deepEqual(readEnvelope(event('Page.loadEventFired')), about)
    assert.deepEqual(readEnvelope(event('Target.attachedToTarget')), { ...about, attached: 'B2' })
    assert.deepEqual(readEnvelope(event('Target.detachedFromTarget')), { ...about, detached: 'B2' })
  })

  it('is not read from the content of a message', () => {
    const text = '{"id":7,"result":{"value":",\\"sessionId\\":\\"A1\\"}"}}'
    assert.equal(readEnvelope(text)?.sessionId, null)
    for (const other of ['', '[]', '{"result":{},"id":7}', 'null'])
      assert.equal(readEnvelope(other), null)
  })

  it('is rewritten without a change of the content', () => {
    const text = `{"id":7,"result":{"id":7,"sessionId":"A1","data":"${large}"},"sessionId":"A1"}`
    const envelope = readEnvelope(text) ?? assert.fail('no envelope')
    const content = `"result":{"id":7,"sessionId":"A1","data":"${large}"}`
    assert.equal(
      rewriteEnvelope(text, envelope, { id: 1_000, sessionId: null }),
      `{"id":1000,${content}}`,
    )
    assert.equal(
      rewriteEnvelope(text, envelope, { id: 3, sessionId: 'A1' }),
      `{"id":3,${content},"sessionId":"A1"}`,
    )
  })
})
