import { describeChange, type ChangeRecord } from '../../../audit/change-record.ts'
import { listChanges } from '../../../audit/list-changes.ts'
import { findAccount } from '../../../accounts/find-account.ts'
import { UsageError, type Command } from '../command.ts'
import { readMoment, readWholeNumber, requirePeriod } from '../read-value.ts'
import { columns } from '../show.ts'

const MOST_LISTED = 100_000

export const audit: Command = {
  name: 'audit',
  summary: 'list who changed keys, limits, prices and accounts, when and from where, newest first',
  flags: {
    account: { value: '<account>', about: 'account ID (acc_…) or email address; default: all' },
    from: { value: '<when>', about: 'start: a date or an RFC 3339 time' },
    until: { value: '<when>', about: 'end (exclusive)' },
    limit: { value: '<count>', about: 'maximum number of rows; default: 100' },
  },
  example: './tollgate audit --account jo@example.com --from 2027-01-31',
  async run({ flags }, tools) {
    const { account, from, until } = flags
    const limit = readWholeNumber('limit', flags['limit'] ?? '100')
    if (limit < 1 || limit > MOST_LISTED)
      throw new UsageError(`--limit must be a number from 1 to ${MOST_LISTED}.`)
    const fromMs = from === undefined ? undefined : readMoment('from', from, tools.now()).getTime()
    const toMs = until === undefined ? undefined : readMoment('until', until, tools.now()).getTime()
    requirePeriod({ fromMs: fromMs ?? 0, untilMs: toMs ?? Infinity })
    const database = await tools.database()
    const { changes } = await listChanges(database, {
      filter: {
        ...(account === undefined
          ? {}
          : { accountId: (await findAccount(database, account)).accountId }),
        ...(fromMs === undefined ? {} : { fromMs }),
        ...(toMs === undefined ? {} : { toMs }),
      },
      cursor: null,
      limit,
    })
    return {
      data: changes,
      text:
        changes.length === 0
          ? 'No changes.'
          : columns(['time', 'who', 'from', 'account', 'what'], changes.map(rowOf)),
    }
  },
}

function rowOf(change: ChangeRecord): string[] {
  return [
    change.changed_at.slice(0, 19),
    change.author,
    change.origin ?? '',
    change.account_id ?? '',
    describeChange(change),
  ]
}
