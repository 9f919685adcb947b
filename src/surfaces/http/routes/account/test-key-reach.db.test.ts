/** The reach of the test primary key into the account's live data. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'

const bed = await openAppBed()
const statusOf = async (url: string, key: string, method: 'GET' | 'DELETE' = 'GET') =>
  (await bed.app.inject({ method, url, headers: { authorization: `Bearer ${key}` } })).statusCode

it('the test primary key lists no members, invitations or changes', async () => {
  for (const path of [
    '/api/v1/members',
    '/api/v1/members/invitations',
    '/api/v1/changes',
    '/api/v1/changes?format=csv',
  ])
    assert.deepEqual(
      [await statusOf(path, bed.testKey), await statusOf(path, bed.liveKey)],
      [403, 200],
      path,
    )
})

it('the test primary key deletes no cassette with recordings of paid live calls', async () => {
  bed.vendor.answerWith(() => ({
    body: { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] },
  }))
  const recorded = await bed.post(
    '/api/run/semantic/search',
    { query: 'x' },
    { 'x-tollgate-cassette': 'paid; mode=record' },
  )
  assert.equal(recorded.statusCode, 200, recorded.body)
  const path = '/api/v1/cassettes/paid'
  assert.deepEqual(
    [
      await statusOf(path, bed.testKey, 'DELETE'),
      await statusOf(path, bed.liveKey, 'DELETE'),
      await statusOf(path, bed.liveKey),
    ],
    [403, 200, 404],
  )
})
