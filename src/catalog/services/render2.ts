import { defineService } from '../define.ts'
import { map, search } from './render2/find.ts'
import { crawl, crawlStatus, extract, extractStatus } from './render2/jobs.ts'
import { scrape } from './render2/scrape.ts'
import { crw } from './render2/vendor.ts'

export const render2 = defineService({
  id: 'render2',
  title: 'Read pages fast, with a browser when needed',
  category: 'scraping',
  vendor: crw,
  actions: { scrape, search, map, crawl, crawl_status: crawlStatus, extract, extract_status: extractStatus },
})
