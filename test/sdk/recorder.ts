/** One server that takes down what our connectors and the vendors' own clients send. */
import assert from 'node:assert/strict'
import { Agent } from 'undici'
import type { CallAction } from '../../src/catalog/vocabulary/define.ts'
import { createCatalog } from '../../src/catalog/index.ts'
import type { Data } from '../../src/catalog/vocabulary/outcome.ts'
import { createValidator } from '../../src/catalog/validate/validate.ts'
import type { Vendor } from '../../src/catalog/vocabulary/wire.ts'
import { Deadline } from '../../src/lib/deadline.ts'
import { send } from '../../src/upstream/send.ts'
import { splitBaseUrl } from '../../src/upstream/target.ts'
import { cleanUp } from '../harness/clean-up.ts'
import { startVendor, type VendorRequest } from '../harness/vendors/vendor.ts'

export const KEY = 'sk-the-key'
export const catalog = createCatalog()
export const validator = createValidator()
export const recorder = await startVendor()
const dispatcher = new Agent()
cleanUp(() => dispatcher.close())

/** An action of one request, and the vendor that it is sent to. */
export function connectorOf(id: string): { readonly action: CallAction; readonly vendor: Vendor } {
  const [service = '', name = ''] = id.split('/')
  const {
    action,
    service: { vendor },
  } = catalog.findAction(service, name)
  assert.ok(action.kind === 'call' && vendor !== undefined)
  return { action, vendor }
}

/** The connector's request for this input; by default the action's example. */
export function sentByUs(
  id: string,
  given?: Data,
  credentials: Readonly<Record<string, string>> = { KEY },
): Promise<VendorRequest> {
  const { action, vendor } = connectorOf(id)
  const input = validator.validate(action.input, given ?? action.example)
  action.check(input)
  return recorded(async () => {
    const basePath = new URL(vendor.baseUrl).pathname.replace(/\/$/, '')
    const target = {
      service: id.split('/')[0] ?? '',
      vendor,
      ...splitBaseUrl(`${recorder.url}${basePath}`),
      credentials,
      dispatcher,
    }
    const deadline = new Deadline(5_000)
    await send(target, action.request(input), {
      deadline,
      vendorKey: 'k',
      now: Date.now,
    }).finally(() => deadline.end())
  })
}

/** The one request that `work` sends; its answer is ignored. */
export async function recorded(work: () => Promise<unknown>): Promise<VendorRequest> {
  const before = recorder.requests.length
  await work().catch(() => undefined)
  const request = recorder.requests[before]
  assert.ok(request !== undefined, 'a request was sent')
  return request
}
