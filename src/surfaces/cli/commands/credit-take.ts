import { findAccount } from '../../../accounts/find-account.ts'
import { takeCredit } from '../../../accounts/take-credit.ts'
import { LONGEST_EXTERNAL_ID } from '../../../keys/key-input.ts'
import { formatDollars } from '../../../lib/money.ts'
import type { Command } from '../command.ts'
import { readCents, readChoice, readText } from '../read-value.ts'

export const creditTake: Command = {
  name: 'credit take',
  summary:
    'take free credit of an account back, such as what was paid back to its owner; what is held stays',
  flags: {
    account: { value: '<account>', about: 'acc_… or the e-mail address', required: true },
    cents: { value: '<cents>', about: 'how much, for example 500 for $5', required: true },
    mode: { value: '<mode>', about: 'live or test; live when left out' },
    reference: {
      value: '<text>',
      about:
        'what it is for, shown as external_id of the transaction; with the same one it happens once, however often this is run',
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
      text: `${taken.repeated ? `Nothing was taken now: with this reference it was done before, in ${taken.transaction_id}.` : `Took ${formatDollars(amount)} of ${mode} credit from ${account.email}.`} The balance is ${formatDollars(BigInt(taken.balance_micros))}.`,
    }
  },
}
