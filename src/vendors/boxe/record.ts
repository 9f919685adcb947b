import { cents } from '../../lib/money.ts'
import { pricePerUse, computeService } from '../shared/compute-session.ts'
import { field, textField, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { bearer, type Reply, type VendorFailure } from '../../catalog/vocabulary/wire.ts'

/** The code is in `error` or `code`, with or without a message. */
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

/** The size that the driver orders. */
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
  sessionTitle: 'Open a machine that sleeps while idle',
  isolation: 'a sprite, which sleeps while no program runs and does not expire',
  notes:
    'Two CPUs and 2 GB of memory. Each piece of code starts fresh; files remain. The machine does not receive the envs: the gateway stores them until the session closes and sets them for every command and every piece of code.',
  keywords: ['sprite', 'idle free', 'long-lived machine', 'never expires', 'pay per use'],
  pricing: pricePerUse(
    { cpuHour: cents('7'), gigabyteHour: cents('4.375') },
    SPRITE,
    'Specification, 2026-11: 7¢ per CPU-hour plus 4.375¢ per GB-hour, 0 while idle.',
  ),
  template: 'Ignored, because there is only one kind of machine.',
})
