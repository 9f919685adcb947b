import { addCredit } from '../../../accounts/add-credit.ts'
import { LONGEST_EXTERNAL_ID } from '../../../keys/key-input.ts'
import { formatDollars } from '../../../lib/money.ts'
import type { Command } from '../command.ts'
import { readCents, readChoice, readMoment, readText } from '../read-value.ts'

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
    const { account, moved } = await addCredit(
      { database: await tools.database(), now: tools.now },
      {
        account: flags['account'] ?? '',
        kind,
        mode,
        amount,
        ...(expiresAt === undefined ? {} : { expiresAt }),
        ...(reference === undefined ? {} : { reference }),
      },
    )
    const until = expiresAt === undefined ? '' : ` until ${expiresAt.toISOString()}`
    return {
      data: { account: account.id, mode, ...moved },
      text: `${moved.repeated ? `No change: transaction ${moved.transaction_id} already has this reference.` : `${kind === 'topup' ? 'Added' : 'Granted'} ${formatDollars(amount)} of ${mode} credit to ${account.email}${until}.`} The balance is ${formatDollars(BigInt(moved.balance_micros))}.`,
    }
  },
}
