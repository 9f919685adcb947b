import { pricePerHour, computeService } from '../shared/compute-session.ts'
import { messageFrom } from '../../catalog/answers/vendor-failure.ts'
import { bearer } from '../../catalog/vocabulary/wire.ts'

export const service = computeService({
  id: 'boxc',
  title: 'Compute sessions of up to five hours',
  vendor: {
    baseUrl: 'https://vercel.com/api',
    auth: bearer(),
    requiredSettings: ['TEAM_ID', 'PROJECT_ID'],
    docsUrl: 'https://vercel.com/docs/vercel-sandbox',
    readFailure: messageFrom('error.message'),
  },
  sessionTitle: 'Open a microVM for up to five hours',
  isolation: 'a microVM in one region, for up to five hours',
  notes: 'Two vCPUs. Each piece of code starts fresh; files remain.',
  keywords: [
    'microvm',
    'virtual machine',
    'vm',
    'linux server',
    'ubuntu machine',
    'node',
    'five hours',
  ],
  pricing: pricePerHour(2),
  template:
    'A runtime such as node24 or python3.13, or an image; Ubuntu with Node.js and Python if omitted.',
})
