/** Lists the tools of an MCP server. */
import { findPlaces } from '../../calls/lanes/endpoints.ts'
import type { OwnAuth } from '../../catalog/own/own-file.ts'
import { toAuth } from '../../catalog/own/to-record.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { Deadline } from '../../lib/deadline.ts'
import { newId } from '../../lib/ids.ts'
import { fieldsOf, listedFields, type Fields } from '../../lib/json-fields.ts'
import { createGuard } from '../../upstream/guard.ts'
import { createPlainDispatcher } from '../../upstream/http1/plain-dispatcher.ts'
import { send } from '../../upstream/send.ts'
import type { Config } from '../settings/config.ts'

const TIMEOUT_MS = 30_000
const MOST_PAGES = 20

type ToolServer = {
  readonly url: string
  /** Names the settings with the credentials. */
  readonly service: string
  readonly auth: OwnAuth
  readonly isPrivate: boolean
  readonly config: Pick<Config, 'upstreams' | 'userAgent' | 'allowPrivateNetworks'>
  readonly now: Clock
}

/** As the server sends them. Throws AppError. */
export async function listTools(server: ToolServer): Promise<readonly Fields[]> {
  const { url, service, auth, isPrivate, config, now } = server
  const guard = createGuard({ allowPrivateNetworks: config.allowPrivateNetworks })
  const operatorDispatcher = createPlainDispatcher()
  const deadline = new Deadline(TIMEOUT_MS)
  try {
    const { live } = findPlaces(
      {
        upstreams: config.upstreams,
        guardedDispatcher: guard.vendors,
        operatorDispatcher,
        simulatorUrl: 'http://simulators.invalid',
        userAgent: config.userAgent,
      },
      service,
      {
        baseUrl: url.replace(/\/+$/, ''),
        auth: toAuth(auth),
        docsUrl: url,
        ...(isPrivate ? { isPrivate: true } : {}),
      },
    )
    if (live === null)
      throw new AppError('upstream_not_configured', `${service} has no credentials.`, {
        fix: `Set UPSTREAM_${service.toUpperCase()}_KEY, or add --no-auth.`,
      })
    const tools: Fields[] = []
    let cursor: unknown
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const sent = await send(
        live.target,
        {
          method: 'POST',
          path: '',
          rpc: 'tools/list',
          json: cursor === undefined ? {} : { cursor },
        },
        { deadline, vendorKey: newId(now()), now },
      )
      if (!sent.ok)
        throw new AppError(sent.failure.code, `${url} listed no tools: ${sent.failure.message}`)
      const body = fieldsOf(sent.reply.body)
      tools.push(...listedFields(body['tools']))
      cursor = body['nextCursor']
      if (typeof cursor !== 'string') break
    }
    return tools
  } finally {
    deadline.end()
    await Promise.all([guard.close(), operatorDispatcher.close()])
  }
}
