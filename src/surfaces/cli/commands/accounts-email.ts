import { changeEmail } from '../../../accounts/change-email.ts'
import type { Command } from '../command.ts'

export const accountsEmail: Command = {
  name: 'accounts email',
  summary: 'give an account another e-mail address, which its holder signs in with from then on',
  flags: {
    account: {
      value: '<account>',
      about: 'acc_… or the e-mail address that it has',
      required: true,
    },
    email: { value: '<address>', about: 'the new e-mail address', required: true },
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
      text: `Account ${account.id} has the address ${account.email} now.`,
    }
  },
}
