import { randomBytes } from 'node:crypto'
import type { Database } from '../../db/database.ts'
import { invariant } from '../../errors/app-error.ts'

const SECRET_BYTES = 32

/**
 * The secret for `purpose` that all processes of this database share. The first caller creates it.
 */
export async function sharedSecret(database: Database, purpose: string): Promise<Buffer> {
  await database.query(
    'insert into shared_secrets (purpose, secret) values ($1, $2) on conflict do nothing',
    [purpose, randomBytes(SECRET_BYTES)],
  )
  const { rows } = await database.query<{ secret: Buffer }>(
    'select secret from shared_secrets where purpose = $1',
    [purpose],
  )
  const secret = rows[0]?.secret
  invariant(secret !== undefined, 'a shared secret exists after it was created')
  return secret
}
