import type { FastifyRequest } from 'fastify'
import type { Person } from '../../../../auth/passkeys.ts'
import type { PersonSession, Visitor } from '../../../../auth/records/browser-session.ts'
import type { PageDeps } from '../visitor/page-deps.ts'

/** A signed-in person, with the token of this browser's session. */
export type SignedInPerson = Person & PersonSession & { readonly visitor: Visitor }

/** Finds the signed-in person. Null for a stranger and for a session of a key. */
export async function findSignedIn(
  { findVisitor, cookie }: PageDeps,
  request: FastifyRequest,
): Promise<SignedInPerson | null> {
  const visitor = await findVisitor(request)
  const session = cookie.read(request)
  const member = visitor?.caller.member
  if (visitor?.email == null || member === undefined || session === null) return null
  return {
    personId: member.personId,
    accountId: visitor.caller.accountId,
    email: visitor.email,
    session,
    visitor,
  }
}
