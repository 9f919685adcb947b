import { TIERS } from '../../../accounts/account.ts'
import { createAccount } from '../../../accounts/create-account.ts'
import { listAccounts } from '../../../accounts/list-accounts.ts'
import { parsePublicId } from '../../../lib/ids.ts'
import { formatDollars } from '../../../lib/money.ts'
import { listSignInMethods } from '../../../auth/sign-in-methods.ts'
import type { Command } from '../command.ts'
import { readChoice } from '../read-value.ts'
import { columns, facts } from '../show.ts'

export const accountsCreate: Command = {
  name: 'accounts create',
  summary: 'create an account with welcome credit and keys; the keys are shown once',
  flags: {
    email: { value: '<address>', about: 'email address of the account', required: true },
    tier: { value: '<tier>', about: `${TIERS.join(' or ')}; default: personal` },
  },
  example: './tollgate accounts create --email jo@example.com --tier business',
  async run({ flags }, tools) {
    const tier = readChoice('tier', flags['tier'], TIERS, 'personal')
    const { account, live, test } = await createAccount(
      { database: await tools.database(), now: tools.now },
      { email: flags['email'] ?? '', tier },
    )
    return {
      data: { account, live, test },
      text: `${facts([
        ['account', account.id],
        ['email', account.email],
        ['tier', account.tier],
        ['live key', live.key],
        ['test key', test.key],
      ])}\n\nStore the keys now; you won't see them again.`,
    }
  },
}

export const accountsList: Command = {
  name: 'accounts list',
  summary: 'list accounts with their balances and sign-in methods',
  flags: {},
  example: './tollgate accounts list --json',
  async run(_input, tools) {
    const database = await tools.database()
    const waysIn = await listSignInMethods(database)
    const accounts = (await listAccounts(database)).map((account) => ({
      ...account,
      signs_in_with: waysIn.get(parsePublicId('account', account.id) ?? '') ?? [],
    }))
    const rows = accounts.map((account) => [
      account.id,
      account.email,
      `${account.tier}${account.owner ? ', owner' : ''}${account.closed ? ', closed' : ''}`,
      formatDollars(BigInt(account.balance_micros)),
      String(account.keys),
      account.created_at.slice(0, 10),
      account.signs_in_with.join(', ') || 'nothing yet',
    ])
    return {
      data: accounts,
      text:
        accounts.length === 0
          ? 'No accounts yet.'
          : columns(['id', 'email', 'tier', 'balance', 'keys', 'created', 'signs in with'], rows),
    }
  },
}
