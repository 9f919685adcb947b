import type { TestVendor } from '../harness/vendors/vendor.ts'
import type { Charge } from './bed.ts'
import type { Answer } from './client.ts'

/** The callers' results, to compare with the vendor's requests and the books. */
export type Journal = {
  readonly answers: readonly Answer[]
  /** An answer to the call whose input names `query`. Each call has a query of its own, its retries the same one. */
  note(query: string, answer: Answer): void
  /** Each broken promise in words; none when all is well. */
  compare(vendor: TestVendor, charges: readonly Charge[]): string[]
}

export function createJournal(): Journal {
  const answers: Answer[] = []
  const bodies = new Map<string, Set<string>>()
  return {
    answers,
    note(query, answer) {
      answers.push(answer)
      if (answer.status === 200)
        bodies.set(query, (bodies.get(query) ?? new Set()).add(answer.text))
    },
    compare: (vendor, charges) => [
      ...brokenAnswers(answers, charges),
      ...brokenCharges(vendor, charges),
      ...brokenReplays(bodies),
    ],
  }
}

function brokenAnswers(answers: readonly Answer[], charges: readonly Charge[]): string[] {
  const posted = new Map(charges.map((charge) => [charge.id, charge]))
  const broken: string[] = []
  if (posted.size < charges.length)
    broken.push(`${charges.length - posted.size} calls are posted more than once`)
  for (const { status, code, callId, chargedMicros, replayed } of answers) {
    const micros = posted.get(callId)?.micros ?? null
    if (status === 200 && micros === null)
      broken.push(`${callId} was answered and is not in the books`)
    else if (status === 200 && micros !== BigInt(chargedMicros))
      broken.push(
        `${callId} was told ${chargedMicros} and charged ${micros}${replayed ? ' (replayed)' : ''}`,
      )
    else if (status !== 200 && micros !== null && micros !== 0n)
      broken.push(`${callId} was told ${code} and charged ${micros}`)
  }
  return broken
}

/** The vendor receives the id of the call, so each charge leads to its input. */
function brokenCharges({ requests }: TestVendor, charges: readonly Charge[]): string[] {
  const queries = new Map(
    requests.map(({ headers, body }) => [
      String(headers['idempotency-key']),
      (body as { query: string }).query,
    ]),
  )
  const charged = new Map<string, string>()
  const broken: string[] = []
  for (const { id, micros } of charges) {
    if (micros === 0n) continue
    const query = queries.get(id)
    if (query === undefined) broken.push(`${id} was charged, and no vendor was asked`)
    else if (charged.has(query))
      broken.push(`${query} was charged twice: ${charged.get(query)} and ${id}`)
    else charged.set(query, id)
  }
  return broken
}

function brokenReplays(bodies: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return [...bodies]
    .filter(([, texts]) => texts.size > 1)
    .map(([query, texts]) => `${query} has ${texts.size} different answers`)
}
