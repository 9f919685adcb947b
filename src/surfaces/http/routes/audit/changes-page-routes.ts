import type { FastifyInstance } from 'fastify'
import { listChanges } from '../../../../audit/list-changes.ts'
import { seesPeople } from '../../../../keys/change-key.ts'
import { listKeysAnd } from '../../../../keys/list-keys.ts'
import { bearerSecret } from '../../guards/require-caller.ts'
import { signInPage, type SignInMethods } from '../sign-in/sign-in-page.ts'
import { fieldOf } from '../visitor/forms.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { sendPage } from '../visitor/send-page.ts'
import { CHANGES_PATH, changesPage, keyIdsIn } from './changes-page.ts'
import { requires } from '../../guards/requires.ts'

const ROWS_SHOWN = 50

/** /changes: the audit log of the account. */
export function changesPageRoutes(
  app: FastifyInstance,
  {
    pages: { database, now, site, findVisitor },
    methods,
  }: { readonly pages: PageDeps; readonly methods: SignInMethods },
): void {
  app.get(CHANGES_PATH, requires('team.view'), async (request, reply) => {
    // Redirects a program with a key to the API.
    if (bearerSecret(request) !== null)
      return reply.redirect(`/api/v1/changes${new URL(request.url, site.publicUrl).search}`, 303)
    const visitor = await findVisitor(request)
    if (visitor === null)
      return sendPage(reply, 200, signInPage(site, methods, { next: request.url }))
    const cursor = fieldOf(request.query, 'cursor')
    const page = seesPeople(visitor.caller)
      ? await listChanges(database, {
          filter: { accountId: visitor.caller.accountId },
          cursor: cursor === '' ? null : cursor,
          limit: ROWS_SHOWN,
        })
      : null
    const { keys } = await listKeysAnd({ database, now }, visitor.caller, {
      limit: ROWS_SHOWN,
      cursor: null,
      ids: keyIdsIn(page?.changes ?? []),
    })
    return sendPage(reply, 200, changesPage(site, { visitor, page, isFirst: cursor === '', keys }))
  })
}
