/** Every link, socket, token and secret that the gateway gives out or accepts, and what ends it. */

/** The ways to stop a key. */
export const REVOCATIONS = [
  'key revoked',
  'key paused',
  'key expired',
  'key rotated',
  'parent paused',
  'parent revoked',
  'account paused',
  'account closed',
  'account erased',
] as const
export type Revocation = (typeof REVOCATIONS)[number]

const OF_ACCOUNT = ['account paused', 'account closed', 'account erased'] as const
const WITHOUT_PAUSE = REVOCATIONS.filter((one) => one !== 'key paused' && one !== 'parent paused')

export type Bearer = {
  readonly name: string
  /** The files that create or check it. */
  readonly files: readonly string[]
  readonly endedBy: readonly Revocation[]
  /** The longest time until it ends. */
  readonly withinMs: number
}

export const BEARERS = [
  {
    name: 'clone URL',
    files: ['src/resources/git/tokens.ts'],
    endedBy: REVOCATIONS,
    withinMs: 5_000,
  },
  {
    name: 'upload link',
    files: ['src/resources/files/link.ts'],
    endedBy: REVOCATIONS,
    withinMs: 5_000,
  },
  // Third parties got it to download one file for an hour. It outlives the key.
  {
    name: 'download link',
    files: ['src/resources/files/link.ts'],
    endedBy: OF_ACCOUNT,
    withinMs: 5_000,
  },
  {
    name: 'browser socket',
    files: [
      'src/resources/browsers/in-house/own-browsers.ts',
      'src/surfaces/http/routes/browsers/browser-sockets.ts',
      // Sockets that reached another process of the machine.
      'src/resources/boxes/relay.ts',
    ],
    endedBy: REVOCATIONS,
    withinMs: 5_000,
  },
  // A paused key makes free calls.
  { name: 'API key', files: [], endedBy: WITHOUT_PAUSE, withinMs: 5_000 },
  {
    name: 'page session',
    files: ['src/auth/records/browser-session.ts'],
    endedBy: WITHOUT_PAUSE,
    withinMs: 5_000,
  },
] as const satisfies readonly Bearer[]

/** Secrets that open nothing of an account, or that the database checks together with it. */
export const NOT_BEARERS: Readonly<Record<string, string>> = {
  'src/auth/challenge.ts': 'a challenge of one form, without a sign-in',
  'src/auth/members/invite-member.ts':
    'read-invitation.ts rejects it for a paused or closed account',
  'src/auth/oauth/codes.ts': 'an authorization code, of which the token is an API key',
  'src/auth/oauth/pkce.ts': 'compares the proof of an authorization code',
  'src/auth/oauth/refresh-token.ts': 'its access token is an API key',
  'src/auth/oauth/refresh.ts': 'compares refresh tokens',
  'src/auth/oauth/registrations.ts': 'the id of a client',
  'src/auth/password.ts': 'compares passwords',
  'src/auth/sign-in-link.ts': 'choose-account.ts rejects it for a paused or closed account',
  'src/app/wiring/vendor-keys.ts': "the operator's",
  'src/calls/loops/loop-watch.ts': 'confirms one repeated call of its own key',
  'src/events/delivery/sign.ts': 'signs deliveries, which wait while the account is paused',
  'src/lib/token.ts': 'creates the tokens of the others',
  'src/resources/inboxes/sending/bounce-addresses.ts': 'records a failed delivery of a message',
  'src/surfaces/http/routes/metrics/metrics-route.ts': "the operator's",
  'src/surfaces/http/routes/operate/account-actions.ts': 'names one form',
  'src/surfaces/http/routes/visitor/answer-form-once.ts': 'names one form',
  'src/upstream/cards/stripe-events.ts': "the payment provider's",
}
