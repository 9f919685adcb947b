import { readOutflow } from '../../../calls/payments/queue.ts'
import { formatDollars } from '../../../lib/money.ts'
import type { TestPaySettings } from '../../../app/settings/pay-settings.ts'
import type { Tools } from '../command.ts'
import { broken, missing, ok, type Check } from './check.ts'

/** Reports the wallets that pay merchants, their outflow today, and payments with an unknown outcome. */
export async function checkWallets(tools: Tools): Promise<Check> {
  const name = 'wallets'
  const { pay } = tools.config()
  const { dailyCeiling } = pay
  const names = [...namesOf(pay), ...namesOf(pay.test).map((one) => `${one} on test networks`)]
  if (names.length === 0)
    return missing(
      name,
      'not set up: no merchant is paid per call',
      'Set PAY_TEMPO_KEY or PAY_EVM_KEY (docs/payments.md).',
    )
  const outflow = await tools
    .database()
    .then((database) => readOutflow(database, tools.now()))
    .catch(() => null)
  if (outflow === null)
    return ok(name, `${names.join(', ')}; daily limit ${formatDollars(dailyCeiling)}`)
  const found = `${names.join(', ')}; ${formatDollars(outflow.today)} of ${formatDollars(dailyCeiling)} paid or reserved today`
  return outflow.waiting === 0
    ? ok(name, found)
    : broken(
        name,
        `${found}; ${outflow.waiting} payments with an unknown outcome`,
        'Run ./tollgate payments list, look the payments up, then resolve them.',
      )
}

function namesOf({ tempoKey, evmKey }: TestPaySettings): readonly string[] {
  return [...(tempoKey === null ? [] : ['tempo']), ...(evmKey === null ? [] : ['evm'])]
}
