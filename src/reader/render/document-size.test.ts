import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { DocumentTooLarge, watchDocuments } from './document-size.ts'

const MEGABYTE = 1024 * 1024

/** A page whose replies to probes the test controls. */
function pageThat(answer: () => Promise<unknown>) {
  const session = Object.assign(new EventEmitter(), {
    send: (method: string) => (method === 'Runtime.evaluate' ? answer() : Promise.resolve()),
  })
  const page = {
    context: () => ({ newCDPSession: () => Promise.resolve(session) }),
  } as unknown as Page
  const receive = (requestId: string, bytes: number): void => {
    session.emit('Network.requestWillBeSent', { requestId, type: 'Document' })
    session.emit('Network.dataReceived', { requestId, dataLength: bytes })
  }
  return { page, receive }
}

test('aborts when the page leaves a large document for another one that blocks it', async () => {
  const asked: PromiseWithResolvers<unknown>[] = []
  const { page, receive } = pageThat(() => {
    const answer = Promise.withResolvers<unknown>()
    asked.push(answer)
    return answer.promise
  })
  const { tooLarge } = await watchDocuments(page, { maxBytes: 10 * MEGABYTE, answerMs: 1 })
  receive('first', 3 * MEGABYTE)
  // As the browser does with a request to a document that the page has left.
  asked[0]?.reject(new Error('Inspected target navigated or closed'))
  await new Promise((turn) => setImmediate(turn))
  assert.equal(tooLarge.aborted, false)
  receive('second', 3 * MEGABYTE)
  assert.equal(asked.length, 2)
  await new Promise((given) => tooLarge.addEventListener('abort', given))
  assert.ok(tooLarge.reason instanceof DocumentTooLarge)
})
