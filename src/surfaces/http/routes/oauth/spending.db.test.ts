/** The consented amount is a limit that concurrent calls, refreshes and sessions cannot exceed. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { verifyLedger } from '../../../../ledger/verify.ts'
import { openOAuthBed } from './testing/oauth-bed.ts'

const bed = await openOAuthBed()

type Tokens = { access_token: string; refresh_token: string }

it('concurrent calls at both surfaces, across a refresh, spend at most the consented amount', async () => {
  bed.vendor.answerWith(() => ({
    body: { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] },
  }))
  const tokens = await bed.connect({ amount: '0.05', period: 'total' })
  const call = async (token: string, at: number): Promise<void> => {
    const authorization = `Bearer ${token}`
    const query = { query: `query ${at}` }
    const reply =
      at % 2 === 0
        ? await bed.post('/api/run/semantic/search', query, { authorization })
        : await bed.post(
            '/mcp',
            {
              jsonrpc: '2.0',
              id: at,
              method: 'tools/call',
              params: { name: 'run', arguments: { action: 'semantic/search', params: query } },
            },
            { authorization, host: 'gate.example', accept: 'application/json' },
          )
    assert.ok(reply.statusCode < 500, reply.body)
  }
  const before = Array.from({ length: 10 }, (_, at) => call(tokens.access_token, at))
  const renewed = (await bed.refresh(tokens.clientId, tokens.refresh_token)).json<Tokens>()
  const after = Array.from({ length: 10 }, (_, at) => call(renewed.access_token, 10 + at))
  await Promise.all([...before, ...after])
  const me = await bed.get('/api/v1/agents/me', { authorization: `Bearer ${renewed.access_token}` })
  const { data } = me.json<{ data: { spent_micros: number; held_micros: number } }>()
  // A search costs a cent, so five fit exactly.
  assert.deepEqual([data.spent_micros, data.held_micros], [50_000, 0])
  assert.deepEqual((await verifyLedger(bed.database)).findings, [])
})
