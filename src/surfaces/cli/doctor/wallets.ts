import { readOutflow } from '../../../calls/payments/queue.ts'
import { formatDollars } from '../../../lib/money.ts'
import type { TestPaySettings } from '../../../app/settings/pay-settings.ts'
import type { Tools } from '../command.ts'
import { broken, missing, ok, type Check } from './check.ts'

/** The wallets that pay merchants, what they paid out today, and whether payments wait for a decision. */
export async function checkWallets(tools: Tools): Promise<Check> {
  const name = 'wallets'
  const { pay } = tools.config()
  const { dailyCeiling } = pay
  const names = [...namesOf(pay), ...namesOf(pay.test).map((one) => `${one} on test networks`)]
  if (names.length === 0)
    return missing(
      name,
      'not set up: nobody is paid by the call',
      'Set PAY_TEMPO_KEY or PAY_EVM_KEY (docs/payments.md).',
    )
  const outflow = await tools
    .database()
    .then((database) => readOutflow(database, tools.now()))
    .catch(() => null)
  if (outflow === null)
    return ok(name, `${names.join(', ')}; at most ${formatDollars(dailyCeiling)} a day`)
  const found = `${names.join(', ')}; ${formatDollars(outflow.today)} of ${formatDollars(dailyCeiling)} paid or reserved today`
  return outflow.waiting === 0
    ? ok(name, found)
    : broken(
        name,
        `${found}; ${outflow.waiting} payments of unknown outcome`,
        'See ./tollgate payments list, look them up and resolve them.',
      )
}

function namesOf({ tempoKey, evmKey }: TestPaySettings): readonly string[] {
  return [...(tempoKey === null ? [] : ['tempo']), ...(evmKey === null ? [] : ['evm'])]
}
