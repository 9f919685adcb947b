import type { Database, Transaction } from '../../db/database.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { newToken } from '../../lib/token.ts'
import type { AttemptLimits } from '../attempts.ts'
import { readClientMetadata, type Client } from './client.ts'
import type { OAuthDeps } from './oauth-deps.ts'

/** Hosted clients register from few networks for all their users. */
export const REGISTRATION_LIMITS = {
  fromAddress: 100,
  inAll: 1_000,
  windowMs: 3_600_000,
} as const satisfies AttemptLimits

/** Registrations that no account holder has approved. The next one replaces the oldest. */
export const MOST_UNAPPROVED = 5_000
const UNAPPROVED_MS = DAY_MS
/** How long a registration outlasts the last grant to its client. */
const APPROVED_MS = 90 * DAY_MS

const PREFIX = 'tgc_'
const REGISTERED_ID = /^tgc_[\w-]{43}$/

/**
 * Registers a client (RFC 7591). Throws OAuthError invalid_client_metadata or invalid_redirect_uri.
 * The client has no secret, regardless of the method that it requests.
 */
export async function registerClient(
  { database, now }: Pick<OAuthDeps, 'database' | 'now'>,
  metadata: unknown,
  mostUnapproved = MOST_UNAPPROVED,
): Promise<Client> {
  const { name, redirectUris } = readClientMetadata(metadata, 'Unnamed client')
  const client: Client = { id: `${PREFIX}${newToken()}`, kind: 'registered', name, redirectUris }
  const nowMs = now()
  await database.query(
    'insert into oauth_clients (id, name, redirect_uris, created_at, expires_at) values ($1, $2, $3, $4, $5)',
    [client.id, name, redirectUris, new Date(nowMs), new Date(nowMs + UNAPPROVED_MS)],
  )
  // Concurrent registrations skip the rows that others delete.
  await database.query(
    `delete from oauth_clients where id in (
       select id from oauth_clients where not is_approved order by created_at desc, id offset $1 for update skip locked
     )`,
    [mostUnapproved],
  )
  return client
}

/** The registered client, or null. */
export async function findRegistration(
  { database, now }: Pick<OAuthDeps, 'database' | 'now'>,
  id: string,
): Promise<Client | null> {
  if (!REGISTERED_ID.test(id)) return null
  const { rows } = await database.query<{ name: string; redirect_uris: readonly string[] }>(
    'select name, redirect_uris from oauth_clients where id = $1 and expires_at > $2',
    [id, new Date(now())],
  )
  const [row] = rows
  return row === undefined
    ? null
    : { id, kind: 'registered', name: row.name, redirectUris: row.redirect_uris }
}

/** Stores a registration until long after the grant that ends at `untilMs`. */
export async function keepRegistration(
  { query }: Pick<Transaction, 'query'>,
  id: string,
  untilMs: number,
): Promise<void> {
  await query(
    'update oauth_clients set is_approved = true, expires_at = greatest(expires_at, $2) where id = $1',
    [id, new Date(untilMs + APPROVED_MS)],
  )
}

/** Deletes expired registrations. */
export async function forgetRegistrations(
  database: Pick<Database, 'query'>,
  nowMs: number,
): Promise<void> {
  await database.query('delete from oauth_clients where expires_at <= $1', [new Date(nowMs)])
}
