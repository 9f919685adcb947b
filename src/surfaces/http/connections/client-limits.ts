/** Time limits for clients, in milliseconds. */
export type ClientLimits = {
  /** For the headers of a request. */
  readonly headersMs: number
  /** For a whole request. */
  readonly requestMs: number
  /** Interval of the check for late clients. */
  readonly checkEveryMs: number
  /** How long a client may read nothing of a response that is ready to send. */
  readonly stalledMs: number
}

export const CLIENT_LIMITS: ClientLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  checkEveryMs: 2_000,
  stalledMs: 120_000,
}
