/** The response of the token endpoint (RFC 6749, section 5.1). */
export type TokenAnswer = {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
}

export type IssuedTokens = {
  readonly access: string
  readonly refresh: string
  readonly scope: string
  /** When the access token stops working, in Unix milliseconds. */
  readonly untilMs: number
  readonly nowMs: number
}

export function tokenAnswer({ access, refresh, scope, untilMs, nowMs }: IssuedTokens): TokenAnswer {
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: Math.max(0, Math.floor((untilMs - nowMs) / 1000)),
    refresh_token: refresh,
    scope,
  }
}
