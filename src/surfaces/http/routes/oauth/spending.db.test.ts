/** The consented amount is a limit that concurrent calls, refreshes and sessions cannot exceed. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { verifyLedger } from '../../../../ledger/verify.ts'
import { publicId } from '../../../../lib/ids.ts'
import { openOAuthBed } from './testing/oauth-bed.ts'

const bed = await openOAuthBed()

type Tokens = { access_token: string; refresh_token: string }

it('concurrent calls, across a refresh, spend at most the consented amount', async () => {
  bed.vendor.answerWith(() => ({
    body: { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] },
  }))
  const tokens = await bed.connect({ amount: '0.05', period: 'total' })
  const call = (token: string, at: number) =>
    bed.callTool(token, 'run', {
      service: 'semantic',
      action: 'search',
      params: { query: `query ${at}` },
    })
  const before = Array.from({ length: 10 }, (_, at) => call(tokens.access_token, at))
  const renewed = (await bed.refresh(tokens.clientId, tokens.refresh_token)).json<Tokens>()
  const after = Array.from({ length: 10 }, (_, at) => call(renewed.access_token, 10 + at))
  await Promise.all([...before, ...after])
  const keyId = (await bed.callerOf(renewed.access_token))?.keyId ?? assert.fail('no caller')
  const { data } = (await bed.get('/api/v1/agents')).json<{
    data: { id: string; spent_micros: number; held_micros: number }[]
  }>()
  const key = data.find(({ id }) => id === publicId('key', keyId))
  // A search costs a cent, so five fit exactly.
  assert.deepEqual([key?.spent_micros, key?.held_micros], [50_000, 0])
  assert.deepEqual((await verifyLedger(bed.database)).findings, [])
})
