/** Authorization codes: issued with a consent, and exchanged once for an access token. */
import { currentAuthor, nameAuthor } from '../../db/author.ts'
import { mintChild, type Minter } from '../../keys/children/mint-child.ts'
import type { NewChild } from '../../keys/children/child-input.ts'
import { AppError } from '../../errors/app-error.ts'
import { toRfc3339 } from '../../lib/clock.ts'
import { parsePublicId, type Id } from '../../lib/ids.ts'
import { hashOfToken, newToken } from '../../lib/token.ts'
import { ACCESS_TOKEN_SECONDS } from './authorization-server.ts'
import { hostOfClient } from './client.ts'
import type { PendingConsent } from './consent.ts'
import { endGrant } from './end-grant.ts'
import { newRefreshToken, storeRefreshToken } from './refresh-token.ts'
import type { OAuthDeps } from './oauth-deps.ts'
import { OAuthError } from './oauth-error.ts'
import { isVerified } from './pkce.ts'
import { keepRegistration } from './registrations.ts'
import { scopeOfActions } from './scope.ts'
import { tokenAnswer, type TokenAnswer } from './token-answer.ts'

const CODE_SECONDS = 60

/** The limits that the person granted. */
export type Consent = Required<Pick<NewChild, 'ceiling_period'>> & {
  readonly ceiling_cents: number
  readonly allow: readonly string[] | null
  /** Unix milliseconds. */
  readonly expiresMs: number
}

/** `minter`: the key above the new one. */
export type Approval = PendingConsent & { readonly consent: Consent; readonly minter: Minter }

type Facts = Omit<Approval, 'client'> & {
  readonly clientName: string
  /** The person in the audit log. */
  readonly author: string
}

/** Issues the code of an approved request. Only its hash is stored. */
export async function issueCode(
  { database, now }: Pick<OAuthDeps, 'database' | 'now'>,
  { client, request, consent, minter }: Approval,
): Promise<string> {
  const code = newToken()
  const facts: Facts = {
    request,
    consent,
    minter: minterOf(minter),
    clientName: client.name,
    author: currentAuthor()?.by ?? 'visitor',
  }
  await database.transaction(async (tx) => {
    await tx.query(
      'insert into oauth_codes (code_hash, account_id, facts, expires_at) values ($1, $2, $3, $4)',
      [
        hashOfToken(code),
        minter.accountId,
        JSON.stringify(facts),
        new Date(now() + CODE_SECONDS * 1000),
      ],
    )
    if (client.kind === 'registered') await keepRegistration(tx, client.id, consent.expiresMs)
  })
  return code
}

function minterOf({ accountId, mode, keyId, ancestorIds, member }: Minter): Minter {
  return { accountId, mode, keyId, ancestorIds, ...(member === undefined ? {} : { member }) }
}

/** The parameters of a token request with a code. */
export type CodeExchange = {
  readonly code: string
  readonly clientId: string
  readonly redirectUri: string
  readonly codeVerifier: string
  readonly resource: string
}

/**
 * Exchanges a code for an access token: a new child key within the consented limits. A code that is
 * used again revokes the key. Throws OAuthError invalid_grant, invalid_target.
 */
export async function exchangeCode(deps: OAuthDeps, sent: CodeExchange): Promise<TokenAnswer> {
  const codeHash = hashOfToken(sent.code)
  if (codeHash === null) throw unusable()
  const nowMs = deps.now()
  const { rows } = await deps.database.query<{ facts: Facts }>(
    'update oauth_codes set used_at = $2 where code_hash = $1 and used_at is null and expires_at > $2 returning facts',
    [codeHash, new Date(nowMs)],
  )
  const [row] = rows
  if (row === undefined) {
    await revokeReplayed(deps, codeHash)
    throw unusable()
  }
  checkExchange(row.facts, sent)
  return issueTokens(deps, codeHash, row.facts)
}

/** The thief of a code cannot be distinguished from its owner, so both lose access (RFC 6749, section 4.1.2). */
async function revokeReplayed(deps: OAuthDeps, codeHash: Buffer): Promise<void> {
  const { rows } = await deps.database.query<{ key_id: Id | null }>(
    'update oauth_codes set replayed_at = coalesce(replayed_at, $2) where code_hash = $1 and used_at is not null returning key_id',
    [codeHash, new Date(deps.now())],
  )
  const keyId = rows[0]?.key_id ?? null
  if (keyId !== null) await endGrant(deps, keyId)
}

function checkExchange({ request }: Facts, sent: CodeExchange): void {
  if (request.clientId !== sent.clientId)
    throw new OAuthError('invalid_grant', 'The code was issued to another client.')
  if (request.redirectUri !== sent.redirectUri)
    throw new OAuthError('invalid_grant', '"redirect_uri" differs from the authorization request.')
  if (request.resource !== sent.resource)
    throw new OAuthError('invalid_target', '"resource" differs from the authorization request.')
  if (!isVerified(request.codeChallenge, sent.codeVerifier))
    throw new OAuthError('invalid_grant', '"code_verifier" does not match "code_challenge".')
}

async function issueTokens(deps: OAuthDeps, codeHash: Buffer, facts: Facts): Promise<TokenAnswer> {
  const { request, consent, minter, clientName, author } = facts
  const { clientId, resource } = request
  nameAuthor(`${author} through client ${clientId}`)
  const nowMs = deps.now()
  const refresh = newRefreshToken()
  const scope = scopeOfActions(consent.allow)
  const secretUntilMs = Math.min(nowMs + ACCESS_TOKEN_SECONDS * 1000, consent.expiresMs)
  const host = hostOfClient(clientId)
  const made = await mintChild(
    deps.keys,
    minter,
    {
      label:
        host === null || host === clientName ? clientName : `${clientName} (${host})`.slice(0, 100),
      ceiling_cents: consent.ceiling_cents,
      ceiling_period: consent.ceiling_period,
      allow: consent.allow,
      expires_at: toRfc3339(consent.expiresMs),
      external_id: null,
      grant: { clientId, audience: resource, secretUntilMs },
    },
    async (tx, { id }) => {
      const keyId = parsePublicId('key', id)
      const { count } = await tx.query(
        'update oauth_codes set key_id = $2 where code_hash = $1 and replayed_at is null',
        [codeHash, keyId],
      )
      // The code was used again in the meantime.
      if (count === 0 || keyId === null) throw unusable()
      await storeRefreshToken(tx, { keyId, accountId: minter.accountId, scope, refresh })
    },
  ).catch((error: unknown) => {
    throw error instanceof AppError && error.spec.fault === 'caller'
      ? new OAuthError('invalid_grant', `${error.message} ${error.fix}`)
      : error
  })
  return tokenAnswer({
    access: made.key,
    refresh: refresh.text,
    scope,
    untilMs: secretUntilMs,
    nowMs,
  })
}

function unusable(): OAuthError {
  return new OAuthError('invalid_grant', 'The code is unknown, has expired or was already used.')
}
