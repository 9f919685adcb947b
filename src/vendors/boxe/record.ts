import { cents } from '../../lib/money.ts'
import { pricePerUse, computeService } from '../shared/compute-session.ts'
import { field, textField, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { bearer, type Reply, type VendorFailure } from '../../catalog/vocabulary/wire.ts'

/** Its code stands in `error` or `code`, with words beside it or none. */
function readFailure(reply: Reply): VendorFailure {
  const { body } = reply
  const vendorCode = [field(body, 'code'), field(body, 'error')].find(
    (code) => typeof code === 'string',
  )
  const message = [textField(body, 'message'), textField(body, 'error')].find(
    (words) => words !== '',
  )
  return vendorFailure(reply, { vendorCode, message })
}

/** Equal to the size that the driver orders. */
const SPRITE = { cpus: 2, gigabytes: 2 } as const

export const service = computeService({
  id: 'boxe',
  title: 'Compute sessions that cost nothing while idle',
  vendor: {
    baseUrl: 'https://api.sprites.dev',
    auth: bearer(),
    docsUrl: 'https://docs.sprites.dev',
    readFailure,
  },
  isolation: 'a sprite, which sleeps while nothing runs and does not expire',
  notes:
    'Two CPUs and 2 GB of memory. Each piece of code runs by itself; files stay. The machine itself is made without the envs: the gateway keeps them until the session is closed and sets them for every command and every piece of code.',
  keywords: ['sprite', 'idle free', 'long-lived machine', 'never expires', 'pay per use'],
  pricing: pricePerUse(
    { cpuHour: cents('7'), gigabyteHour: cents('4.375') },
    SPRITE,
    'Specification, 2026-11: 7¢ per CPU-hour plus 4.375¢ per GB-hour, 0 while idle.',
  ),
  template: 'Ignored: there is one kind of machine.',
})
