/** The service `core`: the actions of every folder here whose record exports `actions`. */
import { defineService } from '../catalog/vocabulary/define.ts'
import { actions as consult } from './consult/record.ts'
import { actions as demo } from './demo/record.ts'
import { actions as discover } from './discover/record.ts'
import { actions as jobs } from './jobs/record.ts'
import { actions as people } from './onefind/record.ts'
import { actions as pages } from './onescrape/record.ts'
import { actions as search } from './onesearch/record.ts'

export const service = defineService({
  id: 'core',
  title: 'Several services in one call: pages, search, people, demos',
  category: 'composite',
  // Callers see the actions in this order. The most common first action leads.
  actions: {
    onescrape: pages.onescrape,
    ...discover,
    ...jobs,
    'onescrape-deep': pages['onescrape-deep'],
    ...people,
    ...consult,
    ...search,
    ...demo,
  },
})
