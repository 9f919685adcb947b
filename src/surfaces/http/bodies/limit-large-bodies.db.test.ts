import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openAppBed } from '../../../../test/harness/beds/app.ts'
import { FORM_LIMIT_BYTES } from '../routes/visitor/forms.ts'

const LARGE = JSON.stringify('x'.repeat(300_000))

it('limits large bodies on every address, except those that read none or stream it', async () => {
  const bed = await openAppBed({ mostBodyBytes: 300_000 })
  const headers = { authorization: `Bearer ${bed.liveKey}`, 'content-type': 'application/json' }
  const routes = [
    ['POST', '/api/run/semantic/search'],
    ['POST', '/api/llm/v1/chat/completions'],
    ['POST', '/api/llm/v1/messages'],
    ['POST', '/api/llm/v1/responses'],
    ['POST', '/mcp'],
    ['POST', '/api/fetch'],
    ['POST', '/api/v1/agents'],
    ['PATCH', '/api/v1/agents/agk_1'],
  ] as const
  for (const [method, url] of routes) {
    const reply = await bed.app.inject({ method, url, headers, payload: LARGE })
    assert.deepEqual([reply.statusCode, reply.headers['retry-after']], [503, '1'], url)
    assert.match(reply.body, /"overloaded"/, url)
  }
  const unknown = await bed.app.inject({
    method: 'POST',
    url: '/api/nothing',
    headers,
    payload: '{"not":',
  })
  assert.equal(unknown.statusCode, 404, 'where nothing is, nothing is read')
  const { data: slot } = (
    await bed.post('/api/run/files/upload', { filename: 'a.bin', size_bytes: LARGE.length })
  ).json<{ data: { put_url: string } }>()
  const upload = await bed.app.inject({
    method: 'PUT',
    url: slot.put_url.replace('https://gate.example', ''),
    payload: LARGE,
  })
  assert.equal(upload.statusCode, 200, 'an upload goes to the disk')
  const form = await bed.app.inject({
    method: 'POST',
    url: '/balance/sign-in',
    headers,
    payload: `{"key":"${'x'.repeat(FORM_LIMIT_BYTES)}"}`,
  })
  assert.equal(form.statusCode, 413)
})
