import { closeAccount } from '../../../accounts/close-account.ts'
import { eraseAccount } from '../../../app/chores/erase-account.ts'
import type { Command } from '../command.ts'

const accountFlag = {
  value: '<account>',
  about: 'account ID (acc_…) or email address',
  required: true,
} as const

export const accountsClose: Command = {
  name: 'accounts close',
  summary: 'permanently end all keys of an account; its credit and history stay in the books',
  flags: { account: accountFlag },
  example: './tollgate accounts close --account jo@example.com',
  async run({ flags }, tools) {
    const { account, endedKeys } = await closeAccount(
      await tools.database(),
      flags['account'] ?? '',
    )
    return {
      data: { account, ended_keys: endedKeys },
      text: `Closed account ${account.id} and ended ${endedKeys} keys.`,
    }
  },
}

export const accountsErase: Command = {
  name: 'accounts erase',
  summary:
    'close an account and permanently delete its address, files, jobs and stored answers; amounts stay in the books',
  flags: { account: accountFlag },
  example: './tollgate accounts erase --account jo@example.com',
  async run({ flags }, tools) {
    const { account, endedKeys, files } = await eraseAccount(
      { database: await tools.database(), now: tools.now },
      flags['account'] ?? '',
    )
    return {
      data: { account_id: account.id, ended_keys: endedKeys, files },
      text: `Erased account ${account.id}: ended ${endedKeys} keys, deleted ${files} files. Existing backups are unchanged.`,
    }
  },
}
