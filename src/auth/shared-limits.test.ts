/** No caller can use up a limit that all callers share. */
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { manualClock } from '../../test/harness/manual-clock.ts'
import { AppError } from '../errors/app-error.ts'
import { PublicWork } from '../surfaces/http/guards/limit-public-work.ts'
import { WORK_LIMITS } from '../surfaces/http/routes/public/public-routes.ts'
import { Attempts, type AttemptLimits } from './attempts.ts'
import { isPassword } from './password.ts'

const SOURCE = join(import.meta.dirname, '..')
const LARGEST_SHARE = 1 / 5

type Shared = AttemptLimits & { readonly inAll: number }
const shared = new Map<string, Shared>()
/** Places in the code that set a limit in total. */
let written = 0

before(async () => {
  for await (const file of glob('**/*.ts', { cwd: SOURCE })) {
    if (/\.test\.ts$|\/testing\//.test(file)) continue
    const count = [...(await readFile(join(SOURCE, file), 'utf8')).matchAll(/\binAll: /g)].length
    if (count === 0 || file === join('auth', 'attempts.ts')) continue
    const exported = Object.entries((await import(join(SOURCE, file))) as Record<string, unknown>)
    for (const [name, value] of exported)
      if (typeof value === 'object' && value !== null && 'inAll' in value)
        shared.set(`${file} ${name}`, value as Shared)
    written += count
  }
})

/** How many attempts of one caller pass. */
function passing(limits: Shared, caller: { address?: string; account?: string }): number {
  const attempts = new Attempts({ ...limits, windowMs: 60_000 }, manualClock(0))
  for (let passed = 0; passed < limits.inAll; passed += 1)
    try {
      attempts.count({ ...caller, email: `person${passed}@example.com` })
    } catch (error) {
      assert.ok(error instanceof AppError && error.code === 'rate_limited')
      return passed
    }
  return limits.inAll
}

describe('limits for all callers', () => {
  it('are exported, so that this test finds each of them', () => {
    assert.ok(shared.size >= 6)
    // The type of the limits of the link sender has the member as well.
    assert.equal(written, shared.size + 1, [...shared.keys()].join(', '))
  })

  it('admit at most a fifth from one network or account, whichever is known', () => {
    for (const [name, limits] of shared) {
      const callers = [
        ...(limits.fromAddress === undefined ? [] : [{ address: '192.0.2.1' }]),
        ...(limits.byAccount === undefined ? [] : [{ account: 'one' }]),
      ]
      assert.ok(callers.length > 0, name)
      for (const caller of callers)
        assert.ok(passing(limits, caller) <= limits.inAll * LARGEST_SHARE, name)
    }
  })

  it('count no attempt of an unknown caller', () => {
    for (const [name, limits] of shared)
      assert.throws(
        () => new Attempts(limits, manualClock(0)).count({ email: 'a@example.com' }),
        /limit of its caller/,
        name,
      )
  })

  it('leave half of the public work of each second to other networks', () => {
    const clock = manualClock(0)
    const work = new PublicWork(WORK_LIMITS, clock)
    for (let request = 0; request < 200; request += 1)
      try {
        work.start(`2001:db8::${request}`)
      } catch (error) {
        assert.ok(error instanceof AppError && error.code === 'rate_limited', String(error))
      }
    for (let request = 0; request < WORK_LIMITS.perSecond / 2; request += 1)
      work.start(`192.0.2.${request}`)
  })

  it('leave half of the queue for passwords to other networks', async () => {
    const cheap = { N: 2, r: 1, p: 1 }
    const check = (address: string) =>
      isPassword('x', null, cheap, address).then(
        () => 'checked',
        (error: unknown) => (error instanceof AppError ? error.code : 'failed'),
      )
    const thief = Array.from({ length: 100 }, () => check('192.0.2.1'))
    const others = Array.from({ length: 10 }, (_, at) => check(`192.0.2.${at + 2}`))
    assert.ok((await Promise.all(thief)).includes('overloaded'))
    assert.deepEqual(new Set(await Promise.all(others)), new Set(['checked']))
  })
})
