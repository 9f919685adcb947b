import { findAccount } from '../../../accounts/find-account.ts'
import { DAY_MS } from '../../../lib/clock.ts'
import { makeLink } from '../../../auth/entry-link.ts'
import { linkUrl } from '../../../auth/link-mail.ts'
import { addressOfGateway } from '../../../app/processes/address-file.ts'
import type { Command } from '../command.ts'
import { refuseClosed } from './refuse-closed.ts'

export const peopleLink: Command = {
  name: 'people link',
  summary:
    'print a link for the holder of an account, who chooses a password with it; it works once, for 24 hours',
  flags: { account: { value: '<account>', about: 'acc_… or the e-mail address', required: true } },
  example: './tollgate people link --account jo@example.com',
  async run({ flags }, tools) {
    const database = await tools.database()
    const found = await findAccount(database, flags['account'] ?? '')
    const { account } = found
    await refuseClosed(database, found, 'Nobody signs in to a closed account any more.')
    const expiresAtMs = tools.now() + DAY_MS
    const token = await makeLink(
      { database, now: tools.now },
      { email: account.email, makesAccount: false, seconds: DAY_MS / 1000 },
    )
    const url = linkUrl(await addressOfGateway(tools.config()), token)
    return {
      data: {
        account_id: account.id,
        email: account.email,
        url,
        expires_at: new Date(expiresAtMs).toISOString(),
      },
      text: `${url}\n\nWhoever opens it becomes the holder of ${account.email}: hand it to nobody else. It works once, for 24 hours.`,
    }
  },
}
