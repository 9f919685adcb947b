import { findAccount } from '../../../accounts/find-account.ts'
import { grantCredit } from '../../../accounts/grant-credit.ts'
import { moveCredit } from '../../../accounts/move-credit.ts'
import { LONGEST_EXTERNAL_ID } from '../../../keys/key-input.ts'
import { formatDollars } from '../../../lib/money.ts'
import type { Command } from '../command.ts'
import { readCents, readChoice, readMoment, readText } from '../read-value.ts'
import { refuseClosed } from './refuse-closed.ts'

export const creditGrant: Command = {
  name: 'credit grant',
  summary: 'give an account credit, as a grant or as a top-up that was paid for',
  flags: {
    account: { value: '<account>', about: 'acc_… or the e-mail address', required: true },
    cents: { value: '<cents>', about: 'how much, for example 500 for $5', required: true },
    expires: { value: '<when>', about: '90d, a date or an RFC 3339 time; never when left out' },
    kind: {
      value: '<kind>',
      about:
        'grant, or topup: credit that was paid for, which never expires, is spent after grants, and pays merchants that callers name (POST /api/fetch); grant when left out',
    },
    mode: { value: '<mode>', about: 'live or test; live when left out' },
    reference: {
      value: '<text>',
      about:
        'what it is for, shown as external_id of the transaction; with the same one it happens once, however often this is run',
    },
  },
  example: './tollgate credit grant --account jo@example.com --cents 500 --expires 90d',
  async run({ flags }, tools) {
    const amount = readCents('cents', flags['cents'] ?? '')
    const reference = readText('reference', flags['reference'], LONGEST_EXTERNAL_ID)
    const mode = readChoice('mode', flags['mode'], ['live', 'test'], 'live')
    const expiresAt =
      flags['expires'] === undefined
        ? undefined
        : readMoment('expires', flags['expires'], tools.now())
    const kind = readChoice('kind', flags['kind'], ['grant', 'topup'], 'grant')
    const database = await tools.database()
    const found = await findAccount(database, flags['account'] ?? '')
    const { accountId, account } = found
    await refuseClosed(
      database,
      found,
      'Nobody could spend the credit. Make a new account, and give it to that.',
    )
    const movement = {
      accountId,
      mode,
      amount,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(reference === undefined ? {} : { reference }),
    }
    const parts = { database, now: tools.now }
    const granted = await (kind === 'topup'
      ? moveCredit(parts, { ...movement, kind })
      : grantCredit(parts, movement))
    const until = expiresAt === undefined ? '' : ` until ${expiresAt.toISOString()}`
    return {
      data: { account: account.id, mode, ...granted },
      text: `${granted.repeated ? `Nothing was granted now: with this reference it was done before, in ${granted.transaction_id}.` : `${kind === 'topup' ? 'Added' : 'Granted'} ${formatDollars(amount)} of ${mode} credit to ${account.email}${until}.`} The balance is ${formatDollars(BigInt(granted.balance_micros))}.`,
    }
  },
}
