/** The operator console in a separate app, with an operator and visitors who submit forms like a browser without scripts. */
import Fastify, { type LightMyRequestResponse } from 'fastify'
import { cleanUp } from '../../../../../../test/harness/clean-up.ts'
import { createWorld } from '../../../../../../test/harness/beds/world.ts'
import { formIn, sendForm, type Fields } from '../../../../../../test/harness/clients/forms.ts'
import { setOperator } from '../../../../../accounts/set-operator.ts'
import { listChanges, type ChangeFilter } from '../../../../../audit/list-changes.ts'
import { openKeySession } from '../../../../../auth/records/browser-session.ts'
import { openOwnerSession } from '../../../../../../test/harness/owner-session.ts'
import { createSecretBox } from '../../../../../events/webhooks/secrets.ts'
import type { WebhookDeps } from '../../../../../events/webhooks/webhook-deps.ts'
import type { Database, SqlValue } from '../../../../../db/database.ts'
import type { Caller } from '../../../../../keys/caller.ts'
import { newId, publicId } from '../../../../../lib/ids.ts'
import type { OperateDeps } from '../../../../../operate/operate-deps.ts'
import { createGuard } from '../../../../../upstream/guard.ts'
import { acceptJsonBodies } from '../../../bodies/json-body.ts'
import { nameAuthors } from '../../audit/name-authors.ts'
import { showErrors } from '../../visitor/error-page.ts'
import { acceptForms } from '../../visitor/forms.ts'
import { createPageDeps } from '../../visitor/page-deps.ts'
import { operateRoutes } from '../operate-routes.ts'

export const HTML = 'text/html'

/** Call it at the top level of a test file. */
export async function openOperatorConsole(operate?: OperateDeps) {
  const world = await createWorld()
  const { now } = world
  /** The statements of the pages. */
  const statements: { readonly text: string; readonly values: readonly SqlValue[] }[] = []
  const database: Database = {
    ...world.database,
    query: (text, values = [], name) => {
      statements.push({ text, values })
      return world.database.query(text, values, name)
    },
  }
  const pages = await createPageDeps({ database, now, publicUrl: 'http://127.0.0.1:4020' })
  const guard = createGuard({ allowPrivateNetworks: ['127.0.0.0/8'] })
  const webhooks: WebhookDeps = {
    database,
    now,
    guard,
    secrets: createSecretBox(Buffer.alloc(32, 1)),
    sendsEmail: false,
  }
  const app = Fastify({ genReqId: () => newId(now()) })
  acceptJsonBodies(app)
  showErrors(app, pages.site)
  acceptForms(app)
  nameAuthors(app)
  await app.register(operateRoutes, { pages, webhooks, operate })
  cleanUp(async () => {
    await app.close()
    await guard.close()
  })
  const operator = await world.account()
  await setOperator(database, operator.account.email, true)
  const cookieWith = (token: string): string => `tollgate-page=${token}`
  const asHolder = async ({ accountId }: Caller): Promise<string> =>
    cookieWith(await openOwnerSession(world, accountId))

  const open = (url: string, cookie: string): Promise<LightMyRequestResponse> =>
    app.inject({ url, headers: { cookie, accept: HTML } })
  const send = (url: string, cookie: string, fields: Fields): Promise<LightMyRequestResponse> =>
    sendForm(app, { url, fields, headers: { cookie, accept: HTML } })

  return {
    world,
    statements,
    app,
    operator: { ...operator, cookie: await asHolder(operator.caller) },
    asHolder,
    byKey: async (secret: string): Promise<string> =>
      cookieWith(await openKeySession(world, secret)),
    open,
    send,
    /** Fills in and submits the form of a page. */
    async fillIn(
      url: string,
      form: string,
      cookie: string,
      fields: Fields,
    ): Promise<LightMyRequestResponse> {
      const { action, hidden } = formIn(await open(url, cookie), new RegExp(`/${form}$`))
      return send(action, cookie, { ...hidden, ...fields })
    },
    async changes(filter: ChangeFilter = {}) {
      return (await listChanges(database, { filter, cursor: null, limit: 100 })).changes
    },
    idOf: ({ accountId }: Caller): string => publicId('account', accountId),
  }
}
