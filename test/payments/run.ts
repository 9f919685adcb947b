// The long form of the fault test. Run: npx node test/payments/run.ts --purchases 3400
import { it } from 'node:test'
import { parseArgs } from 'node:util'
import { injectFaults } from './faults.ts'

const { values } = parseArgs({ options: { purchases: { type: 'string', default: '3400' } } })

// A test, so that the harness closes everything at its end.
void it('purchases with faults', async () => {
  const from = performance.now()
  const { broken, ...figures } = await injectFaults(Number(values.purchases))
  const told = Object.entries(figures).map(([name, value]) => `${name} ${value}`)
  process.stdout.write(
    `${told.join(', ')} in ${((performance.now() - from) / 1000).toFixed(1)} s\n${broken.length} promises broken\n${broken
      .slice(0, 20)
      .map((line) => `${line}\n`)
      .join('')}`,
  )
  process.exitCode = broken.length === 0 ? 0 : 1
})
