import {
  PAUSE_ENDS,
  pauseAccount,
  RESUME_RESTORES,
  resumeAccount,
} from '../../../accounts/pause-account.ts'
import type { Command } from '../command.ts'

const flags = {
  account: { value: '<account>', about: 'account ID (acc_…) or email address', required: true },
} as const

export const accountsPause: Command = {
  name: 'accounts pause',
  summary: 'stop an account with its keys, links, sessions and webhooks until "accounts resume"',
  flags,
  example: './tollgate accounts pause --account jo@example.com',
  async run(input, tools) {
    const { account, changed } = await pauseAccount(
      { database: await tools.database(), now: tools.now },
      input.flags['account'] ?? '',
    )
    return {
      data: { account: account.id, paused: true, changed },
      text: changed
        ? `Paused ${account.email}. ${PAUSE_ENDS}`
        : `No change: ${account.email} is already paused.`,
    }
  },
}

export const accountsResume: Command = {
  name: 'accounts resume',
  summary: 'end the pause of an account',
  flags,
  example: './tollgate accounts resume --account jo@example.com',
  async run(input, tools) {
    const { account, changed } = await resumeAccount(
      await tools.database(),
      input.flags['account'] ?? '',
    )
    return {
      data: { account: account.id, paused: false, changed },
      text: changed
        ? `Resumed ${account.email}. ${RESUME_RESTORES}`
        : `No change: ${account.email} is not paused.`,
    }
  },
}
