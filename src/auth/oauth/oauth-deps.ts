import type { KeyDeps } from '../../keys/key-deps.ts'
import type { AuthDeps } from '../auth-deps.ts'

/** Dependencies of the authorization server. */
export type OAuthDeps = Pick<AuthDeps, 'database' | 'now'> & {
  readonly keys: KeyDeps
  /** The issuer. */
  readonly publicUrl: string
}
