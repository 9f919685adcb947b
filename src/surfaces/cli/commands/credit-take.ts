import { findAccount } from '../../../accounts/find-account.ts'
import { takeCredit } from '../../../accounts/take-credit.ts'
import { LONGEST_EXTERNAL_ID } from '../../../keys/key-input.ts'
import { formatDollars } from '../../../lib/money.ts'
import type { Command } from '../command.ts'
import { readCents, readChoice, readText } from '../read-value.ts'

export const creditTake: Command = {
  name: 'credit take',
  summary:
    'remove available credit from an account, for example after a refund; held amounts are not affected',
  flags: {
    account: { value: '<account>', about: 'account ID (acc_…) or email address', required: true },
    cents: { value: '<cents>', about: 'amount, for example 500 for $5', required: true },
    mode: { value: '<mode>', about: 'live or test; default: live' },
    reference: {
      value: '<text>',
      about:
        'purpose, shown as external_id of the transaction; a second run with the same reference changes nothing',
    },
  },
  example: './tollgate credit take --account jo@example.com --cents 500 --reference "paid back"',
  async run({ flags }, tools) {
    const amount = readCents('cents', flags['cents'] ?? '')
    const reference = readText('reference', flags['reference'], LONGEST_EXTERNAL_ID)
    const mode = readChoice('mode', flags['mode'], ['live', 'test'], 'live')
    const database = await tools.database()
    const { accountId, account } = await findAccount(database, flags['account'] ?? '')
    const taken = await takeCredit(
      { database, now: tools.now },
      { accountId, mode, amount, ...(reference === undefined ? {} : { reference }) },
    )
    return {
      data: { account: account.id, mode, ...taken },
      text: `${taken.repeated ? `No change: transaction ${taken.transaction_id} already has this reference.` : `Removed ${formatDollars(amount)} of ${mode} credit from ${account.email}.`} The balance is ${formatDollars(BigInt(taken.balance_micros))}.`,
    }
  },
}
