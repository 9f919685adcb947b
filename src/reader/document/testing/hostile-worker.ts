/** Stands in for the document worker: tries what the name of the document requests, and reports the successes. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { runInThisContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { denyNetwork } from '../../../upstream/deny-network.ts'
import type { ParseAnswer, ParseRequest } from '../document.ts'

denyNetwork()

const TRIES: Readonly<Record<string, () => unknown>> = {
  'reads a file': () => readFileSync('/etc/passwd'),
  'writes a file': () => writeFileSync('/tmp/tollgate-document-worker', ''),
  'starts a process': () => spawnSync('/bin/true').pid || fail(),
  'starts a thread': () => new Worker('0', { eval: true }),
  'opens a connection': () => net.connect(80, '192.0.2.1'),
  'sends a request': () => fetch('http://192.0.2.1/'),
  'makes code from text': () => runInThisContext('eval("1")') as unknown,
  'reads the environment': () => Object.keys(process.env).length > 0 || fail(),
}

class Failed extends Error {}
function fail(): never {
  throw new Failed()
}

const kept: unknown[] = []
process.once('message', ({ filename }: ParseRequest) => {
  if (filename === 'endless') for (;;);
  if (filename === 'heap') for (;;) kept.push(Array.from({ length: 1_000 }, () => ({})))
  if (filename === 'buffers') for (;;) kept.push(Buffer.alloc(16 * 1024 * 1024, 1))
  if (filename === 'waits') return void setInterval(() => undefined, 60_000)
  const done = Object.entries(TRIES).flatMap(([name, attempt]) => {
    try {
      attempt()
      return [name]
    } catch {
      return []
    }
  })
  const answer: ParseAnswer = { kind: 'fault', code: 'broken', detail: done.join(', ') }
  process.send?.(answer)
})
