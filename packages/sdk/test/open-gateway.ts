/** A gateway process on a cloned database, as an operator runs it. */
import { dataFolder, startGateway } from '../../../test/harness/clients/gateway-process.ts'
import { cloneDatabase, databaseUrl } from '../../../test/harness/postgres.ts'

export type TestGateway = {
  readonly url: string
  readonly liveKey: string
  readonly testKey: string
  /** The charges of an action, in micro-dollars, oldest first. */
  chargesOf(action: string): Promise<readonly number[]>
}

export async function openGateway(): Promise<TestGateway> {
  const { database, target } = await cloneDatabase()
  const gateway = await startGateway({ DATABASE_URL: databaseUrl(target), DATA_DIR: dataFolder() })
  const keyOf = (mode: string): string =>
    new RegExp(`tg_${mode}_[0-9A-Za-z]{38}`).exec(gateway.output())?.[0] ?? ''
  return {
    url: gateway.url,
    liveKey: keyOf('live'),
    testKey: keyOf('test'),
    async chargesOf(action) {
      const { rows } = await database.query<{ micros: string }>(
        "select (-amount_micros)::text as micros from transactions where action = $1 and status = 'settled' order by id",
        [action],
      )
      return rows.map(({ micros }) => Number(micros))
    },
  }
}
