#!/usr/bin/env node
/** The entry point of the client. In the repository run.mjs starts it. */
import { runClient } from './run-client.ts'
import type { Terminal } from './terminal.ts'

const INTERRUPT = '\u0003'
const DELETE = ['\u007f', '\b']

// The reader may stop early, as "head" does, or the disk may be full.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') process.stderr.write(`tollgate: could not write the output: ${message}.\n`)
  process.exit(code === 'EPIPE' ? 0 : 1)
})
process.stderr.on('error', () => {})

const stopping = new AbortController()
process.on('SIGINT', () => {
  if (stopping.signal.aborted) process.exit(130)
  stopping.abort()
})
process.on('SIGTERM', () => stopping.abort())

const terminal: Terminal = {
  program: import.meta.url.endsWith('.ts') ? './tollgate' : 'tollgate',
  environment: process.env,
  outColumns: process.stdout.isTTY ? process.stdout.columns : null,
  errColumns: process.stderr.isTTY ? process.stderr.columns : null,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  async readInput() {
    if (process.stdin.isTTY) return null
    let text = ''
    process.stdin.setEncoding('utf8')
    for await (const chunk of process.stdin) text += String(chunk)
    return text
  },
  readSecret: (prompt) => (process.stdin.isTTY ? readHidden(prompt) : Promise.resolve(null)),
}

/** Without an echo. Ctrl-C ends the process. */
function readHidden(prompt: string): Promise<string> {
  const { stdin, stderr } = process
  stderr.write(prompt)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  return new Promise((done) => {
    let text = ''
    const end = (): void => {
      stdin.off('data', read)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write('\n')
    }
    const read = (typed: string): void => {
      for (const character of typed) {
        if (character === INTERRUPT) {
          end()
          process.exit(130)
        }
        if (character === '\r' || character === '\n') {
          end()
          return done(text)
        }
        text = DELETE.includes(character) ? text.slice(0, -1) : text + character
      }
    }
    stdin.on('data', read)
  })
}

process.exitCode = await runClient(process.argv.slice(2), terminal, stopping.signal)
