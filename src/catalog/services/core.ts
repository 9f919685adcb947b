import { defineService } from '../define.ts'
import { adviceActions, discover } from './core/advice.ts'
import { demoActions } from './core/demo.ts'
import { jobActions } from './core/jobs.ts'
import { onescrape, pageActions } from './core/pages.ts'
import { peopleActions } from './core/people.ts'
import { searchActions } from './core/search.ts'

export const core = defineService({
  id: 'core',
  title: 'Several services in one call: pages, search, people, demos',
  category: 'composite',
  // In this order callers see them: what most begin with comes first.
  actions: { onescrape, discover, ...jobActions, ...pageActions, ...peopleActions, ...adviceActions, ...searchActions, ...demoActions },
})
