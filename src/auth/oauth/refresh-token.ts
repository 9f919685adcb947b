import { hash } from 'node:crypto'
import type { Transaction } from '../../db/database.ts'
import type { Id } from '../../lib/ids.ts'
import { newToken } from '../../lib/token.ts'

/**
 * A refresh token: `tgr_`, its family, and a part that changes with each use. The family finds the
 * grant of any token that was ever issued, so the use of an old one is recognized for as long as the
 * grant exists, with one row per grant.
 */
export type RefreshToken = {
  readonly text: string
  readonly familyHash: Buffer
  readonly hash: Buffer
}

const TOKEN = /^tgr_([\w-]{43})\.[\w-]{43}$/

/** The first token of a new family. */
export function newRefreshToken(): RefreshToken {
  const family = newToken()
  return tokenOf(`tgr_${family}.${newToken()}`, family)
}

/** The token of the same family whose changing part is `part`. */
export function successorOf({ text, familyHash }: RefreshToken, part: string): RefreshToken {
  const next = `${text.slice(0, text.indexOf('.'))}.${part}`
  return { text: next, familyHash, hash: hash('sha256', next, 'buffer') }
}

/** Null for a text that is no refresh token. */
export function parseRefreshToken(text: string): RefreshToken | null {
  const family = TOKEN.exec(text)?.[1]
  return family === undefined ? null : tokenOf(text, family)
}

function tokenOf(text: string, family: string): RefreshToken {
  return {
    text,
    familyHash: hash('sha256', family, 'buffer'),
    hash: hash('sha256', text, 'buffer'),
  }
}

type NewGrant = {
  readonly keyId: Id
  readonly accountId: Id
  readonly scope: string
  readonly refresh: RefreshToken
}

/** Stores the first refresh token of a grant. */
export async function storeRefreshToken(
  tx: Transaction,
  { keyId, accountId, scope, refresh }: NewGrant,
): Promise<void> {
  await tx.query(
    'insert into oauth_grants (key_id, account_id, scope, family_hash, refresh_hash) values ($1, $2, $3, $4, $5)',
    [keyId, accountId, scope, refresh.familyHash, refresh.hash],
  )
}
