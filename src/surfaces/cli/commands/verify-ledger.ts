import { verifyLedger } from '../../../ledger/verify.ts'
import type { Command } from '../command.ts'

export const verifyLedgerCommand: Command = {
  name: 'verify-ledger',
  summary: 'check every invariant of the ledger in one snapshot; exit code 1 if one is broken',
  flags: {},
  example: './tollgate verify-ledger --json',
  async run(_input, tools) {
    const { openHolds, ...report } = await verifyLedger(await tools.database())
    const scope = `${report.wallets} wallets, ${report.transactions} transactions, ${openHolds} open holds`
    const findings = report.findings.map(
      ({ invariant, count, examples }) =>
        `BROKEN  ${invariant} (${count})\n${examples.map((example) => `        ${example}`).join('\n')}`,
    )
    return {
      data: { ...report, open_holds: openHolds },
      exitCode: report.ok ? 0 : 1,
      text: report.ok
        ? `The ledger is consistent: ${scope}.`
        : `${findings.join('\n')}\nThe ledger is inconsistent: ${scope}.`,
    }
  },
}
