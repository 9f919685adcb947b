import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findStartAdvice } from './start-advice.ts'

for (const [what, said, advice] of [
  [
    'a full disk',
    'FATAL:  could not write to file "base/4/1249": No space left on device',
    'The disk is full',
  ],
  [
    'data of another version',
    'FATAL:  database files are incompatible with server\nDETAIL:  The data directory was initialized by PostgreSQL version 16',
    'another version of PostgreSQL',
  ],
  [
    'a data folder that others may read',
    'FATAL:  data directory "/d/postgres/data" has invalid permissions\nDETAIL:  Permissions should be u=rwx (0700)',
    'chmod 700',
  ],
  [
    'data of another user',
    'FATAL:  data directory "/d/postgres/data" has wrong ownership\nHINT:  The server must be started by the user that owns the data directory.',
    'chown -R',
  ],
  [
    'root in a container',
    'unshare: unshare failed: Operation not permitted',
    'as an ordinary user',
  ],
  ['anything else', 'FATAL:  something else', 'set DATABASE_URL'],
] as const) {
  test(`advises the operator about ${what}`, () =>
    assert.ok(findStartAdvice(said).includes(advice), findStartAdvice(said)))
}
