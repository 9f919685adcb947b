import { createHmac, timingSafeEqual } from 'node:crypto'

/** The token of a repository is derived from its id, so that it is stored nowhere. */
export type Tokens = {
  tokenOf(repoId: string): string
  isTokenOf(repoId: string, token: string): boolean
}

const CHARACTERS = 32

/** `secret` is shared by all processes of the database. */
export function createTokens(secret: Buffer): Tokens {
  const tokenOf = (repoId: string): string =>
    createHmac('sha256', secret)
      .update(`repository-1\n${repoId}`)
      .digest('base64url')
      .slice(0, CHARACTERS)
  return {
    tokenOf,
    isTokenOf(repoId, token) {
      const [given, expected] = [Buffer.from(token), Buffer.from(tokenOf(repoId))]
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
