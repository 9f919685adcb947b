/** Opens what a key may hold, and returns whether it still works. */
import { once } from 'node:events'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import { browserDepsOf } from '../../../src/calls/ways/browser-time.ts'
import { claimReference } from '../../../src/calls/perform/vendor-references.ts'
import { openKeySession } from '../../../src/auth/records/browser-session.ts'
import type { Caller } from '../../../src/keys/caller.ts'
import { endBrowsers } from '../../../src/resources/browsers/end-browsers.ts'
import { urlOf } from '../../../src/resources/git/clone-urls.ts'
import type { GitDeps } from '../../../src/resources/git/git-deps.ts'
import { createRepository } from '../../../src/resources/git/repositories.ts'
import { openFakeSession, type FakeBrowsers } from '../../harness/fake-browsers.ts'
import type { AppBed } from '../../harness/beds/app.ts'
import type { BEARERS } from './bearers.ts'

export type Holder = { readonly caller: Caller; readonly key: string }
export type Works = () => Promise<boolean>
export type World = {
  readonly bed: AppBed
  readonly git: GitDeps
  readonly fake: FakeBrowsers
  /** The address that the bed listens on. */
  readonly url: string
}

type Opener = (world: World, holder: Holder) => Promise<Works>

export const OPENERS = {
  'clone URL': async ({ bed, git, url }, { caller }) => {
    const repoId = await buyRepository({ bed, git }, caller)
    const { pathname, password } = new URL(urlOf(git, repoId, 0))
    const statusOf = async (service: string): Promise<number> => {
      const reply = await fetch(`${url}${pathname}/info/refs?service=${service}`, {
        headers: { authorization: `Basic ${btoa(`git:${password}`)}` },
      })
      await reply.arrayBuffer()
      return reply.status
    }
    return async () => {
      const statuses = [await statusOf('git-upload-pack'), await statusOf('git-receive-pack')]
      if (statuses[0] !== statuses[1]) throw new RangeError(`fetch and push: ${statuses.join()}`)
      return statuses[0] === 200
    }
  },
  'upload link': async ({ bed, url }, holder) => {
    const { put_url: link } = await upload(bed, holder)
    return async () => {
      const reply = await fetch(link.replace('https://gate.example', url), {
        method: 'PUT',
        body: 'x',
      })
      return reply.status === 200
    }
  },
  'download link': async ({ bed, url }, holder) => {
    const { put_url: put, get_url: get } = await upload(bed, holder)
    await fetch(put.replace('https://gate.example', url), { method: 'PUT', body: 'x' })
    return async () => (await fetch(get.replace('https://gate.example', url))).status === 200
  },
  'browser socket': async ({ bed, fake, url }, { caller }) => {
    const session = await openFakeSession(fake, bed.database, caller, bed.clock())
    const address = new URL(fake.own.get(session)?.connectUrl ?? '')
    const client = new WebSocket(
      `${url.replace('http', 'ws')}${address.pathname}${address.search}`,
      {
        headers: {},
        maxPayload: 1024,
        perMessageDeflate: false,
        followRedirects: false,
        autoPong: false,
        closeTimeout: 1_000,
      },
    )
    client.on('error', () => undefined)
    await new Promise<void>((done) => client.on('open', done))
    const closed = new Promise<void>((done) => client.on('close', () => done()))
    return async () => {
      // The chore of every process.
      await endBrowsers(browserDepsOf(bed.calls))
      if (fake.started.has(session)) return client.readyState === client.OPEN
      await closed
      return false
    }
  },
  'API key': async ({ bed }, { key }) => {
    const ask = () => bed.get('/api/v1/agents/me', { authorization: `Bearer ${key}` })
    return async () => (await ask()).statusCode === 200
  },
  'page session': async ({ bed }, { key }) => {
    const token = await openKeySession({ database: bed.database, now: bed.clock }, key)
    const cookie = `__Host-tollgate-page=${token}`
    const headers = { host: 'gate.example', origin: 'https://gate.example', cookie }
    return async () =>
      (await bed.app.inject({ url: '/api/v1/balance', headers })).statusCode === 200
  },
} as const satisfies Readonly<Record<(typeof BEARERS)[number]['name'], Opener>>

export async function buyRepository(
  { bed, git }: Pick<World, 'bed' | 'git'>,
  caller: Caller,
): Promise<string> {
  const repoId = await createRepository(git, caller, new AbortController().signal)
  await claimReference(bed.database, { ...caller, service: 'gitstore' }, repoId, bed.clock())
  return repoId
}

async function upload(bed: AppBed, { key }: Holder) {
  const reply = await bed.post(
    '/api/run/files/upload',
    { filename: 'a.txt', size_bytes: 1 },
    { authorization: `Bearer ${key}` },
  )
  return reply.json<{ data: { put_url: string; get_url: string } }>().data
}

/** A request that the server has begun to serve and that does not end by itself. */
export async function openRequest(
  url: string,
  method: string,
  headers: Record<string, string>,
): Promise<{ readonly ended: Promise<void> }> {
  const sent = request(url, { method, headers, agent: false })
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  sent.on('error', () => end())
  sent.on('response', (reply) => reply.on('close', end).on('error', end).resume())
  const [socket] = (await once(sent, 'socket')) as [Socket]
  if (socket.connecting) await once(socket, 'connect')
  if (method === 'GET') await once(sent.end(), 'response')
  // Begins the body: a git client announces the length of its first line.
  else await new Promise((done) => sent.write('00', done))
  return { ended }
}
