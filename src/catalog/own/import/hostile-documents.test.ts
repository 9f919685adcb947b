import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { seededRandom } from '../../../lib/seeded-random.ts'
import { createValidator } from '../../validate/validate.ts'
import { checkFile } from '../read-folder.ts'
import { importOpenApi } from './import-openapi.ts'
import { Refusal } from './refusal.ts'

const DOCUMENTS = 60
const folder = join(import.meta.dirname, '../../../../test/documents')
const texts = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => readFileSync(join(folder, name), 'utf8'))
const NAMES = ['__proto__', '$ref', 'x y', 'type', 'toString', 'max_cost']
/** As text, because a value in two places would become cyclic. */
const VALUES = [
  'null',
  '7',
  '""',
  '"__proto__"',
  '[]',
  '{}',
  '[null]',
  '{"$ref":"#"}',
  '{"$ref":"#/paths"}',
  '{"$ref":7}',
  '{"__proto__":{"toString":1},"type":"object","required":["constructor"]}',
  '{"type":"array","items":{"$ref":"#/components/schemas/Node"}}',
  '{"enum":[],"pattern":"["}',
]

/** A document with a few parts removed, replaced or added. */
function changedDocument(seed: number): string {
  const random = seededRandom(seed)
  const pick = <Item>(list: readonly Item[]): Item =>
    list[Math.floor(random() * list.length)] as Item
  const document: unknown = JSON.parse(pick(texts))
  for (let change = pick([1, 2, 3, 4]); change > 0; change -= 1) {
    let holder = document as Record<string, unknown>
    let name = pick(Object.keys(holder))
    for (let depth = pick([1, 2, 3, 4, 5, 6, 7, 8]); depth > 0; depth -= 1) {
      const inner = holder[name]
      if (typeof inner !== 'object' || inner === null || Object.keys(inner).length === 0) break
      holder = inner as Record<string, unknown>
      name = pick(Object.keys(holder))
    }
    const kind = pick(['remove', 'replace', 'add'])
    if (kind === 'remove') delete holder[name]
    else
      Object.defineProperty(
        holder,
        kind === 'replace' || Array.isArray(holder) ? name : pick(NAMES),
        {
          value: JSON.parse(pick(VALUES)) as unknown,
          enumerable: true,
          configurable: true,
          writable: true,
        },
      )
  }
  return JSON.stringify(document)
}

test('a damaged document becomes a file without faults, or is refused with a reason', async () => {
  const validator = createValidator()
  let imported = 0
  for (let seed = 0; seed < DOCUMENTS; seed += 1)
    try {
      const { file } = await importOpenApi(changedDocument(seed), {
        cents: '1',
        service: 'damaged',
        server: 'https://api.damaged.example',
        taken: new Set(),
      })
      assert.deepEqual((await checkFile(file, new Set(), validator)).found, [], `seed ${seed}`)
      imported += 1
    } catch (error) {
      assert.ok(error instanceof Refusal, `seed ${seed}: ${String(error)}`)
    }
  assert.ok(imported > DOCUMENTS / 4)
})
