/** Serves all simulated vendors from one loopback server, for test mode, demonstrations and tests. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../lib/clock.ts'
import { faultOf, isCallFault } from './faults.ts'
import { simulateFault, type FaultMemory } from './simulate-fault.ts'
import { openRequestLog, type RequestLog } from './request-log.ts'
import type { SimulatedRequest, SimulatedVendor } from './vendor.ts'
import { loadSimulators } from '../vendors/simulators.ts'
import { writeReply } from './write-reply.ts'

export type Simulators = {
  /** "http://127.0.0.1:PORT". The vendor x has the base URL `${url}/x`. */
  readonly url: string
  readonly requests: RequestLog
  /** Also simulates these vendors. The former ones serve the requests in flight. */
  readonly setOwn: (vendors: ReadonlyMap<string, SimulatedVendor>) => void
  /** Also ends open answers. */
  readonly close: () => Promise<void>
}

const MAX_BODY_BYTES = 2 * 1024 * 1024
/** URLs of jobs contain their input. */
const MAX_HEAD_BYTES = 256 * 1024

export async function startSimulators(options: {
  readonly now: Clock
  readonly vendors?: Readonly<Record<string, SimulatedVendor>>
}): Promise<Simulators> {
  const requests = openRequestLog()
  const state: ServerState = {
    vendors: new Map(Object.entries(options.vendors ?? (await loadSimulators()))),
    now: options.now,
    requests,
    own: [],
    faults: { heldOpen: 0, flaky: new Map() },
  }
  const server = createServer({ maxHeaderSize: MAX_HEAD_BYTES }, (incoming, response) => {
    handle(state, incoming, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    setOwn: (vendors) => {
      state.own = [vendors, ...state.own].slice(0, 2)
    },
    close: () => closeServer(server),
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

type ServerState = {
  readonly vendors: ReadonlyMap<string, SimulatedVendor>
  readonly now: Clock
  readonly requests: RequestLog
  /** The latest vendors of the operator's files, and those before. */
  own: readonly ReadonlyMap<string, SimulatedVendor>[]
  readonly faults: FaultMemory
}

async function handle(
  state: ServerState,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, label = '', path, search] =
    /^\/([^/?]*)(\/[^?]*)?(\?.*)?$/.exec(incoming.url ?? '') ?? []
  const own = state.own.flatMap((vendors) => vendors.get(label) ?? [])
  const vendor = state.vendors.get(label) ?? own[0]
  if (vendor === undefined)
    return writeReply(response, {
      status: 404,
      json: { error: 'No simulated vendor has this label.' },
    })
  const text = await readBody(incoming, vendor.maxBodyBytes ?? MAX_BODY_BYTES)
  if (text === undefined) return writeReply(response, vendor.failure(413, 'fault'))
  const body = isForm(incoming) ? Object.fromEntries(new URLSearchParams(text)) : parseJson(text)
  const request: SimulatedRequest = {
    method: incoming.method ?? 'GET',
    path: path ?? '/',
    query: new URLSearchParams(search),
    headers: incoming.headers,
    body,
    now: state.now,
  }
  state.requests.add(label, request, text.length)
  if ((vendor.credential(request) ?? '').trim() === '')
    return writeReply(response, vendor.failure(401, 'credentials'))
  if (text !== '' && body === undefined && vendor.takesBytes?.(request.path) !== true)
    return writeReply(response, vendor.failure(400, 'bad_json'))
  const answer = () =>
    writeReply(
      response,
      vendor.answer(request) ?? own[1]?.answer(request) ?? vendor.failure(404, 'no_route'),
    )
  // Tests of all vendors request faults by a header.
  const fault = [...vendor.texts(request), String(request.headers['x-simulated-fault'] ?? '')]
    .map((input) => faultOf(input, label))
    .find((found) => found !== undefined && isCallFault(found))
  if (fault === undefined || !isCallFault(fault)) return answer()
  return simulateFault({ memory: state.faults, vendor, request, response, fault, answer })
}

/** Reads the body as text. Undefined if it is too large. */
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
