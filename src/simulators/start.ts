/** The simulated vendors behind one loopback server: test mode, demonstrations and tests talk to it over real HTTP. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../lib/clock.ts'
import { faultOf, isCallFault, type CallFault } from './faults.ts'
import { openRequestLog, type RequestLog } from './request-log.ts'
import type { SimulatedReply, SimulatedRequest, SimulatedVendor } from './vendor.ts'
import { writePieces } from './write-pieces.ts'
import { modelVendors } from './model-vendors.ts'
import { recordVendors } from './record-vendors.ts'
import { cheapunblock } from './vendors/cheapunblock.ts'
import { agentic } from './vendors/agentic.ts'
import { captcha } from './vendors/captcha.ts'
import { cited } from './vendors/cited.ts'
import { geoegress } from './vendors/geoegress.ts'
import { indep } from './vendors/indep.ts'
import { platform } from './vendors/platform.ts'
import { proxy } from './vendors/proxy.ts'
import { rag } from './vendors/rag.ts'
import { render } from './vendors/render.ts'
import { render2 } from './vendors/render2.ts'
import { semantic } from './vendors/semantic.ts'
import { newsletter } from './vendors/newsletter.ts'
import { trends } from './vendors/trends.ts'
import { socialread } from './vendors/socialread.ts'
import { seodata } from './vendors/seodata.ts'
import { companyfind } from './vendors/companyfind.ts'
import { altdata } from './vendors/altdata.ts'
import { fundingdb } from './vendors/fundingdb.ts'
import { signals } from './vendors/signals.ts'
import { hiringdata } from './vendors/hiringdata.ts'
import { deepenrich } from './vendors/deepenrich.ts'
import { emailasync } from './vendors/emailasync.ts'
import { emailintel } from './vendors/emailintel.ts'
import { contactfind } from './vendors/contactfind.ts'
import { unblock } from './vendors/unblock.ts'
import { browser } from './vendors/browser.ts'
import { gitstore } from './vendors/gitstore.ts'
import { inbox } from './vendors/inbox.ts'
import { media } from './vendors/media.ts'
import { sandbox } from './vendors/sandbox.ts'

export const simulatedVendors: Readonly<Record<string, SimulatedVendor>> = {
  semantic,
  render,
  render2,
  cheapunblock,
  unblock,
  proxy,
  indep,
  rag,
  cited,
  agentic,
  geoegress,
  captcha,
  platform,
  contactfind,
  emailintel,
  ...recordVendors,
  ...modelVendors,
  emailasync,
  deepenrich,
  hiringdata,
  signals,
  fundingdb,
  altdata,
  companyfind,
  seodata,
  socialread,
  trends,
  newsletter,
  sandbox,
  gitstore,
  browser,
  inbox,
  media,
}

export type Simulators = {
  /** "http://127.0.0.1:PORT"; the vendor behind label x has the base address `${url}/x`. */
  readonly url: string
  readonly requests: RequestLog
  /** Ends open answers too. */
  readonly close: () => Promise<void>
}

const MAX_BODY_BYTES = 2 * 1024 * 1024
const MAX_HELD_OPEN = 1_000
const MAX_FLAKY_INPUTS = 1_000

