/**
 * Builds a search index of web pages and answers a question with it. Reads pages in chunks, turns
 * them into vectors, stores the index as a file, and asks a model about the best chunks.
 *
 * Costs about 4 cents: 1 to 2 cents a page, 1 cent for the file, and fractions of a cent for the models.
 * Run: TOLLGATE_KEY=tg_test_… npx node examples/typescript/rag-indexer.ts "What is new?" https://example.com
 */
import { runAgent } from './run-agent.ts'

const question = process.argv[2] ?? 'Which sources does the page name?'
const urls = process.argv.length > 3 ? process.argv.slice(3) : ['https://example.com/handbook']
const BEST = 3

function similarity(one: readonly number[], other: readonly number[]): number {
  const dot = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other))
}

await runAgent(async (tollgate, bill) => {
  const pages = bill.add(await tollgate.core.onescrape({ urls, format: 'text', chunk_chars: 800 }))
  const chunks = pages.rows.flatMap(({ url, chunks: parts }) =>
    (parts ?? []).map((part) => ({ url, text: part.text })),
  )
  if (chunks.length === 0) return console.log('The pages contain no text.')

  const { data: rows } = bill.add(
    await tollgate.llmnativeB.embeddings({
      model: 'text-embedding-3-small',
      input: [question, ...chunks.map(({ text }) => text)],
      encoding_format: 'float',
    }),
  )
  const [asked = [], ...vectors] = rows.map(({ embedding }) => embedding as number[])
  const index = chunks.map((chunk, at) => ({ ...chunk, vector: vectors[at] ?? [] }))
  const file = bill.add(
    await tollgate.files.upload(JSON.stringify(index), {
      filename: 'index.json',
      tags: ['rag-index'],
    }),
  )
  console.log(`Pages: ${urls.length}, chunks: ${index.length}, index: ${file.file_id}`)

  const best = index
    .map((chunk) => ({ ...chunk, score: similarity(asked, chunk.vector) }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, BEST)
  const content = `${question}\n\nUse only this text:\n${best.map(({ text }) => text).join('\n\n')}`
  const answer = bill.add(
    await tollgate.chat.create({ model: 'core/cheap', messages: [{ role: 'user', content }] }),
  )
  console.log(`\n${question}\n${answer.choices[0]?.message.content}\n`)
  for (const { score, url } of best) console.log(`Used (${score.toFixed(2)}): ${url}`)
})
