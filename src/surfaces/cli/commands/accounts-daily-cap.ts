import { findAccount } from '../../../accounts/find-account.ts'
import { setDailyCap } from '../../../accounts/set-daily-cap.ts'
import { formatDollars } from '../../../lib/money.ts'
import type { Command } from '../command.ts'
import { readCents, readChoice } from '../read-value.ts'

export const accountsDailyCap: Command = {
  name: 'accounts daily-cap',
  summary: 'set the daily cap of an account for language models (default: $10)',
  flags: {
    account: { value: '<account>', about: 'account ID (acc_…) or email address', required: true },
    cents: { value: '<cents>', about: 'cap per day, for example 5000 for $50', required: true },
    mode: { value: '<mode>', about: 'live or test; default: live' },
  },
  example: './tollgate accounts daily-cap --account jo@example.com --cents 5000',
  async run({ flags }, tools) {
    const cap = readCents('cents', flags['cents'] ?? '')
    const mode = readChoice('mode', flags['mode'], ['live', 'test'], 'live')
    const database = await tools.database()
    const { accountId, account } = await findAccount(database, flags['account'] ?? '')
    await setDailyCap(database, { accountId, mode, cap })
    return {
      data: { account: account.id, mode, cap_micros: Number(cap) },
      text: `${account.email} can now spend ${formatDollars(cap)} of ${mode} credit per day on language models.`,
    }
  },
}
