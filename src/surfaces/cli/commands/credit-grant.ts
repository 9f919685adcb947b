import { findAccount } from '../../../accounts/find-account.ts'
import { grantCredit } from '../../../accounts/grant-credit.ts'
import { moveCredit } from '../../../accounts/move-credit.ts'
import { LONGEST_EXTERNAL_ID } from '../../../keys/key-input.ts'
import { formatDollars } from '../../../lib/money.ts'
import type { Command } from '../command.ts'
import { readCents, readChoice, readMoment, readText } from '../read-value.ts'
import { rejectClosed } from './reject-closed.ts'

export const creditGrant: Command = {
  name: 'credit grant',
  summary: 'add credit to an account, as a grant or as a paid top-up',
  flags: {
    account: { value: '<account>', about: 'account ID (acc_…) or email address', required: true },
    cents: { value: '<cents>', about: 'amount, for example 500 for $5', required: true },
    expires: { value: '<when>', about: '90d, a date or an RFC 3339 time; default: never' },
    kind: {
      value: '<kind>',
      about:
        'grant, or topup: paid credit, which never expires, is used after grants and can pay merchants that callers choose (POST /api/fetch); default: grant',
    },
    mode: { value: '<mode>', about: 'live or test; default: live' },
    reference: {
      value: '<text>',
      about:
        'purpose, shown as external_id of the transaction; a second run with the same reference changes nothing',
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
    await rejectClosed(
      database,
      found,
      'A closed account cannot spend credit. Create another account and add the credit to it.',
    )
    const movement = {
      accountId,
      mode,
      amount,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(reference === undefined ? {} : { reference }),
    }
    const deps = { database, now: tools.now }
    const granted = await (kind === 'topup'
      ? moveCredit(deps, { ...movement, kind })
      : grantCredit(deps, movement))
    const until = expiresAt === undefined ? '' : ` until ${expiresAt.toISOString()}`
    return {
      data: { account: account.id, mode, ...granted },
      text: `${granted.repeated ? `No change: transaction ${granted.transaction_id} already has this reference.` : `${kind === 'topup' ? 'Added' : 'Granted'} ${formatDollars(amount)} of ${mode} credit to ${account.email}${until}.`} The balance is ${formatDollars(BigInt(granted.balance_micros))}.`,
    }
  },
}
