// Creates a key with a limit of 4 cents per day, and reads a page with it until the limit is reached.
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
      // Use a new value for each request, and the same value to repeat a request whose answer was lost.
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify(body),
  })
  return response.json()
}

const created = await post('/api/v1/agents', primaryKey, { label: 'page reader', ceiling_cents: 4, ceiling_period: 'day' })
if (!created.ok) throw new Error(`${created.error.message} ${created.error.fix}`)
console.log(`created key ${created.data.key_prefix}…, limit ${created.data.ceiling_cents}¢ per ${created.data.ceiling_period}`)

for (;;) {
  const { ok, data, error, charged_cents: charged } = await post('/api/run/core/onescrape', created.data.key, { urls: [page], max_cost_cents: 2 })
  if (ok) {
    const [row] = data.rows
    console.log(`read "${row.title}", ${row.chars} characters, for ${charged}¢`)
  } else {
    console.log(`${error.code}: ${error.message} ${error.fix}`)
    process.exit(error.code === 'api_key_limit_exceeded' ? 0 : 1)
  }
}
