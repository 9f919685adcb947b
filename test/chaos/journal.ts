import type { Database } from '../../src/db/database.ts'
import type { Id } from '../../src/lib/ids.ts'

type Call = { amount: bigint; held: boolean; asked: bigint | null; ended: { charged: bigint; expired: boolean } | null }

/** What the tellers asked and what was acknowledged to them, to be compared with what the database knows afterwards. */
export type Journal = {
  readonly counts: { asked: number; held: number; ended: number }
  note(line: string): void
  /** Each broken promise in words; none when all is well. */
  compare(database: Database): Promise<string[]>
}

export function createJournal(): Journal {
  const calls = new Map<Id, Call>()
  const counts = { asked: 0, held: 0, ended: 0 }

  function note(line: string): void {
    const [what, id = '', first = '', second = ''] = line.split(' ')
    if (what === 'asked-hold') {
      counts.asked += 1
      calls.set(id, { amount: BigInt(first), held: false, asked: null, ended: null })
    }
    const call = calls.get(id)
    if (call === undefined) return
    if (what === 'asked-end') call.asked = BigInt(first)
    if (what === 'held') {
      counts.held += 1
      call.held = true
    }
    if (what === 'ended') {
      counts.ended += 1
      call.ended = { charged: BigInt(first), expired: second === 'true' }
    }
  }

  async function compare(database: Database): Promise<string[]> {
    const open = await database.query<{ id: Id }>('select id from holds')
    const posted = await database.query<{ id: Id; charged: bigint; error: string | null; times: bigint }>(
      "select id, sum(-amount_micros)::bigint as charged, min(error_code) as error, count(*) as times from transactions where kind = 'call' group by id",
    )
    const isOpen = new Set(open.rows.map(({ id }) => id))
    const postedById = new Map(posted.rows.map((row) => [row.id, row]))
    const broken: string[] = []
    for (const [id, call] of calls) {
      const fact = postedById.get(id)
      if (call.held && fact === undefined && !isOpen.has(id)) broken.push(`the hold of ${id} was acknowledged and is lost`)
      if (call.ended !== null && fact === undefined) broken.push(`the end of ${id} was acknowledged and is lost`)
      if (fact === undefined) continue
      if (fact.times > 1n) broken.push(`${id} was posted ${fact.times} times`)
      if (call.ended !== null && fact.charged !== call.ended.charged) broken.push(`${id} was charged ${fact.charged}, and ${call.ended.charged} was acknowledged`)
      if (call.ended !== null && call.ended.expired !== (fact.error === 'hold_expired')) broken.push(`${id} was acknowledged as ${call.ended.expired ? 'expired' : 'in time'}`)
      if (fact.charged !== 0n && fact.charged !== call.asked) broken.push(`${id} was charged ${fact.charged} when ${call.asked} was asked`)
    }
    for (const id of [...isOpen, ...postedById.keys()]) if (!calls.has(id)) broken.push(`nobody asked for ${id}`)
    return broken
  }

  return { counts, note, compare }
}
