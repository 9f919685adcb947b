import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  unpackModel,
  type PackedModel,
  type ReaderModel,
} from '../../src/reader/blocks/main-blocks.ts'

/** The models that `tools/reader/train-blocks.ts` wrote, by fold; none without a folder. */
export function readFoldModels(folder: string | undefined): ReaderModel[] {
  if (folder === undefined) return []
  return readdirSync(folder)
    .toSorted()
    .map((file) => unpackModel(JSON.parse(readFileSync(join(folder, file), 'utf8')) as PackedModel))
}
