// Makes a key for an agent that may spend 4 cents a day, and lets the agent read a page until the ceiling says no.
import { randomUUID } from 'node:crypto'

const gateway = process.env.TOLLGATE_URL ?? 'http://127.0.0.1:4020'
const primaryKey = process.env.TOLLGATE_KEY
const page = process.argv[2] ?? `${gateway}/guide`
if (primaryKey === undefined) throw new Error('Set TOLLGATE_KEY to the primary key of your account.')

async function post(path, key, body) {
  const response = await fetch(gateway + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      // A new one for each new request; the same one when a request is sent again because its answer was lost.
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify(body),
  })
  return response.json()
}

const made = await post('/api/v1/agents', primaryKey, { label: 'page reader', ceiling_cents: 4, ceiling_period: 'day' })
if (!made.ok) throw new Error(`${made.error.message} ${made.error.fix}`)
console.log(`made key ${made.data.key_prefix}…, which may spend ${made.data.ceiling_cents}¢ a ${made.data.ceiling_period}`)

for (;;) {
  const { ok, data, error, charged_cents: charged } = await post('/api/run/core/onescrape', made.data.key, { urls: [page], max_cost_cents: 2 })
  if (ok) {
    const [row] = data.rows
    console.log(`read "${row.title}", ${row.chars} characters, for ${charged}¢`)
  } else {
    console.log(`${error.code}: ${error.message} ${error.fix}`)
    process.exit(error.code === 'api_key_limit_exceeded' ? 0 : 1)
  }
}
