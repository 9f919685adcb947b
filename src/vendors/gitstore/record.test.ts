import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import { prepared, withSimulators } from '../../catalog/testing/run-call.ts'

const { run, failureOf, dataOf } = withSimulators()

describe('a repository', () => {
  test('is created once and returned by its id, each time with its clone URL', async () => {
    const made = await run('gitstore/repo-create', { name: 'notes' })
    assert.ok('outcome' in made && made.outcome.kind === 'done')
    const { repo_id, clone_url } = made.outcome.data
    assert.equal(made.charged, cents('100'))
    const found = await run('gitstore/repo-get', { repo_id })
    assert.ok('outcome' in found && found.outcome.kind === 'done')
    assert.deepEqual([found.outcome.data['clone_url'], found.charged], [clone_url, cents('1')])
  })

  test('is not created twice under one name, but twice without a name', async () => {
    assert.equal(
      (await dataOf('gitstore/repo-create', { name: 'ledger' }))['repo_id'],
      'repo-ledger',
    )
    assert.equal(await failureOf('gitstore/repo-create', { name: 'ledger' }), 'upstream_rejected')
    const [one, other] = [
      await dataOf('gitstore/repo-create', {}),
      await dataOf('gitstore/repo-create', {}),
    ]
    assert.notEqual(one['repo_id'], other['repo_id'])
  })

  test('with a taken name asks for another name instead of a retry', () => {
    const failure = prepared('gitstore/repo-create', {
      name: 'notes',
    }).service.vendor?.readFailure?.({
      status: 409,
      headers: {},
      body: { error: 'A repository of that name exists.' },
    })
    assert.deepEqual(
      [failure?.code, failure?.fix],
      ['upstream_rejected', 'Choose another name, or omit the name.'],
    )
  })

  test('is recognized by any name of its id and URL, and is free without them', () => {
    const { action, input } = prepared('gitstore/repo-create', {})
    for (const body of [
      { id: 'r1', url: 'https://a' },
      { repo_id: 'r1', http_url: 'https://a' },
      { id: 'r1', remote_url: 'https://a' },
    ]) {
      assert.deepEqual(action.outcome({ status: 200, headers: {}, body }, input), {
        kind: 'done',
        data: { ...body, repo_id: 'r1', clone_url: 'https://a' },
      })
    }
    assert.equal(
      action.outcome({ status: 200, headers: {}, body: { id: 'r1' } }, input).kind,
      'failed',
    )
  })
})
