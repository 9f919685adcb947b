import { pricePerHour, computeService } from '../shared/compute-session.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import { field, textField, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { keyHeader, type Reply } from '../../catalog/vocabulary/wire.ts'

/**
 * The proxy in front of the machines uses one status for an ended machine and for one that is not
 * ready. The text distinguishes them.
 */
function mapVendorCode({ status, body }: Reply): ErrorCode | undefined {
  if (status !== 502) return undefined
  const words = textField(body, 'message')
  if (/not found/i.test(words)) return 'upstream_not_found'
  return /not open/i.test(words) ? 'upstream_conflict' : undefined
}

export const service = computeService({
  id: 'boxa',
  title: 'Compute sessions in microVMs',
  vendor: {
    baseUrl: 'https://api.e2b.app',
    // All machines share one host. A header selects the machine.
    origins: { machine: 'https://sandbox.e2b.app' },
    auth: keyHeader('x-api-key'),
    docsUrl: 'https://e2b.dev/docs',
    readFailure: (reply) =>
      vendorFailure(reply, { code: mapVendorCode(reply), message: field(reply.body, 'message') }),
  },
  sessionTitle: 'Open a microVM',
  isolation: 'a microVM, for untrusted code',
  notes:
    'Two vCPUs. Python, JavaScript and bash each keep their variables from one piece of code to the next.',
  keywords: [
    'microvm',
    'virtual machine',
    'vm',
    'linux server',
    'untrusted code',
    'jupyter',
    'stateful python',
  ],
  pricing: pricePerHour(2),
  template: "Id or alias of a template with an interpreter; the vendor's default if omitted.",
})
