import {
  listPayments,
  PAYMENT_STATUSES,
  readOutflow,
  resolvePayment,
  type PaymentRecord,
} from '../../../calls/payments/queue.ts'
import { dismissKeptEvent, listKeptEvents } from '../../../accounts/cards/kept-events.ts'
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
  summary: 'list signed payments to merchants whose outcome is unknown',
  flags: {
    status: {
      value: '<status>',
      about: `${PAYMENT_STATUSES.join(', ')}; default: unknown, the payments to resolve`,
    },
    limit: { value: '<count>', about: 'maximum number of rows, newest first; default: 100' },
  },
  example: './tollgate payments list --json',
  async run({ flags }, tools) {
    const status = readChoice('status', flags['status'], PAYMENT_STATUSES, 'unknown')
    const limit = flags['limit'] === undefined ? 100 : readWholeNumber('limit', flags['limit'])
    if (limit < 1 || limit > MOST_LISTED)
      throw new UsageError(`--limit must be a number from 1 to ${MOST_LISTED}.`)
    const database = await tools.database()
    const [payments, outflow] = [
      await listPayments(database, status, limit),
      await readOutflow(database, tools.now()),
    ]
    const { dailyCeiling: ceiling, chosenCeiling } = tools.config().pay
    const summary = `${outflow.waiting} to resolve. Paid or reserved today: ${formatDollars(outflow.today)} of ${formatDollars(ceiling)}. By /api/fetch: ${formatDollars(outflow.chosen)} of ${formatDollars(chosenCeiling)}.`
    const table = columns(
      ['id', 'created', 'for', 'merchant', 'method', 'amount', 'reason'],
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
      text: payments.length === 0 ? `No ${status} payments. ${summary}` : `${table}\n\n${summary}`,
    }
  },
}

export const paymentsSales: Command = {
  name: 'payments sales',
  summary: 'list payments of buyers without an account whose outcome is unknown',
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
          ? 'No sales with an unknown outcome.'
          : columns(['created', 'call', 'method', 'amount', 'reason'], rows),
    }
  },
}

export const paymentsCardEvents: Command = {
  name: 'payments card-events',
  summary: 'list card events about this gateway that were not booked, such as other currencies',
  flags: {
    dismiss: { value: '<id>', about: 'remove an event after you looked it up at Stripe' },
  },
  example: './tollgate payments card-events --dismiss evt_1',
  async run({ flags }, tools) {
    const database = await tools.database()
    const id = readText('dismiss', flags['dismiss'], LONGEST_NOTE)
    if (id !== undefined) await dismissKeptEvent(database, id)
    const events = await listKeptEvents(database)
    const rows = events.map(({ id: event, type, account, intent, amount, currency }) => [
      event,
      type,
      account ?? '',
      intent ?? '',
      amount === null ? '' : `${amount} ${currency ?? ''}`,
    ])
    return {
      data: events,
      text:
        rows.length === 0
          ? 'No card events wait for you.'
          : columns(['event', 'type', 'account', 'payment', 'amount'], rows),
    }
  },
}

export const paymentsWallets: Command = {
  name: 'payments wallets',
  summary: 'list the wallets that pay merchants, with their balances',
  flags: {},
  example: './tollgate payments wallets',
  async run(_input, tools) {
    const balances = await walletBalances(tools.config().pay)
    const rows = balances.map(({ name, address, chain_id: chain, balance }) => [
      name,
      address,
      String(chain),
      balance === null ? 'chain unreachable' : formatDollars(balance),
    ])
    const data = balances.map(({ balance, ...account }) => ({
      ...account,
      balance_micros: balance === null ? null : Number(balance),
    }))
    return {
      data,
      text:
        rows.length === 0
          ? 'No wallets. Set PAY_TEMPO_KEY, PAY_EVM_KEY, PAY_TEST_TEMPO_KEY or PAY_TEST_EVM_KEY.'
          : columns(['wallet', 'address', 'chain', 'balance'], rows),
    }
  },
}

export const paymentsResolve: Command = {
  name: 'payments resolve',
  summary:
    'record the outcome of an unknown payment after you looked it up; an unpaid one refunds its caller',
  operand: { value: '<id>', about: 'payment ID from "payments list"' },
  flags: {
    as: {
      value: '<outcome>',
      about:
        'paid: the transfer happened; unpaid: it did not, so it no longer counts and its caller is refunded',
      required: true,
    },
    note: { value: '<text>', about: 'evidence, such as the hash of the transfer' },
  },
  example:
    './tollgate payments resolve 0199e0c2b1f07000a1b2c3d4e5f60718 --as unpaid --note "not on the chain"',
  async run({ flags, operand }, tools) {
    const outcome = readChoice('as', flags['as'], ['paid', 'unpaid'] as const, 'paid')
    if (!/^[0-9a-f]{32}$/.test(operand))
      throw new UsageError('A payment ID has 32 hexadecimal digits.')
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
      text: `Payment ${payment.id} of ${formatDollars(BigInt(payment.amount_micros))} to ${payment.merchant} is resolved as ${outcome}.${refundOf(payment)}`,
    }
  },
}

function refundOf({ resolution, charged_micros: charged }: PaymentRecord): string {
  return resolution === 'unpaid' && charged > 0
    ? ` Its caller was refunded ${formatDollars(BigInt(charged))}.`
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
