/** Loaded before anything else into each process of a test run, by `test-limits.ts`: ends it when its time is over. */
import { relative } from 'node:path'
import { isMainThread, Worker } from 'node:worker_threads'

const { searchParams } = new URL(import.meta.url)
// The runner sets it for the process of each file.
const isOfFile = process.env['NODE_TEST_CONTEXT'] !== undefined
const minutes = Number(searchParams.get(isOfFile ? 'file' : 'run'))
const sentence = `${isOfFile ? relative('', process.argv[1] ?? '') : 'The test run'} did not end within ${minutes} minutes.\n`
// From a thread of its own, because what hangs may keep this one busy.
const END_WHEN_LATE = `
const { writeSync } = require('node:fs')
setTimeout(() => {
  writeSync(2, ${JSON.stringify(sentence)})
  process.kill(process.pid, 'SIGKILL')
}, ${minutes * 60_000})`

if (isMainThread) new Worker(END_WHEN_LATE, { eval: true, execArgv: [] }).unref()
