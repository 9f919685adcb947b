import type { Database } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'

export type PeopleContext = { readonly database: Database; readonly now: Clock }
