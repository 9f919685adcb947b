/**
 * Reads a product page and compares its price with the price that you expect. With WEBHOOK_URL it
 * registers a webhook, and reads the result when the verified event arrives.
 *
 * Costs from 1 cent for a simple page to a few cents behind bot protection. Events are free.
 * Run: TOLLGATE_KEY=tg_test_… npx node examples/typescript/price-watcher.ts https://shop.example.com/kettle 39.90
 * WEBHOOK_URL is a public address that forwards to WEBHOOK_PORT (8080).
 */
import { on } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { verifyWebhook, type Tollgate } from '../../packages/sdk/src/index.ts'
import { runAgent } from './run-agent.ts'

const page = process.argv[2] ?? 'https://shop.example.com/products/kettle'
const expected = Number(process.argv[3] ?? '39.90')
const webhookUrl = process.env['WEBHOOK_URL']
type Webhook = { data: { id: string; secret: string } }

/** Starts a job with `start`, and resolves with its id when a signed event reports its end. */
async function waitForEvent(
  tollgate: Tollgate,
  url: string,
  start: () => Promise<string>,
): Promise<string> {
  const server = createServer().listen(Number(process.env['WEBHOOK_PORT'] ?? 8080))
  const deliveries = on(server, 'request', { signal: AbortSignal.timeout(120_000) })
  const { data: webhook } = await tollgate.request<Webhook>('POST', '/api/v1/webhooks', {
    url,
    events: ['job.*'],
  })
  try {
    const jobId = await start()
    for await (const [request, response] of deliveries) {
      const event = await verifyWebhook(webhook.secret, request.headers, await text(request))
      response.writeHead(204).end()
      if (event.data['job_id'] !== jobId) continue
      console.log(`Verified event: ${event.type}`)
      break
    }
    return jobId
  } finally {
    await tollgate.request('DELETE', `/api/v1/webhooks/${webhook.id}`)
    server.close()
    server.closeAllConnections()
  }
}

await runAgent(async (tollgate, bill) => {
  const start = () => tollgate.core.onescrapeDeep({ urls: [page], format: 'text' })
  const jobId = async () => (await start()).data.job_id
  const id = await (webhookUrl === undefined ? jobId() : waitForEvent(tollgate, webhookUrl, jobId))
  type Pages = { rows: { title: string | null; content: string | null }[] }
  const [row] = bill.addJob(await tollgate.waitFor<Pages>(id)).rows

  console.log(`Page: ${row?.title ?? page}`)
  const found = /[$€£]\s?(\d+(?:\.\d{2})?)/.exec(row?.content ?? '')?.[1]
  if (found === undefined) console.log('The page shows no price.')
  else if (Number(found) < expected) console.log(`Price drop: ${found}, expected ${expected}`)
  else console.log(`No price drop: ${found}, expected ${expected}`)
  if (webhookUrl === undefined) console.log('Set WEBHOOK_URL to receive the event of the job.')
})
