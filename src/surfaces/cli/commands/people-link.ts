import { createAccountLink } from '../../../auth/create-account-link.ts'
import { linkUrl } from '../../../auth/link-email.ts'
import { addressOfGateway } from '../../../app/processes/address-file.ts'
import type { Command } from '../command.ts'

export const peopleLink: Command = {
  name: 'people link',
  summary:
    'print a link with which the holder of an account sets a password; it works once, within 24 hours',
  flags: {
    account: { value: '<account>', about: 'account ID (acc_…) or email address', required: true },
  },
  example: './tollgate people link --account jo@example.com',
  async run({ flags }, tools) {
    const { account, token, expiresAtMs } = await createAccountLink(
      { database: await tools.database(), now: tools.now },
      flags['account'] ?? '',
    )
    const url = linkUrl(await addressOfGateway(tools.config()), token)
    return {
      data: {
        account_id: account.id,
        email: account.email,
        url,
        expires_at: new Date(expiresAtMs).toISOString(),
      },
      text: `${url}\n\nGive this link only to the owner ${account.email}: it signs in as that person. It works once, within 24 hours.`,
    }
  },
}
