import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import type { Owner } from '../../lib/owner.ts'
import type { SessionOutput, SessionWork } from './session-driver.ts'
import { createSimulatedSessions } from './simulated-sessions.ts'

const owner: Owner = { accountId: 'a', mode: 'test', keyId: null, scope: 'account' }
const sessions = createSimulatedSessions()
const { signal } = new AbortController()
const execute = (id: string, work: SessionWork, who = owner): Promise<SessionOutput> =>
  sessions.execute(who, id, work, signal)
const shell = async (id: string, command: string): Promise<readonly [string, number]> => {
  const { stdout, stderr, exitCode } = await execute(id, { command })
  return [stdout + stderr, exitCode]
}
const isUnknown = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'unknown_session'

describe('a simulated session', () => {
  it('preserves its folder, files and variables between calls', async () => {
    assert.deepEqual(
      await shell('ses_test_1', 'cd work; echo "hello world" > notes.txt && echo done'),
      ['done\n', 0],
    )
    assert.deepEqual(await shell('ses_test_1', 'pwd\nls\ncat notes.txt'), [
      '/session/work\nnotes.txt\nhello world\n',
      0,
    ])
    await execute('ses_test_1', { code: 'x = 41\nname = "bee"', language: 'python' })
    assert.equal(
      (await execute('ses_test_1', { code: 'print(name)\nprint(x)', language: 'python' })).stdout,
      'bee\n41\n',
    )
    assert.equal(
      (
        await execute('ses_test_1', {
          code: "const y = 'z';\nconsole.log(y);",
          language: 'javascript',
        })
      ).stdout,
      'z\n',
    )
    assert.equal(
      (await execute('ses_test_1', { code: 'echo bash', language: 'bash' })).stdout,
      'bash\n',
    )
  })

  it('returns exit codes, and reports unsupported commands on stderr', async () => {
    assert.deepEqual(await shell('ses_test_2', 'false && echo not reached'), ['\n', 1])
    assert.deepEqual(await shell('ses_test_2', 'exit 3; echo not reached'), ['', 3])
    const unknown = await execute('ses_test_2', { command: 'curl https://example.com' })
    assert.deepEqual([unknown.stdout, unknown.exitCode], ['', 127])
    assert.match(unknown.stderr, /simulated session of a test key/)
    const code = await execute('ses_test_2', { code: 'print("a")\nimport os', language: 'python' })
    assert.deepEqual([code.stdout, code.exitCode], ['a\n', 1])
    assert.match(code.stderr, /import os: not supported/)
  })

  it('reports variables, pipes and redirections as unsupported', async () => {
    for (const [command, mark] of [
      ['echo $HOME', '$HOME'],
      ['echo "to ${NAME}"', '${'],
      ['echo "$(pwd)"', '$('],
      ['echo `pwd`', '`'],
      ['echo a | cat', '|'],
      ['cat < f', '<'],
      ['echo b >> f', '>>'],
      ['echo c & echo d', '&'],
    ] as const) {
      const { stdout, stderr, exitCode } = await execute('ses_test_7', { command })
      assert.deepEqual([stdout, exitCode], ['', 2], command)
      assert.ok(
        stderr.startsWith(
          `sh: ${mark}: not supported (this is the simulated session of a test key`,
        ),
        `${command}: ${stderr}`,
      )
    }
    assert.deepEqual(await shell('ses_test_7', `echo '$HOME | costs' "a | b" $ 5`), [
      '$HOME | costs a | b $ 5\n',
      0,
    ])
  })

  it('belongs to one account, and accepts no id of a real session', async () => {
    assert.deepEqual(await shell('ses_test_3', 'echo mine > file'), ['', 0])
    assert.equal(
      (await execute('ses_test_3', { command: 'ls' }, { ...owner, accountId: 'b' })).stdout,
      '',
    )
    await assert.rejects(
      execute('ses_0192f0c4a1b27c3d8e4f5a6b7c8d9e0f', { command: 'ls' }),
      isUnknown,
    )
    await assert.rejects(sessions.close(owner, 'elsewhere'), isUnknown)
  })

  it('limits the work of one program and the stored data', async () => {
    const run = async (id: string, work: SessionWork): Promise<SessionOutput> => {
      const startedMs = process.threadCpuUsage().user / 1_000
      const output = await execute(id, work)
      const cpuMs = process.threadCpuUsage().user / 1_000 - startedMs
      assert.ok(cpuMs < 2_000, `${cpuMs} ms`)
      assert.ok(output.stdout.length + output.stderr.length < 1_000_000)
      return output
    }
    await run('ses_test_5', { command: `echo ${'x'.repeat(9_990)} > f` })
    for (const command of [
      `cat${' f'.repeat(200_000)}`,
      'cat f;'.repeat(80_000),
      ';"a'.repeat(160_000),
      'ls;'.repeat(160_000),
    ])
      assert.match(
        (await run('ses_test_5', { command })).stderr,
        /too much for the simulated session/,
      )
    assert.match((await run('ses_test_6', { command: 'cd a;'.repeat(100_000) })).stderr, /too long/)
    assert.match(
      (
        await run('ses_test_6', {
          code: `x = "${'x'.repeat(9_990)}"\n${'print(x)\n'.repeat(50_000)}`,
          language: 'python',
        })
      ).stderr,
      /too much/,
    )
    assert.match(
      (await run('ses_test_6', { code: `a =${' '.repeat(400_000)}\rb`, language: 'python' }))
        .stderr,
      /not supported/,
    )
    assert.match(
      (await run('ses_test_6', { code: `${'x'.repeat(400_000)} = 1`, language: 'python' })).stderr,
      /memory is full/,
    )
    const files = Array.from(
      { length: 10 },
      (_, index) => `echo ${'x'.repeat(9_000)} > f${index}`,
    ).join(';')
    assert.match((await run('ses_test_6', { command: files })).stderr, /disk is full/)
  })

  it('is unknown after it is closed, and can be closed again', async () => {
    await shell('ses_test_4', 'echo x')
    await sessions.close(owner, 'ses_test_4')
    await sessions.close(owner, 'ses_test_4')
    await assert.rejects(execute('ses_test_4', { command: 'echo x' }), isUnknown)
  })
})
