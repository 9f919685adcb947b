/** The key and balance pages in a separate app, with visitors who submit forms like a browser without scripts. */
import assert from 'node:assert/strict'
import Fastify, { type LightMyRequestResponse } from 'fastify'
import { cleanUp } from '../../../../../../test/harness/clean-up.ts'
import { openOwnerSession } from '../../../../../../test/harness/owner-session.ts'
import { formIn, sendForm, type Fields } from '../../../../../../test/harness/clients/forms.ts'
import { createWorld } from '../../../../../../test/harness/beds/world.ts'
import { openKeySession } from '../../../../../auth/records/browser-session.ts'
import { openHistories } from '../../../../../history/histories.ts'
import { createCatalog } from '../../../../../catalog/index.ts'
import { createValidator } from '../../../../../catalog/validate/validate.ts'
import { createAuthenticator } from '../../../../../keys/authenticate.ts'
import type { Caller } from '../../../../../keys/caller.ts'
import { createKey } from '../../../../../keys/create-key.ts'
import type { NewKey } from '../../../../../keys/key-input.ts'
import type { KeyRecord } from '../../../../../keys/key-record.ts'
import { listKeys } from '../../../../../keys/list-keys.ts'
import { newId } from '../../../../../lib/ids.ts'
import { acceptJsonBodies } from '../../../bodies/json-body.ts'
import { renderError } from '../../../render-error.ts'
import { balancePageRoutes } from '../../home/balance-page-routes.ts'
import { acceptForms } from '../../visitor/forms.ts'
import { createPageDeps } from '../../visitor/page-deps.ts'
import { keyPageRoutes } from '../key-page-routes.ts'

export const CHANGE = /^\/keys\/\w+(\?|$)/
export const CREATE = /^\/keys(\?|$)/
export const ROTATE = /\/rotate/
export const END_FORMER = /\/end-former/

export const alertIn = ({ body }: LightMyRequestResponse): string =>
  /role="alert">([^<]*)</.exec(body)?.[1] ?? ''

/** Call it at the top level of a test file. */
export async function openKeyPages() {
  const world = await createWorld()
  const authenticator = createAuthenticator({
    database: world.database,
    now: world.now,
    cacheSize: 100,
    cacheMs: 30_000,
  })
  await authenticator.ready
  const keys = { ...world.keys, forget: authenticator.forget }
  const pages = await createPageDeps({
    database: world.database,
    now: world.now,
    publicUrl: 'http://127.0.0.1:4020',
  })
  const shared = {
    pages,
    methods: { signUp: false, mail: false, provider: null },
    validator: createValidator(),
  }
  const app = Fastify({ genReqId: () => newId(world.now()) })
  app.setErrorHandler(renderError)
  acceptJsonBodies(app)
  acceptForms(app)
  await app.register(balancePageRoutes, {
    ...shared,
    histories: openHistories(world.database),
    catalog: createCatalog(),
    authenticator,
    callLog: { flush: async () => {} },
  })
  await app.register(keyPageRoutes, { ...shared, keys, catalog: createCatalog() })
  cleanUp(async () => {
    await app.close()
    await authenticator.close()
  })

  const cookieWith = (token: string): string => `tollgate-page=${token}`
  const open = (url: string, cookie = ''): Promise<LightMyRequestResponse> =>
    app.inject({ url, headers: { cookie } })
  const send = (
    url: string,
    cookie: string,
    fields: Fields,
    headers: Fields = {},
  ): Promise<LightMyRequestResponse> =>
    sendForm(app, { url, fields, headers: { cookie, ...headers } })
  const formOf = async (url: string, action: RegExp, cookie: string) =>
    formIn(await open(url, cookie), action)

  /** Fills in and submits the form of a page. */
  async function fillIn(
    url: string,
    form: RegExp,
    cookie: string,
    fields: Fields,
  ): Promise<LightMyRequestResponse> {
    const { action, hidden } = await formOf(url, form, cookie)
    return send(action, cookie, { ...hidden, ...fields })
  }

  const keysOf = async (caller: Caller): Promise<readonly KeyRecord[]> =>
    (await listKeys(keys, caller, { limit: 100, cursor: null })).keys

  return {
    world,
    authenticator,
    keys,
    byKey: async (secret: string): Promise<string> =>
      cookieWith(await openKeySession(world, secret)),
    asHolder: async ({ accountId }: Caller): Promise<string> =>
      cookieWith(await openOwnerSession(world, accountId)),
    open,
    send,
    formOf,
    create: (cookie: string, fields: Fields, url = '/keys/new') =>
      fillIn(url, CREATE, cookie, fields),
    change: (id: string, cookie: string, fields: Fields) =>
      fillIn(`/keys/${id}`, CHANGE, cookie, fields),
    make: (caller: Caller, input: NewKey = {}) => createKey(keys, caller, input),
    keysOf,
    async keyOf(caller: Caller, id: string): Promise<KeyRecord> {
      return (await keysOf(caller)).find((one) => one.id === id) ?? assert.fail(id)
    },
  }
}
