import {
  listPayments,
  PAYMENT_STATUSES,
  readOutflow,
  resolvePayment,
  type PaymentRecord,
} from '../../../calls/payments/queue.ts'
import { listUnknownSales } from '../../../calls/selling/sales.ts'
import { formatDollars } from '../../../lib/money.ts'
import { walletBalances } from '../../../app/wiring/wallet.ts'
import { UsageError, type Command } from '../command.ts'
import { readChoice, readText, readWholeNumber } from '../read-value.ts'
import { columns } from '../show.ts'

const MOST_LISTED = 1_000
const LONGEST_NOTE = 500

export const paymentsList: Command = {
  name: 'payments list',
  summary:
    'payments to merchants that wait for a decision: signed, and nobody knows whether the money moved',
  flags: {
    status: {
      value: '<status>',
      about: `${PAYMENT_STATUSES.join(', ')}; unknown when left out, which is the queue`,
    },
    limit: { value: '<count>', about: `at most so many, newest first; 100 when left out` },
  },
  example: './tollgate payments list --json',
  async run({ flags }, tools) {
    const status = readChoice('status', flags['status'], PAYMENT_STATUSES, 'unknown')
    const limit = flags['limit'] === undefined ? 100 : readWholeNumber('limit', flags['limit'])
    if (limit < 1 || limit > MOST_LISTED)
      throw new UsageError(`--limit is a number from 1 to ${MOST_LISTED}.`)
    const database = await tools.database()
    const [payments, outflow] = [
      await listPayments(database, status, limit),
      await readOutflow(database, tools.now()),
    ]
    const { dailyCeiling: ceiling, chosenCeiling } = tools.config().pay
    const summary = `${outflow.waiting} waiting. Paid or reserved today: ${formatDollars(outflow.today)} of ${formatDollars(ceiling)}. By /api/fetch: ${formatDollars(outflow.chosen)} of ${formatDollars(chosenCeiling)}.`
    const table = columns(
      ['id', 'created', 'for', 'merchant', 'method', 'amount', 'why'],
      payments.map(rowOf),
    )
    return {
      data: {
        payments,
        waiting: outflow.waiting,
        outflow_today_micros: Number(outflow.today),
        daily_ceiling_micros: Number(ceiling),
        fetch_outflow_today_micros: Number(outflow.chosen),
        fetch_ceiling_micros: Number(chosenCeiling),
      },
      text:
        payments.length === 0 ? `No payments are ${status}. ${summary}` : `${table}\n\n${summary}`,
    }
  },
}

export const paymentsSales: Command = {
  name: 'payments sales',
  summary: 'payments of callers without an account of which nobody knows whether they were taken',
  flags: {},
  example: './tollgate payments sales --json',
  async run(_input, tools) {
    const sales = await listUnknownSales(await tools.database(), MOST_LISTED)
    const rows = sales.map(
      ({ created_at: created, route, method, amount_micros: amount, reason }) => [
        created.slice(0, 19),
        route,
        method,
        formatDollars(BigInt(amount)),
        reason,
      ],
    )
    return {
      data: sales,
      text:
        rows.length === 0
          ? 'No sale waits for a look.'
          : columns(['created', 'call', 'method', 'amount', 'why'], rows),
    }
  },
}

export const paymentsWallets: Command = {
  name: 'payments wallets',
  summary: 'the accounts that pay merchants and what they hold on their chains',
  flags: {},
  example: './tollgate payments wallets',
  async run(_input, tools) {
    const balances = await walletBalances(tools.config().pay)
    const rows = balances.map(({ name, address, chain_id: chain, balance }) => [
      name,
      address,
      String(chain),
      balance === null ? 'the chain did not answer' : formatDollars(balance),
    ])
    const data = balances.map(({ balance, ...account }) => ({
      ...account,
      balance_micros: balance === null ? null : Number(balance),
    }))
    return {
      data,
      text:
        rows.length === 0
          ? 'No wallet is set up: PAY_TEMPO_KEY and PAY_EVM_KEY are unset, and PAY_TEST_TEMPO_KEY and PAY_TEST_EVM_KEY too.'
          : columns(['wallet', 'address', 'chain', 'balance'], rows),
    }
  },
}

export const paymentsResolve: Command = {
  name: 'payments resolve',
  summary:
    'settle a payment of unknown outcome after looking it up; what its caller was charged is refunded when it was not paid',
  operand: { value: '<id>', about: 'id of the payment, as the list shows it' },
  flags: {
    as: {
      value: '<outcome>',
      about:
        'paid: the money is gone; unpaid: it never moved, counts no longer, and is refunded where its caller was charged',
      required: true,
    },
    note: { value: '<text>', about: 'how that is known, such as the hash of the transfer' },
  },
  example:
    './tollgate payments resolve 0199e0c2b1f07000a1b2c3d4e5f60718 --as unpaid --note "not on the chain"',
  async run({ flags, operand }, tools) {
    const outcome = readChoice('as', flags['as'], ['paid', 'unpaid'] as const, 'paid')
    if (!/^[0-9a-f]{32}$/.test(operand))
      throw new UsageError('The id of a payment has 32 hexadecimal digits.')
    const note = readText('note', flags['note'], LONGEST_NOTE) ?? ''
    const payment = await resolvePayment(
      await tools.database(),
      operand,
      outcome,
      note,
      tools.now(),
    )
    return {
      data: payment,
      text: `Payment ${payment.id} of ${formatDollars(BigInt(payment.amount_micros))} to ${payment.merchant} is settled as ${outcome}.${refundOf(payment)}`,
    }
  },
}

function refundOf({ resolution, charged_micros: charged }: PaymentRecord): string {
  return resolution === 'unpaid' && charged > 0
    ? ` Its caller got ${formatDollars(BigInt(charged))} back.`
    : ''
}

function rowOf({
  id,
  mode,
  created_at,
  service,
  action,
  merchant,
  method,
  amount_micros,
  reason,
  reference,
}: PaymentRecord): readonly string[] {
  return [
    id,
    created_at.slice(0, 19),
    `${service}/${action}`,
    merchant,
    mode === 'test' ? `${method} (test)` : method,
    formatDollars(BigInt(amount_micros)),
    reason ?? reference ?? '',
  ]
}