export async function startSimulators(options: {
  readonly now: Clock
  readonly vendors?: Readonly<Record<string, SimulatedVendor>>
}): Promise<Simulators> {
  const requests = openRequestLog()
  const house: House = {
    vendors: new Map(Object.entries(options.vendors ?? simulatedVendors)),
    now: options.now,
    requests,
    heldOpen: 0,
    flaky: new Map(),
  }
  const server = createServer((incoming, response) => {
    handle(house, incoming, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requests, close: () => closeServer(server) }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

type House = {
  readonly vendors: ReadonlyMap<string, SimulatedVendor>
  readonly now: Clock
  readonly requests: RequestLog
  /** Answers that are being delayed or withheld; beyond the bound they fail at once. */
  heldOpen: number
  /** How often each input marked as flaky was seen, oldest first. */
  readonly flaky: Map<string, number>
}

async function handle(house: House, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, label = '', path, search] = /^\/([^/?]*)(\/[^?]*)?(\?.*)?$/.exec(incoming.url ?? '') ?? []
  const vendor = house.vendors.get(label)
  if (vendor === undefined)
    return write(response, { status: 404, json: { error: 'There is no simulated vendor here.' } })
  const text = await readBody(incoming, vendor.maxBodyBytes ?? MAX_BODY_BYTES)
  if (text === undefined) return write(response, vendor.failure(413, 'fault'))
  const body = isForm(incoming) ? Object.fromEntries(new URLSearchParams(text)) : parseJson(text)
  const request: SimulatedRequest = {
    method: incoming.method ?? 'GET',
    path: path ?? '/',
    query: new URLSearchParams(search),
    headers: incoming.headers,
    body,
    now: house.now,
  }
  house.requests.add(label, request, text.length)
  if ((vendor.credential(request) ?? '').trim() === '') return write(response, vendor.failure(401, 'credentials'))
  if (text !== '' && body === undefined && vendor.takesBytes?.(request.path) !== true) return write(response, vendor.failure(400, 'bad_json'))
  const answer = () => write(response, vendor.answer(request) ?? vendor.failure(404, 'no_route'))
  // A header asks too, for tests that walk over vendors without knowing their fields.
  const fault = [...vendor.texts(request), String(request.headers['x-simulated-fault'] ?? '')]
    .map((input) => faultOf(input, label))
    .find((found) => found !== undefined && isCallFault(found))
  if (fault === undefined || !isCallFault(fault)) return answer()
  return misbehave({ house, vendor, request, response, fault, answer })
}

type Scene = {
  readonly house: House
  readonly vendor: SimulatedVendor
  readonly request: SimulatedRequest
  readonly response: ServerResponse
  readonly fault: CallFault
  readonly answer: () => void
}

function misbehave({ house, vendor, request, response, fault, answer }: Scene): void {
  switch (fault.kind) {
    case 'status':
      return write(
        response,
        withRetryAfter(vendor.failure(fault.status, fault.status === 401 ? 'credentials' : 'fault')),
      )
    case 'quota':
      return write(response, vendor.failure(vendor.quotaStatus, 'quota'))
    case 'flaky':
      return isOddTurn(house, vendor.texts(request).join(' '))
        ? write(response, vendor.failure(503, 'fault'))
        : answer()
    case 'slow':
      return holdOpen(house, vendor, response, fault.delayMs, answer)
    case 'timeout':
      return holdOpen(house, vendor, response, undefined, answer)
    case 'reset':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"cut":', () => response.destroy())
      return
    case 'badjson':
      return write(response, { status: 200, text: '{"this is": not json', contentType: 'application/json' })
    case 'odd':
      return write(response, { status: 200, json: { simulated: true, note: 'an answer in an unexpected form' } })
  }
}

/** Answers after `delayMs`, or never when undefined; either way nothing is left once the caller has gone. */
function holdOpen(
  house: House,
  vendor: SimulatedVendor,
  response: ServerResponse,
  delayMs: number | undefined,
  answer: () => void,
): void {
  if (house.heldOpen >= MAX_HELD_OPEN) return write(response, vendor.failure(503, 'fault'))
  house.heldOpen += 1
  const timer = delayMs === undefined ? undefined : setTimeout(answer, delayMs)
  response.once('close', () => {
    clearTimeout(timer)
    house.heldOpen -= 1
  })
}

/** A flaky input fails the first time and every other time after it. */
function isOddTurn(house: House, input: string): boolean {
  const turn = (house.flaky.get(input) ?? 0) + 1
  house.flaky.delete(input)
  house.flaky.set(input, turn)
  if (house.flaky.size > MAX_FLAKY_INPUTS) {
    for (const oldest of house.flaky.keys()) {
      house.flaky.delete(oldest)
      break
    }
  }
  return turn % 2 === 1
}

function withRetryAfter(reply: SimulatedReply): SimulatedReply {
  return reply.status === 429 || reply.status === 503
    ? { ...reply, headers: { ...reply.headers, 'retry-after': '1' } }
    : reply
}

function write(response: ServerResponse, reply: SimulatedReply): void {
  const { status, json, text = '', contentType = 'text/plain; charset=utf-8', headers = {} } = reply
  if (response.destroyed) return
  if (reply.pieces !== undefined) return writePieces(response, reply, reply.pieces)
  const body = Buffer.from(json === undefined ? text : JSON.stringify(json))
  response.writeHead(status, {
    'content-type': json === undefined ? contentType : 'application/json',
    'content-length': body.length,
    ...headers,
  })
  response.end(body)
}

/** The body as text, undefined when it is larger than any vendor takes. */
async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') return ''
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= maxBytes) chunks.push(chunk)
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks).toString('utf8')
}

function isForm({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
}

function parseJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
