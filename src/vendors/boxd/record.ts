import { pricePerHour, computeService } from '../shared/compute-session.ts'
import { messageFrom } from '../../catalog/answers/vendor-failure.ts'
import { bearer } from '../../catalog/vocabulary/wire.ts'

export const service = computeService({
  id: 'boxd',
  title: 'Compute sessions in devboxes',
  vendor: {
    baseUrl: 'https://api.runloop.ai',
    auth: bearer(),
    docsUrl: 'https://docs.runloop.ai',
    readFailure: messageFrom('message', 'error.message', 'error'),
  },
  sessionTitle: 'Open a devbox',
  isolation: 'a devbox',
  notes:
    'One vCPU and 2 GB of memory. Each piece of code starts fresh; files remain. boxd/snapshot saves the disk of an open session, and snapshot_id starts another session from it.',
  keywords: ['devbox', 'snapshot', 'resume', 'restore machine', 'development environment'],
  pricing: pricePerHour(1),
  template: 'Name of a blueprint.',
  takesSnapshots: true,
})
