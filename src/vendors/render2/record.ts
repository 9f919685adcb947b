import { defineService } from '../../catalog/vocabulary/define.ts'
import { map, search } from './find.ts'
import { crawl, crawlStatus, extract, extractStatus } from './jobs.ts'
import { scrape } from './scrape.ts'
import { crw } from './vendor.ts'
import { returns } from './returns.ts'

export const service = defineService({
  id: 'render2',
  title: 'Read pages fast, with a browser if needed',
  category: 'scraping',
  vendor: crw,
  returns,
  actions: {
    scrape,
    search,
    map,
    crawl,
    crawl_status: crawlStatus,
    extract,
    extract_status: extractStatus,
  },
})
