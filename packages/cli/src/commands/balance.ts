import type { Command } from '../command.ts'
import { dollars } from '../output/money.ts'
import { facts } from '../output/table.ts'

type Balance = {
  readonly mode: string
  readonly balance_micros: number
  readonly held_micros: number
  readonly available_micros: number
  readonly spent_today_micros: number
  readonly spent_month_micros: number
}
type Me = {
  readonly label: string | null
  readonly key_prefix: string
  readonly ceiling_cents: number | null
  readonly ceiling_period: string
  readonly spent_micros: number
  readonly spendable_micros: number
  readonly bound_by: string
}
type Answer<Data> = { readonly data: Data }

export const balance: Command = {
  name: 'balance',
  summary: 'show the balance and the limit of the key',
  flags: {},
  example: 'balance',
  async run(_, { connect, signal }) {
    const client = connect.open()
    const [{ data: account }, { data: key }] = await Promise.all([
      client.request<Answer<Balance>>('GET', '/api/v1/balance', undefined, { signal }),
      client.request<Answer<Me>>('GET', '/api/v1/agents/me', undefined, { signal }),
    ])
    const limit =
      key.ceiling_cents === null
        ? 'no limit'
        : `${dollars(key.spent_micros)} of ${dollars(key.ceiling_cents * 10_000)} ${key.ceiling_period === 'total' ? 'in total' : `per ${key.ceiling_period}`}`
    return {
      data: { balance: account, key },
      text: facts([
        ['gateway', connect.address().url],
        [
          'key',
          `${key.key_prefix}…${key.label === null ? '' : ` (${key.label})`}, ${account.mode === 'test' ? 'test: play money' : account.mode}`,
        ],
        ['available', dollars(account.available_micros)],
        ['held by calls', dollars(account.held_micros)],
        ['spent today', dollars(account.spent_today_micros)],
        ['this month', dollars(account.spent_month_micros)],
        ['limit of key', limit],
        ['can spend now', `${dollars(key.spendable_micros)} (bound by the ${key.bound_by})`],
      ]),
    }
  },
}
