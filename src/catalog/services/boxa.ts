import { computeService } from '../compute-session.ts'
import { field, vendorFailure } from '../vendor-failure.ts'
import { keyHeader } from '../wire.ts'

export const boxa = computeService({
  id: 'boxa',
  title: 'Compute sessions in microVMs',
  vendor: {
    baseUrl: 'https://api.e2b.app',
    // Machines are reached through one host, which tells them apart by a header.
    origins: { machine: 'https://sandbox.e2b.app' },
    auth: keyHeader('x-api-key'),
    docsUrl: 'https://e2b.dev/docs',
    // What answers in place of a machine that has ended.
    readFailure: (reply) => vendorFailure(reply, { code: reply.status === 502 ? 'upstream_not_found' : undefined, message: field(reply.body, 'message') }),
  },
  isolation: 'a microVM, for untrusted code',
  notes: 'Two vCPUs. Python, JavaScript and bash each keep their names from one piece of code to the next.',
  keywords: ['microvm', 'untrusted code', 'jupyter', 'stateful python'],
  vcpus: 2,
  template: 'Id or alias of a template with an interpreter; the vendor’s own when left out.',
})
