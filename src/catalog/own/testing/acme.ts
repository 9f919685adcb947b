/** The example file of the documentation, for tests that change a part of it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readFolder, type OwnFolder } from '../read-folder.ts'

type Json = Record<string, unknown>

export function acmeAction(changes: Json = {}): Json {
  return {
    action: 'company',
    summary: 'Facts of one company.',
    params: {
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'string', maxLength: 20, description: 'The id.' },
        lang: { type: 'string', maxLength: 2, description: 'The language.' },
        tags: { type: 'array', items: { type: 'string' }, maxItems: 5, description: 'Tags.' },
        limit: { type: 'integer', minimum: 1, maximum: 50, description: 'The most rows.' },
      },
      additionalProperties: false,
    },
    request: {
      method: 'GET',
      path: '/companies/{id}',
      query: {
        lang: { from: '/lang' },
        tags: { from: '/tags', style: 'form', explode: false },
        limit: { from: '/limit' },
      },
      body: null,
    },
    price: { kind: 'unit', cents: '0.5', unit: 'row', at_most: { param: 'limit', default: 10 } },
    outcome: [
      { when: { status: [404] }, is: 'empty' },
      { when: { at: '/error', exists: true }, is: 'failed', code: 'upstream_rejected' },
      { when: { at: '/rows', equals: [] }, is: 'empty' },
      { else: 'done', units: { count_at: '/rows' } },
    ],
    billing: { on_miss: 'free', on_partial: 'delivered_units' },
    cost: { cents: '0.2' },
    example: { id: '7' },
    simulate: [
      { when: { id: '7' }, status: 200, body: { rows: [{ name: 'Acme' }] } },
      { status: 404, body: {} },
    ],
    ...changes,
  }
}

export function acmeFile(changes: Json = {}): Json {
  return {
    service: 'acme',
    title: 'Acme companies',
    base_url: 'https://api.acme.example',
    auth: { header: 'Authorization', value: 'Bearer ${KEY}' },
    limits: { per_second: 5, at_once: 10 },
    actions: [acmeAction()],
    ...changes,
  }
}

/** Writes the files to a new folder, passes it to `use` and removes it. Text is written as it is. */
export async function withFolder<Result>(
  files: Readonly<Record<string, unknown>>,
  use: (folder: string) => Result | Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'own-actions-'))
  try {
    for (const [name, content] of Object.entries(files)) writeOwn(folder, name, content)
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export function writeOwn(folder: string, name: string, content: unknown): void {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2)
  writeFileSync(join(folder, name), text)
}

export function readFiles(...files: readonly unknown[]): Promise<OwnFolder> {
  const named = Object.fromEntries(files.map((file, index) => [`${index}.json`, file]))
  return withFolder(named, (folder) => readFolder(folder, new Set(['semantic'])))
}
