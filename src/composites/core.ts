import { defineService } from '../catalog/vocabulary/define.ts'
import { adviceActions, discover } from './records/advice.ts'
import { demoActions } from './records/demo.ts'
import { jobActions } from './records/jobs.ts'
import { onescrape, pageActions } from './records/pages.ts'
import { peopleActions } from './records/people.ts'
import { searchActions } from './records/search.ts'

export const service = defineService({
  id: 'core',
  title: 'Several services in one call: pages, search, people, demos',
  category: 'composite',
  // In this order callers see them: what most begin with comes first.
  actions: {
    onescrape,
    discover,
    ...jobActions,
    ...pageActions,
    ...peopleActions,
    ...adviceActions,
    ...searchActions,
    ...demoActions,
  },
})
