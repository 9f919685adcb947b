import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { faultOf, type Fault } from './fault.ts'

const refusal = (code: string): pg.DatabaseError =>
  Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code })

const CASES: [string, unknown, Fault][] = [
  ['a value that is no JSON', refusal('22P02'), 'data'],
  ['a broken constraint', refusal('23514'), 'data'],
  ["an exception of the gateway's functions", refusal('P0001'), 'data'],
  ['a value that cannot be encoded', new TypeError('undefined has no length'), 'data'],
  ['a deadlock', refusal('40P01'), 'contention'],
  ['a lock timeout', refusal('55P03'), 'contention'],
  ['a serialization failure', refusal('40001'), 'contention'],
  ['a server that shuts down', refusal('57P01'), 'connection'],
  ['a server without free connections', refusal('53300'), 'connection'],
  ['a password that was changed', refusal('28P01'), 'connection'],
  ['a database that was renamed', refusal('3D000'), 'connection'],
  ['a statement whose parser failed before', refusal('26000'), 'contention'],
  ['a server that ends a long transaction with its connection', refusal('25P04'), 'connection'],
  ['a server that became a standby', refusal('25006'), 'connection'],
  ['an internal error of the server', refusal('XX000'), 'connection'],
  [
    'a broken pipe, whose code looks like an SQLSTATE',
    Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }),
    'connection',
  ],
  ['a connection that ended', new Error('Connection terminated unexpectedly'), 'connection'],
  ['nothing at all', null, 'connection'],
]

for (const [what, error, fault] of CASES) {
  test(`classifies ${what} as ${fault}`, () => assert.equal(faultOf(error), fault))
}
