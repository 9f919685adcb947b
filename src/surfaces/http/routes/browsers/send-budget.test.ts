import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createSendBudget } from './send-budget.ts'

function fakeSocket(bufferedAmount: number) {
  const events: string[] = []
  return {
    events,
    bufferedAmount,
    on() {
      return this as never
    },
    terminate: () => void events.push('terminated'),
    send: (data: Buffer | string) => void events.push(String(data)),
  }
}

describe('the memory for unread messages of a session', () => {
  it('is shared by its clients: the slowest one is disconnected for another message', () => {
    const budget = createSendBudget(100)
    const [slow, quick] = [fakeSocket(60), fakeSocket(39)]
    budget.add(slow)
    budget.add(quick)
    budget.send(quick, Buffer.from('a'))
    assert.deepEqual([slow.events, quick.events], [[], ['a']])
    budget.send(quick, Buffer.from('é'))
    assert.deepEqual([slow.events, quick.events], [['terminated'], ['a', 'é']])
  })

  it('includes the new message, in bytes', () => {
    const budget = createSendBudget(100)
    const socket = fakeSocket(0)
    budget.add(socket)
    budget.send(socket, Buffer.from('é'.repeat(51)))
    assert.deepEqual(socket.events, ['terminated'])
    budget.send(socket, Buffer.from('a'))
    assert.deepEqual(socket.events, ['terminated'])
  })
})
