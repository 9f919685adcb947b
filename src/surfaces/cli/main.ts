import { runCli } from './run-cli.ts'

process.exitCode = await runCli(process.argv.slice(2), {
  environment: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
})
