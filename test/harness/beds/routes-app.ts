/** An app with only the routes of keys and accounts, and the hooks that the gateway installs around them. */
import Fastify, { type FastifyInstance } from 'fastify'
import { openHistories } from '../../../src/history/histories.ts'
import { createCatalog } from '../../../src/catalog/index.ts'
import { createValidator } from '../../../src/catalog/validate/validate.ts'
import { createAuthenticator } from '../../../src/keys/authenticate.ts'
import { newId } from '../../../src/lib/ids.ts'
import { acceptJsonBodies } from '../../../src/surfaces/http/bodies/json-body.ts'
import { renderError } from '../../../src/surfaces/http/render-error.ts'
import { accountRoutes } from '../../../src/surfaces/http/routes/account/account-routes.ts'
import { requireKeyOrSession } from '../../../src/surfaces/http/routes/account/key-or-session.ts'
import { agentRoutes } from '../../../src/surfaces/http/routes/agents/agent-routes.ts'
import { cleanUp } from '../clean-up.ts'
import type { World } from './world.ts'

export type Reply = {
  readonly status: number
  readonly body: {
    ok?: boolean
    data?: unknown
    next_cursor?: string | null
    error?: { code: string; param: string | null; fix: string; message: string }
  }
  readonly text: string
  readonly headers: Readonly<Record<string, unknown>>
}
export type Ask = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  key: string | null,
  options?: { body?: unknown; headers?: Record<string, string> },
) => Promise<Reply>

export async function createRoutesApp(world: World): Promise<{ app: FastifyInstance; ask: Ask }> {
  const authenticator = createAuthenticator({
    database: world.database,
    now: world.now,
    cacheSize: 100,
    cacheMs: 30_000,
  })
  await authenticator.ready
  const app = Fastify({ genReqId: () => newId(world.now()) })
  cleanUp(async () => {
    await app.close()
    await authenticator.close()
  })
  app.setErrorHandler(renderError)
  acceptJsonBodies(app)
  app.addHook(
    'onRequest',
    requireKeyOrSession({
      authenticator,
      database: world.database,
      now: world.now,
      publicUrl: 'http://127.0.0.1:4020',
    }),
  )
  const validator = createValidator()
  await app.register(agentRoutes, {
    keys: { ...world.keys, forget: authenticator.forget },
    validator,
    catalog: createCatalog(),
  })
  await app.register(accountRoutes, {
    database: world.database,
    histories: openHistories(world.database),
    now: world.now,
    validator,
  })
  return { app, ask: askOf(app) }
}

function askOf(app: FastifyInstance): Ask {
  return async (method, url, key, { body, headers = {} } = {}) => {
    const response = await app.inject({
      method,
      url,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    return {
      status: response.statusCode,
      body: isJson ? response.json() : {},
      text: response.body,
      headers: response.headers,
    }
  }
}
