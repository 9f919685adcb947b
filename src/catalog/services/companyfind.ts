import { defineService } from '../define.ts'
import { balance, jobControl, lookupCompanies, options, results } from './companyfind/helpers.ts'
import { lookalikesBulk, tamBuild, techIntent } from './companyfind/jobs.ts'
import { deepResearch, lookalikes, techCompanies } from './companyfind/search.ts'
import { openFunnel } from './companyfind/vendor.ts'

export const companyfind = defineService({
  id: 'companyfind',
  title: 'Find companies',
  category: 'people and companies',
  vendor: openFunnel,
  actions: {
    lookalikes,
    'lookalikes-bulk': lookalikesBulk,
    'tam-build': tamBuild,
    'tech-companies': techCompanies,
    'tech-intent': techIntent,
    'deep-research': deepResearch,
    'lookup-companies': lookupCompanies,
    options,
    results,
    'job-control': jobControl,
    balance,
  },
})
