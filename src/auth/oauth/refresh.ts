import { randomBytes, timingSafeEqual } from 'node:crypto'
import { nameAuthor } from '../../db/author.ts'
import type { Transaction } from '../../db/database.ts'
import { announceChange, treeOf } from '../../keys/announce.ts'
import { KEY_COLUMNS, KEYS_WITH_BUDGETS, lockKey, type KeyRow } from '../../keys/key-row.ts'
import { replaceSecret } from '../../keys/replace-secret.ts'
import { isRecent } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import type { Attempts, AttemptLimits } from '../attempts.ts'
import { ACCESS_TOKEN_SECONDS } from './authorization-server.ts'
import { endLockedGrant } from './end-grant.ts'
import type { OAuthDeps } from './oauth-deps.ts'
import { OAuthError } from './oauth-error.ts'
import { parseRefreshToken, type RefreshToken } from './refresh-token.ts'
import { accessTokenOf, GRACE_MS, nextRefreshToken } from './rotation.ts'
import { requireGranted } from './scope.ts'
import { tokenAnswer, type TokenAnswer } from './token-answer.ts'

/** Refreshes of one grant. Each is an entry of the audit log. */
export const REFRESH_LIMITS = {
  forEmail: 60,
  windowMs: 3_600_000,
} as const satisfies AttemptLimits

const SALT_BYTES = 32

/** The parameters of a token request with a refresh token. `scope`: null if absent. */
export type Refresh = {
  readonly refreshToken: string
  readonly clientId: string
  readonly scope: string | null
}

type Grant = KeyRow & {
  readonly granted_scope: string
  readonly refresh_hash: Buffer
  readonly rotation_salt: Buffer | null
  readonly rotated_at: Date | null
}

/**
 * Replaces the access token and the refresh token of a grant, at most once in GRACE_MS. Until then both the
 * replaced and the new refresh token return the new tokens, for other sessions of the client and for
 * lost responses. Later a replaced one revokes the grant, because it was copied. Throws OAuthError
 * invalid_grant, invalid_scope, and AppError rate_limited.
 */
export async function refreshTokens(
  deps: OAuthDeps,
  attempts: Attempts,
  sent: Refresh,
): Promise<TokenAnswer> {
  const token = parseRefreshToken(sent.refreshToken)
  const keyId = token === null ? null : await findGrant(deps, token)
  if (token === null || keyId === null) throw unusable()
  attempts.count({ email: keyId })
  nameAuthor(`client ${sent.clientId}`)
  const answer = await deps.database.transaction(async (tx) => {
    await lockKey(tx, keyId)
    const grant = await readGrant(tx, keyId)
    const nowMs = deps.now()
    if (grant === null || !isUsable(grant, nowMs)) throw unusable()
    if (grant.client_id !== sent.clientId)
      throw new OAuthError('invalid_grant', 'The refresh token was issued to another client.')
    const repeated = repeatedAnswer(grant, token, nowMs)
    if (repeated === null && !timingSafeEqual(grant.refresh_hash, token.hash)) {
      await endLockedGrant(tx, keyId, nowMs)
      return null
    }
    requireGranted(grant.granted_scope, sent.scope)
    return repeated ?? renew(tx, grant, token, nowMs)
  })
  deps.keys.forget([treeOf(keyId)])
  if (answer === null)
    throw new OAuthError(
      'invalid_grant',
      'The refresh token was already used, so the access was revoked. Connect the client again.',
    )
  return answer
}

async function findGrant({ database }: OAuthDeps, token: RefreshToken): Promise<Id | null> {
  const { rows } = await database.query<{ key_id: Id }>(
    'select key_id from oauth_grants where family_hash = $1',
    [token.familyHash],
  )
  return rows[0]?.key_id ?? null
}

/** A separate statement after the lock reads the rows as of then. */
async function readGrant(tx: Transaction, keyId: Id): Promise<Grant | null> {
  const { rows } = await tx.query<Grant>(
    `select ${KEY_COLUMNS}, granted_scope, refresh_hash, rotation_salt, rotated_at from ${KEYS_WITH_BUDGETS} join (select key_id, scope as granted_scope, refresh_hash, rotation_salt, rotated_at from oauth_grants) as grants on key_id = keys.id where keys.id = $1`,
    [keyId],
  )
  return rows[0] ?? null
}

function isUsable({ state, expires_ms: expiresMs }: Grant, nowMs: number): boolean {
  return state !== 'closed' && (expiresMs === null || Number(expiresMs) > nowMs)
}

/** The answer of the last rotation, to its old or its new refresh token. Null after GRACE_MS, or for another token. */
function repeatedAnswer(grant: Grant, token: RefreshToken, nowMs: number): TokenAnswer | null {
  const { rotation_salt: salt, rotated_at: rotatedAt, secret_until: until, refresh_hash } = grant
  if (salt === null || rotatedAt === null || until === null) return null
  if (!isRecent(rotatedAt.getTime(), GRACE_MS, nowMs)) return null
  const refresh = [token, nextRefreshToken(token, salt)].find(({ hash }) =>
    timingSafeEqual(refresh_hash, hash),
  )
  if (refresh === undefined) return null
  return tokenAnswer({
    access: accessTokenOf(refresh, salt, grant.mode),
    refresh: refresh.text,
    scope: grant.granted_scope,
    untilMs: until.getTime(),
    nowMs,
  })
}

async function renew(
  tx: Transaction,
  grant: Grant,
  former: RefreshToken,
  nowMs: number,
): Promise<TokenAnswer> {
  const salt = randomBytes(SALT_BYTES)
  const refresh = nextRefreshToken(former, salt)
  const endMs = grant.expires_ms === null ? Number.POSITIVE_INFINITY : Number(grant.expires_ms)
  const untilMs = Math.min(nowMs + ACCESS_TOKEN_SECONDS * 1000, endMs)
  const formerMs = grant.secret_until?.getTime() ?? nowMs
  const access = await replaceSecret(tx, grant, {
    // Calls that other workers of the client send meanwhile still pass.
    formerUntilMs: Math.min(formerMs, nowMs + GRACE_MS),
    untilMs,
    secret: accessTokenOf(refresh, salt, grant.mode),
  })
  await tx.query(
    'update oauth_grants set refresh_hash = $2, rotation_salt = $3, rotated_at = $4 where key_id = $1',
    [grant.id, refresh.hash, salt, new Date(nowMs)],
  )
  await announceChange(tx, [grant.secret_hash.toString('hex'), treeOf(grant.id)])
  return tokenAnswer({ access, refresh: refresh.text, scope: grant.granted_scope, untilMs, nowMs })
}

function unusable(): OAuthError {
  return new OAuthError(
    'invalid_grant',
    'The refresh token is unknown, has expired or was revoked.',
  )
}
