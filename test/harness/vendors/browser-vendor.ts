/** Browserbase's API as a local server that opens, returns, ends and lists sessions. */
import type { VendorReply, VendorRequest } from './vendor.ts'

type Session = {
  readonly id: string
  readonly createdMs: number
  readonly seconds: number
  readonly metadata: unknown
  status: string
}

export type BrowserVendor = {
  readonly sessions: Session[]
  /** The lead of the vendor's clock over the gateway's. */
  skewMs: number
  /** The longest session of the plan. A longer order is rejected, or with `isCut` shortened to it. */
  longestSeconds: number
  isCut: boolean
  /** The names of the running sessions. */
  living(): string[]
  answer(request: VendorRequest): VendorReply
}

export function createBrowserVendor(now: () => number): BrowserVendor {
  const vendor: BrowserVendor = {
    sessions: [],
    skewMs: 0,
    longestSeconds: 21_600,
    isCut: false,
    living: () =>
      vendor.sessions
        .filter((session) => stateOf(session).status === 'RUNNING')
        .map(({ id }) => id),
    answer({ method, path, body }) {
      const { pathname, searchParams } = new URL(path, 'http://vendor.example')
      if (method === 'POST' && pathname === '/v1/sessions') return open(body as Order)
      if (method === 'GET' && pathname === '/v1/sessions')
        return {
          body: vendor.sessions
            .filter(
              ({ metadata }) =>
                searchParams.get('q') ===
                `user_metadata['tollgate_session']:'${(metadata as Record<string, string>)['tollgate_session']}'`,
            )
            .map(stateOf),
        }
      const session = vendor.sessions.find(({ id }) => pathname === `/v1/sessions/${id}`)
      if (session === undefined)
        return { status: 404, body: { statusCode: 404, error: 'Not Found', message: 'Not Found' } }
      if (method === 'POST') session.status = 'COMPLETED'
      return { body: stateOf(session) }
    },
  }

  type Order = { readonly timeout: number; readonly userMetadata: unknown }

  function open({ timeout, userMetadata }: Order): VendorReply {
    if (timeout > vendor.longestSeconds && !vendor.isCut)
      return {
        status: 400,
        body: {
          statusCode: 400,
          error: 'Bad Request',
          message: 'timeout is above what your plan allows',
        },
      }
    const id = `session-${vendor.sessions.length + 1}`
    const session: Session = {
      id,
      createdMs: now(),
      seconds: Math.min(timeout, vendor.longestSeconds),
      metadata: userMetadata,
      status: 'RUNNING',
    }
    vendor.sessions.push(session)
    return {
      status: 201,
      body: {
        ...stateOf(session),
        connectUrl: `wss://connect.vendor.example/?signingKey=${id}`,
        seleniumRemoteUrl: 'https://connect.vendor.example/webdriver',
        signingKey: id,
      },
    }
  }

  function stateOf({ id, createdMs, seconds, metadata, status }: Session) {
    const time = (ms: number): string => new Date(ms + vendor.skewMs).toISOString()
    const isOver = now() >= createdMs + seconds * 1000
    return {
      id,
      createdAt: time(createdMs),
      startedAt: time(createdMs),
      updatedAt: time(createdMs),
      expiresAt: time(createdMs + seconds * 1000),
      status: status === 'RUNNING' && isOver ? 'TIMED_OUT' : status,
      keepAlive: false,
      projectId: 'project-of-the-operator',
      proxyBytes: 0,
      region: 'us-west-2',
      userMetadata: metadata,
    }
  }

  return vendor
}
