import type { Mail } from './auth-services.ts'

/** For how long a link works that was mailed. */
export const MAILED_LINK_SECONDS = 3600

export type LinkMail = {
  readonly to: string
  readonly isNew: boolean
  readonly publicUrl: string
  readonly token: string
}

/** The address that a link leads to. */
export function linkUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/welcome?token=${token}`
}

export function writeLinkEmail({ to, isNew, publicUrl, token }: LinkMail): Mail {
  const asked = isNew
    ? `to make an account at ${publicUrl}`
    : `for a link to sign in at ${publicUrl}`
  return {
    to,
    subject: isNew ? 'Your account at Tollgate' : 'Your link to sign in to Tollgate',
    text: `Somebody, probably you, asked ${asked} with this e-mail address.

To choose a password and go on, open

${linkUrl(publicUrl, token)}

The link works once, within an hour.

If you did not ask for it, do nothing: ${isNew ? 'no account is made' : 'your account stays as it is'}.

This mail was sent by the Tollgate at ${publicUrl}.
`,
  }
}
