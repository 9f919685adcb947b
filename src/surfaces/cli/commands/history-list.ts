import { findAccount } from '../../../accounts/find-account.ts'
import { listTransactions } from '../../../history/list-transactions.ts'
import type { TransactionRecord } from '../../../history/transaction-record.ts'
import { walletOf } from '../../../accounts/wallet-of.ts'
import { formatDollars } from '../../../lib/money.ts'
import { UsageError, type Command } from '../command.ts'
import { readChoice, readMoment, readWholeNumber, requirePeriod } from '../read-value.ts'
import { columns } from '../show.ts'

const MOST_LISTED = 10_000

export const historyList: Command = {
  name: 'history list',
  summary:
    'list the charges and credits of an account, newest first, as its holder sees them on /balance',
  flags: {
    account: { value: '<account>', about: 'account ID (acc_…) or email address', required: true },
    from: { value: '<when>', about: 'start: a date or an RFC 3339 time' },
    until: { value: '<when>', about: 'end (exclusive)' },
    mode: { value: '<mode>', about: 'live or test; default: live' },
    limit: { value: '<count>', about: 'maximum number of rows; default: 100' },
  },
  example: './tollgate history list --account jo@example.com --from 2027-01-31',
  async run({ flags }, tools) {
    const { from, until } = flags
    const mode = readChoice('mode', flags['mode'], ['live', 'test'], 'live')
    const limit = readWholeNumber('limit', flags['limit'] ?? '100')
    if (limit < 1 || limit > MOST_LISTED)
      throw new UsageError(`--limit must be a number from 1 to ${MOST_LISTED}.`)
    const filter = {
      ...(from === undefined ? {} : { fromMs: readMoment('from', from, tools.now()).getTime() }),
      ...(until === undefined ? {} : { toMs: readMoment('until', until, tools.now()).getTime() }),
    }
    requirePeriod({ fromMs: filter.fromMs ?? 0, untilMs: filter.toMs ?? Infinity })
    const database = await tools.database()
    const { accountId } = await findAccount(database, flags['account'] ?? '')
    const walletId = await walletOf(database, accountId, mode)
    const { transactions } = await listTransactions(database, {
      walletId,
      filter,
      cursor: null,
      limit,
    })
    const table = columns(
      ['created', 'id', 'action', 'status', 'amount', 'balance', 'error'],
      transactions.map(rowOf),
    )
    return {
      data: transactions,
      text: transactions.length === 0 ? 'No transactions.' : table,
    }
  },
}

function rowOf(record: TransactionRecord): string[] {
  return [
    record.created_at.slice(0, 19),
    record.id,
    actionOf(record),
    record.status,
    formatDollars(BigInt(record.amount_micros)),
    balanceOf(record),
    record.error_code ?? '',
  ]
}

function actionOf({ kind, service, action }: TransactionRecord): string {
  return service === null ? kind : `${service}${action === null ? '' : `/${action}`}`
}

function balanceOf({ balance_after_micros: balance }: TransactionRecord): string {
  return balance === null ? '' : formatDollars(BigInt(balance))
}
