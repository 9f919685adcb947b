import { runCli } from './run-cli.ts'

// Whoever reads may go before the end, as "head" does, and a disk may take nothing. The command has done its work by then.
let isUnheard: boolean = false
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (!isUnheard && code !== 'EPIPE')
    process.stderr.write(
      `tollgate: what the command says could not be written: ${message}. Look at what it did before you run it again.\n`,
    )
  isUnheard = true
  process.exitCode = 1
})
process.stderr.on('error', () => {})

const code = await runCli(process.argv.slice(2), {
  environment: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
})
process.exitCode = isUnheard ? 1 : code
