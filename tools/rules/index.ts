import { environment } from './environment.ts'
import { fileLength } from './file-length.ts'
import { folderSize } from './folder-size.ts'
import { functionLength } from './function-length.ts'
import { importCycles } from './import-cycles.ts'
import { ledgerCalls } from './ledger-calls.ts'
import { outbound } from './outbound.ts'
import { sharedPlaces } from './shared-places.ts'
import { simulatorRecord } from './simulator-record.ts'
import type { Rule } from './source.ts'
import { surfacesSql } from './surfaces-sql.ts'
import { vendorRecords } from './vendor-records.ts'
import { vendorRegistry } from './vendor-registry.ts'

export const RULES: readonly Rule[] = [
  importCycles,
  folderSize,
  fileLength,
  functionLength,
  simulatorRecord,
  vendorRegistry,
  sharedPlaces,
  ledgerCalls,
  outbound,
  surfacesSql,
  vendorRecords,
  environment,
]
