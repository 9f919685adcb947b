import { pricePerHour, computeService } from '../shared/compute-session.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import { textField, messageFrom } from '../../catalog/answers/vendor-failure.ts'
import { bearer, type Reply } from '../../catalog/vocabulary/wire.ts'

/** The proxy in front of the machines reports a stopped or deleted machine as 404 or otherwise. */
function mapVendorCode({ status, body }: Reply): ErrorCode | undefined {
  const words = textField(body, 'message')
  const isGone =
    status === 307 ||
    (status === 401 && /auth key/i.test(words)) ||
    (status === 400 && /is the sandbox started|container ip|runner info/i.test(words))
  return isGone ? 'upstream_not_found' : undefined
}

const wordsOf = messageFrom('message', 'error')

export const service = computeService({
  id: 'boxb',
  title: 'Compute sessions in containers',
  vendor: {
    baseUrl: 'https://app.daytona.io/api',
    // Each region has one host for all machines.
    origins: {
      machine: 'https://proxy.app.daytona.io/toolbox',
      'machine-eu': 'https://proxy.app-eu.daytona.io/toolbox',
      'machine-us': 'https://proxy.app-us.daytona.io/toolbox',
    },
    auth: bearer(),
    docsUrl: 'https://www.daytona.io/docs',
    readFailure: (reply) => {
      const code = mapVendorCode(reply)
      return { ...wordsOf(reply), ...(code === undefined ? {} : { code }) }
    },
  },
  sessionTitle: 'Open a container',
  isolation: 'a container, for trusted code only',
  notes:
    'One vCPU and 1 GB of memory. Python keeps its variables from one piece of code to the next. JavaScript, TypeScript and bash start fresh each time. Code without a language runs in that of the template.',
  keywords: ['container', 'trusted code', 'stateful python', 'typescript'],
  pricing: pricePerHour(1),
  template: {
    description: 'Language of the template.',
    among: ['python', 'typescript', 'javascript'],
  },
})
