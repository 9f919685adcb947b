import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import { outgoingOf } from './paid-fetch-input.ts'

describe('the request of /api/fetch', () => {
  const sent = (headers: Record<string, string>) =>
    outgoingOf(
      new URL('https://shop.example/x'),
      { url: 'https://shop.example/x', method: 'GET', headers, max_cost_cents: 0 },
      'Tollgate-Test/1.0',
    )

  for (const name of [
    'Metadata',
    'metadata-flavor',
    'Metadata-Token',
    'X-Metadata-Token',
    'x-ms-version',
    'X-MS-Agent-Name',
    'x-google-metadata-request',
    'x-aws-ec2-metadata-token',
    'X-aws-ec2-metadata-token-ttl-seconds',
    'x-aliyun-ecs-metadata-token',
    'X-Identity-Header',
  ]) {
    it(`rejects the metadata header ${name}`, () => {
      assert.throws(
        () => sent({ [name]: 'true' }),
        (error: unknown) =>
          error instanceof AppError &&
          error.code === 'invalid_params' &&
          error.spec.status === 400 &&
          error.param === `headers.${name}`,
      )
    })
  }

  it('sends the other headers', () => {
    const headers = {
      accept: 'application/json',
      'x-meta': '1',
      'x-msg': '2',
      'x-goog-user-project': 'p',
      authorization: 'Bearer x',
    }
    assert.deepEqual(
      Object.keys(headers).map((name) => sent(headers).headers[name]),
      Object.values(headers),
    )
  })
})
