import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StartError } from '../errors/start-error.ts'
import { hostsOf } from './hosts.ts'

describe('the hosts of a DATABASE_URL', () => {
  for (const [url, hosts] of [
    ['postgres://u:p@h/d', ['postgres://u:p@h/d']],
    ['postgresql://h', ['postgresql://h']],
    [
      'postgres://u:p@h1:5432,h2:5433/d?sslmode=require',
      ['postgres://u:p@h1:5432/d?sslmode=require', 'postgres://u:p@h2:5433/d?sslmode=require'],
    ],
    [
      'postgres://u:p%40,q@[::1]:5432,10.0.0.2/d',
      ['postgres://u:p%40,q@[::1]:5432/d', 'postgres://u:p%40,q@10.0.0.2/d'],
    ],
    [
      'postgres://u@/d?host=/run/a,/run/b',
      ['postgres://u@/d?host=%2Frun%2Fa', 'postgres://u@/d?host=%2Frun%2Fb'],
    ],
    [
      'postgres://u@/d?host=h1,h2&port=1,2',
      ['postgres://u@/d?host=h1&port=1', 'postgres://u@/d?host=h2&port=2'],
    ],
    [
      'postgres://u@/d?host=h1,h2&port=1',
      ['postgres://u@/d?host=h1&port=1', 'postgres://u@/d?host=h2&port=1'],
    ],
  ] as const) {
    it(`are read in order from ${url}`, () => assert.deepEqual(hostsOf(url), hosts))
  }

  for (const wanted of ['any', 'read-write', 'primary']) {
    it(`are accepted with target_session_attrs=${wanted}`, () =>
      assert.equal(hostsOf(`postgres://h1,h2/d?target_session_attrs=${wanted}`).length, 2))
  }

  for (const [url, words] of [
    [
      'postgres://u:hunter2@h1,h2/d?target_session_attrs=standby',
      /the gateway writes with every call\. Use read-write/,
    ],
    ['postgres://u:hunter2@h/d?target_session_attrs=read-only', /Use read-write/],
    ['postgres://u:hunter2@h1,h2/d?target_session_attrs=prefer-standby', /Use read-write/],
    [
      'postgres://u:hunter2@h1,h2/d?target_session_attrs=invalidSetting',
      /unknown target_session_attrs\. Use one of any, read-write, primary/,
    ],
    ['postgres://u:hunter2@h1,,h2/d', /one of its hosts has no name/],
    ['postgres://u:hunter2@h1:port,h2/d', /one of its hosts or ports is malformed/],
    ['postgres://u:hunter2@h1,h2/d?host=h3,h4', /hosts before the name/],
    ['postgres://u:hunter2@/d?host=h1,h2,h3&port=1,2', /numbers of hosts and ports differ/],
    ['mysql://u:hunter2@h/d', /must look like postgres:/],
  ] as const) {
    it(`are refused with a reason and without the password in ${url}`, () => {
      assert.throws(
        () => hostsOf(url),
        (error) =>
          error instanceof StartError &&
          error.message.startsWith('DATABASE_URL') &&
          words.test(error.message) &&
          !error.message.includes('hunter2'),
      )
    })
  }
})
