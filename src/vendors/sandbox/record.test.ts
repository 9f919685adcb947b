import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import { capOf, worstCase } from '../../catalog/prices/price.ts'
import { done, type Data } from '../../catalog/vocabulary/outcome.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run, failureOf, dataOf } = withSimulators()

function wireOf(sent: Data): unknown {
  const { action, input } = prepared('sandbox/sandbox-create', sent)
  return action.request(input).json
}

describe('sandbox/sandbox-create', () => {
  test('holds and pays the cap of its own GPU, not the highest cap', () => {
    for (const [gpu, cap] of [
      [undefined, '5'],
      ['T4', '25'],
      ['L4', '30'],
      ['A10G', '40'],
      ['A100', '150'],
      ['H100', '250'],
    ] as const) {
      const { action, input } = prepared('sandbox/sandbox-create', gpu === undefined ? {} : { gpu })
      assert.deepEqual(
        [worstCase(action, input), capOf(action, input)],
        [cents(cap), cents(cap)],
        gpu ?? 'none',
      )
    }
  })

  test('costs about 3¢ without a GPU, and 21¢ for five minutes of an A100', async () => {
    for (const [sent, least, most] of [
      [{}, '3', '3'],
      [{ gpu: 'A100' }, '20', '21'],
      [{ gpu: 'T4' }, '2', '5'],
    ] as const) {
      const result = await run('sandbox/sandbox-create', sent)
      assert.ok(
        'outcome' in result && result.charged >= cents(least) && result.charged <= cents(most),
        JSON.stringify(sent),
      )
    }
  })

  test('rejects a longer lifetime than its cap covers, and states the longest', () => {
    for (const [sent, longest] of [
      [{}, 1_086],
      [{ gpu: 'T4' }, 1_524],
      [{ gpu: 'H100' }, 2_278],
    ] as const) {
      prepared('sandbox/sandbox-create', { ...sent, timeout: longest })
      const { code, param, details } = refusal('sandbox/sandbox-create', {
        ...sent,
        timeout: longest + 1,
      })
      assert.deepEqual(
        [code, param, details?.['most_seconds']],
        ['invalid_params', 'timeout', longest],
      )
    }
  })

  test('runs slim Debian for five minutes by default; text runs in sh -c, a list directly', () => {
    assert.deepEqual(wireOf({}), {
      image: 'debian:bookworm-slim',
      timeout: 300,
      command: undefined,
      gpu: undefined,
    })
    assert.deepEqual(wireOf({ command: 'a && b', gpu: 'A10G' }), {
      image: 'debian:bookworm-slim',
      timeout: 300,
      command: ['sh', '-c', 'a && b'],
      gpu: 'A10G',
    })
    assert.deepEqual((wireOf({ command: ['a', '&&', 'b'] }) as { command: unknown }).command, [
      'a',
      '&&',
      'b',
    ])
  })
})

describe('a sandbox', () => {
  test('returns output and return code of a command, also of a failed one', async () => {
    const { sandbox_id } = await dataOf('sandbox/sandbox-create', {})
    assert.deepEqual(
      await dataOf('sandbox/sandbox-exec', { sandbox_id, command: ['echo', 'hi'] }),
      { stdout: 'hi\n', stderr: '', returncode: 0 },
    )
    const failing = await run('sandbox/sandbox-exec', { sandbox_id, command: 'exit 3' })
    assert.ok('outcome' in failing && failing.outcome.kind === 'done')
    assert.deepEqual([failing.outcome.data['returncode'], failing.charged], [3, cents('1')])
    assert.deepEqual(await dataOf('sandbox/sandbox-terminate', { sandbox_id }), {
      sandbox_id,
      status: 'terminated',
    })
  })

  test('that was terminated accepts no command; another one created at the same time runs on', async () => {
    const [one, other] = await Promise.all([
      dataOf('sandbox/sandbox-create', {}),
      dataOf('sandbox/sandbox-create', {}),
    ])
    await dataOf('sandbox/sandbox-terminate', { sandbox_id: one['sandbox_id'] })
    const refused = await run('sandbox/sandbox-exec', {
      sandbox_id: one['sandbox_id'],
      command: 'echo hi',
    })
    assert.ok('failure' in refused && refused.failure?.code === 'unknown_sandbox')
    assert.match(refused.failure.fix ?? '', /Create another with sandbox\/sandbox-create/)
    assert.equal(
      (await dataOf('sandbox/sandbox-status', { sandbox_id: one['sandbox_id'] }))['status'],
      'finished',
    )
    assert.equal(
      (
        await dataOf('sandbox/sandbox-exec', {
          sandbox_id: other['sandbox_id'],
          command: 'echo hi',
        })
      )['stdout'],
      'hi\n',
    )
  })

  test('that has ended accepts no command, and is the same as an unknown one', async () => {
    assert.equal(
      await failureOf('sandbox/sandbox-exec', { sandbox_id: 'sb-sim-1', command: 'true' }),
      'unknown_sandbox',
    )
    assert.equal(
      await failureOf('sandbox/sandbox-status', { sandbox_id: 'sb-nobody' }),
      'unknown_sandbox',
    )
  })

  test('that is busy is retried, and an unknown image is not a missing sandbox', () => {
    const codeOf = (status: number, error: string) =>
      prepared('sandbox/sandbox-create', {}).service.vendor?.readFailure?.({
        status,
        headers: {},
        body: { error },
      })?.code
    assert.deepEqual(
      [
        codeOf(409, 'Another command is running.'),
        codeOf(404, 'Image not found.'),
        codeOf(500, 'The sandbox has ended.'),
      ],
      ['upstream_conflict', 'upstream_not_found', 'upstream_error'],
    )
  })

  test('is running, finished or failed for every status of the vendor', () => {
    const { action, input } = prepared('sandbox/sandbox-status', { sandbox_id: 'sb-1' })
    for (const [body, status] of [
      [{ status: 'running' }, 'running'],
      [{ status: 'RUNNING', returncode: null }, 'running'],
      [{ status: 'finished', returncode: 0 }, 'finished'],
      [{ status: 'terminated', returncode: 137 }, 'finished'],
      [{ status: 'timeout', returncode: 124 }, 'finished'],
      [{ status: 'finished', returncode: 1 }, 'failed'],
      [{ status: 'init_failure' }, 'failed'],
    ] as const)
      assert.deepEqual(
        action.outcome({ status: 200, headers: {}, body }, input),
        done({ ...body, sandbox_id: 'sb-1', status }),
      )
    for (const body of [{}, { status: '' }, { status: 500, error: 'Internal Server Error' }])
      assert.equal(
        action.outcome({ status: 200, headers: {}, body }, input).kind,
        'failed',
        'nothing is known of it',
      )
  })
})
