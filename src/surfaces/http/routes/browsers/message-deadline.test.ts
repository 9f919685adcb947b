import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { limitMessageTime } from './message-deadline.ts'

let raw: EventEmitter
let socket: EventEmitter & { terminate(): void }
let isTerminated: boolean

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] })
  isTerminated = false
  raw = new EventEmitter()
  socket = Object.assign(new EventEmitter(), { terminate: () => void (isTerminated = true) })
  limitMessageTime(socket as never, raw as never)
})
afterEach(() => mock.timers.reset())

describe('the deadline of a message from a client', () => {
  it('disconnects a client with an unfinished message after 30 seconds', () => {
    raw.emit('data', Buffer.alloc(100))
    mock.timers.tick(29_999)
    assert.equal(isTerminated, false)
    mock.timers.tick(1)
    assert.equal(isTerminated, true)
  })

  it('does not move with further frames, pings and pongs', () => {
    raw.emit('data', Buffer.alloc(100))
    for (const name of ['ping', 'pong']) {
      mock.timers.tick(10_000)
      raw.emit('data', Buffer.alloc(10))
      socket.emit(name, Buffer.alloc(4))
    }
    mock.timers.tick(10_000)
    assert.equal(isTerminated, true)
  })

  it('does not apply between messages', () => {
    for (const [name, bytes] of [
      ['message', 100],
      ['pong', 6],
      ['ping', 10],
    ] as const) {
      raw.emit('data', Buffer.alloc(bytes))
      socket.emit(name, Buffer.alloc(Math.max(0, bytes - 6)))
    }
    mock.timers.tick(60_000)
    assert.equal(isTerminated, false)
  })
})
