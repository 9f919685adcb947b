import { createHmac, timingSafeEqual } from 'node:crypto'

/** The token of a repository is derived from its id and version, so that it is stored nowhere. */
export type Tokens = {
  tokenOf(repoId: string, version: number): string
  isTokenOf(repoId: string, version: number, token: string): boolean
}

const CHARACTERS = 32

/** `secret` is shared by all processes of the database. */
export function createTokens(secret: Buffer): Tokens {
  const tokenOf = (repoId: string, version: number): string =>
    createHmac('sha256', secret)
      .update(`repository-1\n${repoId}${version === 0 ? '' : `\n${version}`}`)
      .digest('base64url')
      .slice(0, CHARACTERS)
  return {
    tokenOf,
    isTokenOf(repoId, version, token) {
      const [given, expected] = [Buffer.from(token), Buffer.from(tokenOf(repoId, version))]
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
