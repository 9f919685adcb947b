import { defineService } from '../../catalog/vocabulary/define.ts'
import { balance, jobControl, lookupCompanies, options, results } from './helpers.ts'
import { lookalikesBulk, tamBuild, techIntent } from './jobs.ts'
import { deepResearch, lookalikes, techCompanies } from './search.ts'
import { openFunnel } from './vendor.ts'
import { returns } from './returns.ts'

export const service = defineService({
  id: 'companyfind',
  title: 'Find companies',
  category: 'people and companies',
  vendor: openFunnel,
  returns,
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
