import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import type { Box } from './box.ts'
import type { BoxOutput, RunOptions } from './box-program.ts'
import type { CodeLanguage } from './interpreters.ts'
import { findTestIsolation } from './testing/find-isolation.ts'
import { openTestBox } from './testing/open-test-box.ts'

const isolation = await findTestIsolation()
let box: Box

function texts({ stdout, stderr, exitCode }: BoxOutput): readonly [string, string, number] {
  return [stdout.toString(), stderr.toString(), exitCode]
}

async function shell(command: string, options: Partial<RunOptions> = {}): Promise<BoxOutput> {
  return box.run(['sh', '-c', command], { seconds: 20, ...options })
}

async function code(language: CodeLanguage, text: string, seconds = 20): Promise<BoxOutput> {
  return box.runCode(language, text, { seconds })
}

describe('a box', { skip: isolation.skip }, () => {
  before(async () => {
    box = await openTestBox(isolation)
  })

  it('runs programs with separate output streams, exit code, variables and files', async () => {
    const first = await shell('echo "$STAGE" >f; cat f; echo e >&2; exit 7')
    assert.deepEqual(texts(first), ['a "quoted" value\n', 'e\n', 7])
    assert.deepEqual(texts(await box.run(['cat', 'f'], { seconds: 5 }))[0], 'a "quoted" value\n')
    assert.equal((await box.run(['no-such-program'], { seconds: 5 })).exitCode, 127)
  })

  it('does not wait for background programs', async () => {
    assert.deepEqual(texts(await shell('sleep 1000 & echo started')), ['started\n', '', 0])
  })

  it('kills a program at its time limit and keeps its output so far', async () => {
    const late = await shell('echo begun; sleep 1000', { seconds: 0.3 })
    assert.deepEqual([texts(late)[0], late.isTimedOut], ['begun\n', true])
  })

  it('kills at the time limit what left the session or the group, and nothing older', async () => {
    await shell('sleep 888 >/dev/null 2>&1 &')
    const leave = [
      'setsid sleep 777 &',
      '(setsid sh -c "sleep 777 & sleep 777" &)',
      "perl -e 'fork; fork; setpgrp(0, 0); exec qw(sleep 777)' &",
      "perl -e 'if (my $p = fork) { setpgrp(0, $p); exec qw(sleep 777) } setpgrp(0, 0); sleep 777'",
    ]
    const late = await shell(`trap '' TERM; ${leave.join('\n')}`, { seconds: 0.5 })
    assert.ok(late.isTimedOut)
    const names = texts(await shell('cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " "'))[0]
    assert.deepEqual([names.includes('777'), names.includes('sleep 888')], [false, true])
  })

  it('lets the kernel kill programs before the agent when memory runs out', async () => {
    const [agent = 0, program] = texts(
      await shell('cat /proc/1/oom_score_adj /proc/self/oom_score_adj'),
    )[0]
      .split('\n')
      .map(Number)
    assert.ok(agent < 1000)
    assert.equal(program, 1000)
  })

  it('cuts endless output at the limit', async () => {
    const flood = await shell('yes', { seconds: 0.5, mostBytes: 1000 })
    assert.equal(flood.stdout.length, 1000)
  })

  it('rejects a run whose input fails', async () => {
    async function* input() {
      yield await Promise.resolve(Buffer.from('a part\n'))
      throw new RangeError('broken')
    }
    await assert.rejects(shell('cat', { input: input() }), { code: 'upstream_error' })
    assert.deepEqual(texts(await shell('echo next')), ['next\n', '', 0])
  })

  it('passes input to a program, and output to a receiver', async () => {
    const received: Buffer[] = []
    async function* input() {
      for (let part = 0; part < 40; part += 1) yield await Promise.resolve(Buffer.alloc(65_536, 65))
    }
    await box.run(['cat'], {
      seconds: 20,
      input: input(),
      mostBytes: 10_000_000,
      onOutput: (bytes) => received.push(Buffer.from(bytes)),
    })
    assert.equal(Buffer.concat(received).length, 40 * 65_536)
  })

  it('keeps the variables of Python, also after an error and an interrupt', async (t) => {
    if ((await shell('command -v python3')).exitCode !== 0) return t.skip('needs python3')
    assert.deepEqual(texts(await code('python', 'x = 20\nprint("hi")')), ['hi\n', '', 0])
    assert.deepEqual(texts(await code('python', 'x + 1')), ['21\n', '', 0])
    const failed = await code('python', '1 / 0')
    assert.match(texts(failed)[1], /^Traceback.*\n  File "<code 3>"/)
    assert.equal(failed.exitCode, 1)
    assert.ok((await code('python', 'while True: pass', 0.3)).isTimedOut)
    assert.equal(texts(await code('python', 'x'))[0], '20\n')
  })

  it('keeps the variables of JavaScript and TypeScript', async () => {
    await code('javascript', 'const a = 2; let b = 3')
    assert.equal(texts(await code('typescript', 'const c: number = a * b; c'))[0], '6\n')
    const failed = await code('javascript', 'throw new Error("no")')
    assert.match(texts(failed)[1], /Error: no/)
    assert.equal(failed.exitCode, 1)
    assert.equal(texts(await code('javascript', 'await0 = 1; Promise.resolve(5)'))[0], '5\n')
  })

  it('returns the mark-like output of code unchanged', async () => {
    const printed = await code('javascript', 'console.log("\\u001e00\\u001e0")')
    assert.equal(texts(printed)[0], '\u001e00\u001e0\n')
  })

  it('counts CPU time, and none while it is frozen', async (t) => {
    if (!isolation.groups.controllers.has('freezer')) return t.skip('needs a freezer')
    const start = await box.count()
    await shell('i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done')
    await shell('i=0; while :; do i=$((i+1)); done &')
    await box.freeze(true)
    const frozen = await box.count()
    assert.ok(start !== null && frozen !== null)
    assert.ok(frozen.cpuMicroseconds > start.cpuMicroseconds)
    assert.equal((await box.count())?.cpuMicroseconds, frozen.cpuMicroseconds)
    await box.freeze(false)
  })

  it('leaves nothing when it is closed', async () => {
    const own = await openTestBox(isolation)
    const running = own.run(['sleep', '1000'], { seconds: 100 })
    await Promise.all([own.close(), assert.rejects(running, { code: 'upstream_not_found' })])
    for (const controller of isolation.groups.controllers)
      assert.ok(!existsSync(`/sys/fs/cgroup/${controller}/tollgate-box-${own.id}`))
    await assert.rejects(own.run(['true'], { seconds: 1 }), { code: 'upstream_not_found' })
  })
})
