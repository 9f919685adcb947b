import type { Database } from '../../src/db/database.ts'
import type { Id } from '../../src/lib/ids.ts'

type Call = {
  amount: bigint
  heldMs: number | null
  asked: { charge: bigint; atMs: number } | null
  ended: { charged: bigint; expired: boolean; atMs: number } | null
}

/** PostgreSQL was killed after the first and was there again before the second, in Unix milliseconds. */
type Outage = { readonly fromMs: number; readonly untilMs: number }

/** The requests of the tellers and their acknowledgements, to compare with the database afterwards. */
/** Each broken promise in words, none when all is well; and how many acknowledged holds went, unposted, with PostgreSQL. */
export type Comparison = { readonly broken: readonly string[]; readonly lost: number }

export type Journal = {
  readonly counts: { asked: number; held: number; ended: number }
  /** Each line ends with the moment at which it was written, in Unix milliseconds. */
  note(line: string): void
  noteOutage(outage: Outage): void
  compare(database: Pick<Database, 'query'>): Promise<Comparison>
}

export function createJournal(): Journal {
  const calls = new Map<Id, Call>()
  const outages: Outage[] = []
  const counts = { asked: 0, held: 0, ended: 0 }

  function note(line: string): void {
    const [what, id = '', ...values] = line.split(' ')
    const [first = '', second = ''] = values
    const atMs = Number(values.at(-1))
    if (what === 'asked-hold') {
      counts.asked += 1
      calls.set(id, { amount: BigInt(first), heldMs: null, asked: null, ended: null })
    }
    const call = calls.get(id)
    if (call === undefined) return
    if (what === 'asked-end') call.asked = { charge: BigInt(first), atMs }
    if (what === 'held') {
      counts.held += 1
      call.heldMs = atMs
    }
    if (what === 'ended') {
      counts.ended += 1
      call.ended = { charged: BigInt(first), expired: second === 'true', atMs }
    }
  }

  /**
   * A hold reaches the disk with the next settlement, or by itself a moment later. So it may be gone when PostgreSQL was
   * killed after it, unless a later settlement was acknowledged before.
   */
  function mayBeLost(heldMs: number): boolean {
    return outages.some(
      ({ fromMs, untilMs }) =>
        heldMs <= untilMs &&
        ![...calls.values()].some(
          ({ asked, ended }) =>
            asked !== null && ended !== null && asked.atMs > heldMs && ended.atMs < fromMs,
        ),
    )
  }

  async function compare(database: Pick<Database, 'query'>): Promise<Comparison> {
    const open = await database.query<{ id: Id }>('select id from holds')
    const posted = await database.query<{
      id: Id
      charged: bigint
      error: string | null
      times: bigint
    }>(
      "select id, sum(-amount_micros)::bigint as charged, min(error_code) as error, count(*) as times from transactions where kind = 'call' group by id",
    )
    const isOpen = new Set(open.rows.map(({ id }) => id))
    const postedById = new Map(posted.rows.map((row) => [row.id, row]))
    const broken: string[] = []
    let lost = 0
    for (const [id, call] of calls) {
      const fact = postedById.get(id)
      if (fact === undefined && call.heldMs !== null && !isOpen.has(id)) {
        if (mayBeLost(call.heldMs)) lost += 1
        else broken.push(`the hold of ${id} was acknowledged and is lost`)
      }
      // The end of a lost hold posts nothing and reports that.
      if (
        fact === undefined &&
        call.ended !== null &&
        (isOpen.has(id) || call.ended.charged !== 0n || !call.ended.expired)
      )
        broken.push(`the end of ${id} was acknowledged and is lost`)
      if (fact === undefined) continue
      if (fact.times > 1n) broken.push(`${id} was posted ${fact.times} times`)
      if (call.ended !== null && fact.charged !== call.ended.charged)
        broken.push(`${id} was charged ${fact.charged}, and ${call.ended.charged} was acknowledged`)
      if (call.ended !== null && call.ended.expired !== (fact.error === 'hold_expired'))
        broken.push(`${id} was acknowledged as ${call.ended.expired ? 'expired' : 'in time'}`)
      if (fact.charged !== 0n && fact.charged !== call.asked?.charge)
        broken.push(`${id} was charged ${fact.charged} when ${call.asked?.charge} was asked`)
    }
    for (const id of [...isOpen, ...postedById.keys()])
      if (!calls.has(id)) broken.push(`nobody asked for ${id}`)
    return { broken, lost }
  }

  return { counts, note, noteOutage: (outage) => void outages.push(outage), compare }
}
