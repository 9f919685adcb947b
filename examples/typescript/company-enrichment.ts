/**
 * Finds a person at each company, with a verified email address if one exists, and prints a table.
 * Each company runs as a job, and the jobs run at the same time.
 *
 * Costs up to 16 cents for each company; the job's budget limits it.
 * Run: TOLLGATE_KEY=tg_test_… npx node examples/typescript/company-enrichment.ts Acme "Example Corp"
 */
import { runAgent } from './run-agent.ts'

const companies = process.argv.length > 2 ? process.argv.slice(2) : ['Acme', 'Example Corp']
const ROLE = 'head of finance'
const BUDGET_CENTS = 16

await runAgent(async (tollgate, bill) => {
  const jobs = await Promise.all(
    companies.map((company) =>
      tollgate.core.onefindDeep({
        query: `${ROLE} at ${company}`,
        limit: 1,
        budgetCents: BUDGET_CENTS,
      }),
    ),
  )
  console.log(`Started ${jobs.length} jobs`)

  const table: Record<string, string>[] = []
  for (const [at, job] of jobs.entries()) {
    const { rows } = bill.addJob(await tollgate.waitFor(job))
    for (const { name, title, email, sources } of rows)
      table.push({
        asked: companies[at] ?? '',
        name: name ?? '',
        title: title ?? '',
        email: email ?? 'not found',
        source: sources.email ?? '',
      })
  }
  console.table(table)
})
