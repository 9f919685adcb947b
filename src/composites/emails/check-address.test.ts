import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSlots } from '../../lib/fairness/fair-slots.ts'
import { createAddressCheck } from './check-address.ts'
import { createDomainFacts } from './domain-facts.ts'

/** A check of a domain with two servers: the first one never answers, the second is always in use. */
function createCheck(sessionsMs: number) {
  return createAddressCheck({
    names: {
      resolve: async (_domain, kind) =>
        kind === 'MX'
          ? ['mx1.slow.example', 'mx2.slow.example'].map((exchange) => ({ exchange, priority: 1 }))
          : [],
    },
    probe: async () => ({ kind: 'unreachable', isRefused: false }),
    facts: createDomainFacts(() => 0),
    limits: {
      enter: (host, { signal }) =>
        host.startsWith('mx1')
          ? Promise.resolve(() => undefined)
          : new Promise((_resolve, reject) =>
              signal.addEventListener('abort', () => reject(new RangeError('ended'))),
            ),
      rest: () => undefined,
      isResting: () => false,
    },
    slots: createSlots({ places: 1, waiting: 1, what: 'a check' }),
    sessionsMs,
    decoyName: () => 'decoy',
  })
}

test('reports an unreachable server when the time ends before the second one', async () => {
  const check = createCheck(20)
  const { finding } = await check('ana@slow.example', {
    accountId: 'a',
    signal: new AbortController().signal,
  })
  assert.equal(finding, 'unreachable')
})

test('rejects and frees its place when the caller leaves', async () => {
  const check = createCheck(60_000)
  for (const attempt of [1, 2])
    await assert.rejects(
      check('ana@slow.example', { accountId: 'a', signal: AbortSignal.timeout(5) }),
      `attempt ${attempt}`,
    )
})
