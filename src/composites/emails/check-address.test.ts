import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSlots } from '../../lib/fairness/fair-slots.ts'
import { createTargetRation } from '../../lib/fairness/target-ration.ts'
import { createAddressCheck } from './check-address.ts'
import { classifyReply } from './classify-reply.ts'
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
    ration: createTargetRation({
      now: () => 0,
      ofAccount: 100,
      ofAccountToTarget: 100,
      toTarget: 100,
      what: 'checks',
    }),
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

test('distinguishes replies about the gateway from those about the address', () => {
  const CASES = {
    blocked: [
      '421 4.7.0 [TSS04] Messages temporarily deferred',
      '450 4.7.25 Client host rejected: cannot find your reverse hostname',
      '451 4.7.1 203.0.113.9 is listed in an RBL',
      '550 5.7.1 Relay access denied',
    ],
    deferred: [
      '450 4.2.1 receives mail at too high a rate',
      '451 4.7.1 Greylisting policy, try again',
      '450 4.2.0 try again later',
    ],
    unclear: ['452 4.2.2 mailbox full', '552 5.2.2 over quota'],
    rejected: [
      '550 5.1.1 blocked@policy.example: no such user',
      '550 5.4.1 Recipient address rejected: Access denied. AS(201806281)',
      '550 <full@spam.example>: unknown',
    ],
    accepted: ['250 2.1.5 ok', '251 will forward'],
  }
  for (const [expected, replies] of Object.entries(CASES))
    for (const reply of replies)
      assert.equal(
        classifyReply({ code: Number(reply.slice(0, 3)), text: reply.slice(4) }),
        expected,
        reply,
      )
})
