import { changeEmail } from '../../../accounts/change-email.ts'
import type { Command } from '../command.ts'

export const accountsEmail: Command = {
  name: 'accounts email',
  summary: 'change the email address of an account, with which its holder signs in',
  flags: {
    account: {
      value: '<account>',
      about: 'account ID (acc_…) or current email address',
      required: true,
    },
    email: { value: '<address>', about: 'new email address', required: true },
  },
  example: './tollgate accounts email --account owner@localhost --email jo@example.com',
  async run({ flags }, tools) {
    const account = await changeEmail(
      await tools.database(),
      flags['account'] ?? '',
      flags['email'] ?? '',
    )
    return {
      data: { account },
      text: `The address of account ${account.id} is now ${account.email}.`,
    }
  },
}
