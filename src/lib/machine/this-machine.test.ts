import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isThisMachine } from './this-machine.ts'

const hostOf = (host: string): string => new URL(`http://${host}:4020`).hostname

test("distinguishes this machine's names and addresses from similar ones", () => {
  for (const host of [
    'localhost',
    'LOCALHOST',
    '127.0.0.1',
    '127.1',
    '127.9.9.9',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
  ])
    assert.equal(isThisMachine(hostOf(host)), true, host)
  for (const host of [
    'gate.localhost',
    'localhost.example',
    'notlocalhost',
    '127.0.0.1.example',
    '0.0.0.0',
    '10.0.0.1',
    '128.0.0.1',
    '[::2]',
    '[::ffff:127.0.0.1]',
    'example.com',
  ])
    assert.equal(isThisMachine(hostOf(host)), false, host)
})
