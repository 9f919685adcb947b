/**
 * The tokens that follow a refresh token. They are derived from it and a salt, so that a repeated refresh
 * gets the same ones, although the database stores hashes only.
 */
import { hkdfSync } from 'node:crypto'
import { newSecret } from '../../keys/format.ts'
import type { Mode } from '../../lib/mode.ts'
import { successorOf, type RefreshToken } from './refresh-token.ts'

/** How long a repeated refresh returns the same tokens, and the former access token works. */
export const GRACE_MS = 60_000

const TOKEN_BYTES = 32
// 32 characters take 33 bytes on average.
const SECRET_BYTES = 256
const BYTE_VALUES = 256

/** The refresh token that replaces `former`. */
export function nextRefreshToken(former: RefreshToken, salt: Buffer): RefreshToken {
  return successorOf(former, derive(former, salt, 'refresh', TOKEN_BYTES).toString('base64url'))
}

/** The access token that was issued together with `refresh`. */
export function accessTokenOf(refresh: RefreshToken, salt: Buffer, mode: Mode): string {
  const bytes = derive(refresh, salt, 'access', SECRET_BYTES).values()
  return newSecret(mode, (limit) => {
    // Uniform: values of the incomplete last multiple are skipped.
    const end = BYTE_VALUES - (BYTE_VALUES % limit)
    let value = end
    while (value >= end) value = bytes.next().value ?? 0
    return value % limit
  })
}

function derive({ text }: RefreshToken, salt: Buffer, use: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', text, salt, `tollgate oauth ${use}`, bytes))
}
