/** The service `core`: the actions of every folder here whose record exports `actions`. */
import { defineService } from '../catalog/vocabulary/define.ts'
import { actions as consult } from './consult/record.ts'
import { returns as consultReturns } from './consult/returns.ts'
import { actions as demo } from './demo/record.ts'
import { returns as demoReturns } from './demo/returns.ts'
import { actions as discover } from './discover/record.ts'
import { returns as discoverReturns } from './discover/returns.ts'
import { actions as jobs } from './jobs/record.ts'
import { returns as jobsReturns } from './jobs/returns.ts'
import { actions as people } from './onefind/record.ts'
import { returns as peopleReturns } from './onefind/returns.ts'
import { actions as pages } from './onescrape/record.ts'
import { returns as pagesReturns } from './onescrape/returns.ts'
import { actions as search } from './onesearch/record.ts'
import { returns as searchReturns } from './onesearch/returns.ts'

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
  returns: {
    ...consultReturns,
    ...demoReturns,
    ...discoverReturns,
    ...jobsReturns,
    ...peopleReturns,
    ...pagesReturns,
    ...searchReturns,
  },
})
