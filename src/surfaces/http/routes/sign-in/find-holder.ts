import type { FastifyRequest } from 'fastify'
import type { Holder } from '../../../../auth/passkeys.ts'
import type { PageDeps } from '../visitor/page-deps.ts'

/** The holder of an account, with the token of this browser's session. */
export type SignedInHolder = Holder & { readonly session: string }

/** Finds the signed-in holder. Null for a stranger and for a session of a key. */
export async function findHolder(
  { findVisitor, cookie }: PageDeps,
  request: FastifyRequest,
): Promise<SignedInHolder | null> {
  const visitor = await findVisitor(request)
  const session = cookie.read(request)
  if (visitor === null || visitor.email === null || session === null) return null
  return { accountId: visitor.caller.accountId, email: visitor.email, session }
}
