import { runCli } from './run-cli.ts'

// The reader may stop early, as "head" does, or the disk may be full. The command has done its work by then.
let hasOutputFailed: boolean = false
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (!hasOutputFailed && code !== 'EPIPE')
    process.stderr.write(
      `tollgate: could not write the output: ${message}. The command may have completed; check before you run it again.\n`,
    )
  hasOutputFailed = true
  process.exitCode = 1
})
process.stderr.on('error', () => {})

const code = await runCli(process.argv.slice(2), {
  environment: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
})
process.exitCode = hasOutputFailed ? 1 : code
