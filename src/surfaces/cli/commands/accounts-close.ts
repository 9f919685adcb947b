import { closeAccount } from '../../../accounts/close-account.ts'
import { eraseAccount } from '../../../app/chores/erase-account.ts'
import type { Command } from '../command.ts'

const accountFlag = {
  value: '<account>',
  about: 'acc_… or the e-mail address',
  required: true,
} as const

export const accountsClose: Command = {
  name: 'accounts close',
  summary: 'end all keys of an account, for good; its credit and history stay in the books',
  flags: { account: accountFlag },
  example: './tollgate accounts close --account jo@example.com',
  async run({ flags }, tools) {
    const { account, endedKeys } = await closeAccount(
      await tools.database(),
      flags['account'] ?? '',
    )
    return {
      data: { account, ended_keys: endedKeys },
      text: `Account ${account.id} is closed: ${endedKeys} keys ended.`,
    }
  },
}

export const accountsErase: Command = {
  name: 'accounts erase',
  summary:
    'close an account and remove its address, files, jobs and kept answers, for good; amounts stay in the books',
  flags: { account: accountFlag },
  example: './tollgate accounts erase --account jo@example.com',
  async run({ flags }, tools) {
    const { account, endedKeys, files } = await eraseAccount(
      { database: await tools.database(), now: tools.now },
      flags['account'] ?? '',
    )
    return {
      data: { account_id: account.id, ended_keys: endedKeys, files },
      text: `Account ${account.id} is erased: ${endedKeys} keys ended, ${files} files removed. Backups hold what they held.`,
    }
  },
}
