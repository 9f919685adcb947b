import type { Mail } from './auth-services.ts'

/** The lifetime of an emailed link. */
export const MAILED_LINK_SECONDS = 3600

export type LinkMail = {
  readonly to: string
  readonly isNew: boolean
  readonly publicUrl: string
  readonly token: string
}

export function linkUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/welcome?token=${token}`
}

export function writeLinkEmail({ to, isNew, publicUrl, token }: LinkMail): Mail {
  const purpose = isNew ? `create an account at ${publicUrl}` : `sign in at ${publicUrl}`
  return {
    to,
    subject: isNew ? 'Create your Tollgate account' : 'Sign in to Tollgate',
    text: `Open this link to choose a password and ${purpose}:

${linkUrl(publicUrl, token)}

The link works once and expires in one hour.

If you did not request it, ignore this email: ${isNew ? 'no account will be created' : 'your account does not change'}.

Sent by the Tollgate at ${publicUrl}.
`,
  }
}
