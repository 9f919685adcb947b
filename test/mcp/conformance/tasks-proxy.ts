/**
 * Passes requests of the conformance suite on to the gateway, with the suite's tools as calls of the gateway: its jobs
 * as calls of work/deep, whose `seed` selects what the job does.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JobHandler } from '../../../src/catalog/vocabulary/handlers.ts'
import { failed } from '../../../src/catalog/vocabulary/outcome.ts'
import { fieldsOf, type Fields } from '../../../src/lib/json-fields.ts'

const FAILS = 1_000
/** A job that takes as long as this runs until it is cancelled. */
const LONG_SECONDS = 60

let cancelled = Promise.withResolvers<void>()

export const runTask: JobHandler = async ({ seed }) => {
  if (seed === FAILS) return failed('upstream_error', 'The job fails.')
  if (Number(seed) >= LONG_SECONDS) await cancelled.promise
  return { kind: 'done', data: { answer: 42 }, actual: 0n }
}

const job = (seed: number): Fields => ({
  name: 'run',
  arguments: { service: 'work', action: 'deep', params: { seed, budgetCents: 2 } },
})
const CALLS: Readonly<Record<string, (given: Fields) => Fields>> = {
  greet: () => ({ name: 'balance', arguments: {} }),
  slow_compute: ({ seconds }) => job(Number(seconds)),
  failing_job: () => job(FAILS),
}

type TasksProxy = { readonly url: string; close(): void }

/** `wake` runs after each response, so that a worker takes a new job. */
export async function startTasksProxy(target: string, wake: () => void): Promise<TasksProxy> {
  const server = createServer((incoming, outgoing) => {
    void forward(target, incoming).then(({ status, text }) => {
      wake()
      // The workers of tests receive no notifications.
      if (incoming.headers['mcp-method'] === 'tasks/cancel') endLongJobs()
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(text)
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function endLongJobs(): void {
  cancelled.resolve()
  cancelled = Promise.withResolvers()
}

async function forward(
  target: string,
  incoming: IncomingMessage,
): Promise<{ status: number; text: string }> {
  const message = fieldsOf(JSON.parse((await Array.fromAsync(incoming)).join('')))
  const params = fieldsOf(message['params'])
  const name = String(params['name'])
  const translate = message['method'] === 'tools/call' ? CALLS[name] : undefined
  const call = translate?.(fieldsOf(params['arguments'])) ?? {}
  const headers = Object.entries(incoming.headers).filter(([key]) => key.startsWith('mcp-'))
  const sent = new Headers(headers.map(([key, value]) => [key, String(value)]))
  sent.set('content-type', 'application/json')
  sent.set('accept', 'application/json')
  const { name: translated } = call
  if (sent.get('mcp-name') === name && typeof translated === 'string')
    sent.set('mcp-name', translated)
  const reply = await fetch(target, {
    method: 'POST',
    headers: sent,
    body: JSON.stringify({ ...message, params: { ...params, ...call } }),
  })
  return { status: reply.status, text: await reply.text() }
}
