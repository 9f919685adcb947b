import { AppError } from '../../errors/app-error.ts'
import { toRfc3339 } from '../../lib/clock.ts'
import { publicId, type Id } from '../../lib/ids.ts'

/** When a key stops working, and the key whose `expires_at` that is. */
export type Expiry = {
  readonly atMs: number
  readonly keyId: Id
  /** It belongs to a key above the caller's. */
  readonly isInherited: boolean
}

type Expiring = { readonly expiry: Expiry | null }

export function isExpired({ expiry }: Expiring, nowMs: number): boolean {
  return expiry !== null && expiry.atMs <= nowMs
}

/** The error key_expired, which names the key that expired. */
export function keyExpired({ expiry }: Expiring): AppError {
  if (expiry === null) return new AppError('key_expired')
  const keyId = publicId('key', expiry.keyId)
  const at = toRfc3339(expiry.atMs)
  return new AppError(
    'key_expired',
    `${expiry.isInherited ? `The parent key ${keyId}` : 'This key'} expired at ${at}.`,
    { details: { expired_at: at, key_id: keyId } },
  )
}
