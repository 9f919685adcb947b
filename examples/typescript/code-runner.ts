/**
 * Runs Python in a sandbox, prints its output and ends the sandbox. With a test key the sandbox is
 * simulated and runs no Python.
 *
 * Costs about 5 cents: 3 for a sandbox of five minutes, 1 for each command.
 * Run: TOLLGATE_KEY=tg_live_… npx node examples/typescript/code-runner.ts "print(2 ** 100)"
 */
import { runAgent } from './run-agent.ts'

const code = process.argv[2] ?? 'print(sum(range(101)))'

await runAgent(async (tollgate, bill) => {
  const { sandbox_id: id } = bill.add(
    await tollgate.sandbox.sandboxCreate({ image: 'python:3.12-slim', timeout: 300 }),
  )
  console.log(`Sandbox: ${id}`)
  try {
    const run = await tollgate.sandbox.sandboxExec({
      sandbox_id: id,
      // A list is passed without a shell, so the code needs no quoting.
      command: ['python', '-c', code],
      timeout: 60,
    })
    const { stdout, stderr, returncode } = bill.add(run)
    console.log(`Code: ${code}`)
    console.log(`Output: ${(stdout + stderr).trimEnd()}`)
    console.log(`Exit code: ${returncode}, charge: ${run.charged.micros} micro-dollars`)
    if (run.simulated) console.log('Simulated: use a live key to run the code.')
    else if (returncode !== 0) process.exitCode = 1
  } finally {
    bill.add(await tollgate.sandbox.sandboxTerminate({ sandbox_id: id }))
    console.log('Sandbox ended')
  }
})
