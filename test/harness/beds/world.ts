/** The bed for tests of keys, accounts and their routes: a database, a clock that the test moves, and accounts. */
import { cleanUp } from '../clean-up.ts'
import { manualClock, type ManualClock } from '../manual-clock.ts'
import { cloneDatabase, type TestDatabase } from '../postgres.ts'
import type { Caller } from '../../../src/keys/caller.ts'
import type { KeyDeps } from '../../../src/keys/key-deps.ts'
import { findCaller } from '../../../src/keys/find-caller.ts'
import { hashSecret } from '../../../src/keys/format.ts'
import { createLedger, type Ledger } from '../../../src/ledger/ledger.ts'
import { newId } from '../../../src/lib/ids.ts'
import { cents } from '../../../src/lib/money.ts'
import { createAccount, type CreatedAccount } from '../../../src/accounts/create-account.ts'

export type World = TestDatabase & {
  readonly now: ManualClock
  readonly keys: KeyDeps
  readonly ledger: Ledger
  /** A personal account ($2 live, $100 test) with the callers of its primary keys. */
  account(): Promise<CreatedAccount & { readonly caller: Caller; readonly testCaller: Caller }>
  callerOf(secret: string): Promise<Caller>
  /** Opens a hold and, unless `open`, settles `charge` (by default the whole hold). Amounts are text in cents. */
  call(caller: Caller, call?: PaidCall): Promise<string>
}

export type PaidCall = {
  hold?: string
  charge?: string
  service?: string
  action?: string
  open?: boolean
  errorCode?: string
  hops?: string
  externalId?: string | null
  latencyMs?: number
}

/** Wednesday noon, in the middle of a month. */
export const WEDNESDAY = Date.parse('2027-03-17T12:00:00Z')

/** Call it at the top level of a test file. */
export async function createWorld(startMs = WEDNESDAY): Promise<World> {
  const { database, target } = await cloneDatabase()
  const now = manualClock(startMs)
  const ledger = createLedger({
    database,
    now,
    topupUrl: 'https://tollgate.example/balance',
    pause: async () => {},
  })
  cleanUp(() => ledger.close())
  let accounts = 0

  async function callerOf(secret: string): Promise<Caller> {
    const found = await findCaller(database, hashSecret(secret), now())
    if (found === null) throw new RangeError('nobody holds this secret')
    return found.caller
  }

  async function call(
    caller: Caller,
    {
      hold = '1',
      charge = hold,
      service = 'semantic',
      action = 'search',
      open = false,
      errorCode,
      hops,
      externalId,
      latencyMs = 120,
    }: PaidCall = {},
  ): Promise<string> {
    const id = newId(now())
    const held = await ledger.hold({
      id,
      walletId: caller.walletId,
      budgetId: caller.budgetId,
      ancestorIds: caller.ancestorIds,
      amount: cents(hold),
      deadlineMs: now() + 60_000,
      kind: 'call',
      service,
      action,
      externalId: externalId === undefined ? caller.externalId : externalId,
      claim: null,
    })
    if (held.opened && !open) {
      await ledger.resolve({
        hold: held,
        charge: errorCode === undefined ? cents(charge) : 0n,
        latencyMs,
        errorCode: errorCode ?? null,
        hops: hops ?? null,
      })
    }
    return id
  }

  return {
    database,
    target,
    now,
    ledger,
    keys: { database, now, forget: () => {} },
    async account() {
      accounts += 1
      const created = await createAccount(
        { database, now },
        { email: `a${accounts}@example.com`, tier: 'personal' },
      )
      return {
        ...created,
        caller: await callerOf(created.live.key),
        testCaller: await callerOf(created.test.key),
      }
    },
    callerOf,
    call,
  }
}
