/**
 * Checks a website: its security headers, its data protection and its overall health. A check that
 * fails is reported, and the others continue.
 *
 * Costs 3 cents for each of the three checks at most; failed checks are free.
 * Run: TOLLGATE_KEY=tg_test_… npx node examples/typescript/compliance-check.ts https://example.com
 */
import { TollgateError } from '../../packages/sdk/src/index.ts'
import { runAgent } from './run-agent.ts'

const site = process.argv[2] ?? 'https://example.com'

await runAgent(async (tollgate, bill) => {
  const { check } = tollgate.compliance
  const checks = {
    'Security headers': () => check({ endpoint: '/x402/header-security-check', url: site }),
    'Data protection': () => check({ endpoint: '/x402/gdpr-website-check', url: site }),
    'Website health': () => check({ endpoint: '/x402/solutions/website-health', url: site }),
  }
  console.log(`Site: ${site}`)
  let failed = 0
  for (const [name, run] of Object.entries(checks)) {
    try {
      const { _meta: _origin, ...result } = bill.add(await run())
      console.log(`\n${name}: done`)
      for (const [field, value] of Object.entries(result))
        console.log(`  ${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    } catch (error) {
      if (!(error instanceof TollgateError)) throw error
      failed += 1
      console.log(`\n${name}: failed (not charged)\n  ${error.code}: ${error.message} ${error.fix}`)
    }
  }
  console.log(`\nChecks: ${Object.keys(checks).length - failed} done, ${failed} failed`)
  if (failed > 0) process.exitCode = 1
})
