/**
 * Generates a short video as a job, shows its progress and prints the link to the file.
 *
 * Costs about 17 cents for the shortest video of this model. MAX_CENTS limits it, 50 by default.
 * Run: TOLLGATE_KEY=tg_test_… npx node examples/typescript/media-generator.ts "A paper boat on a lake"
 */
import { runAgent } from './run-agent.ts'

const prompt = process.argv[2] ?? 'A paper boat on a calm lake at sunrise'
const maxCents = Number(process.env['MAX_CENTS'] ?? 50)

type Video = {
  video?: { url: string } | null
  kept_files?: { file_id: string; mime: string; size: number }[]
}

await runAgent(async (tollgate, bill) => {
  const started = await tollgate.media.generate({
    model: 'ltx-2-distilled',
    prompt,
    max_cost_cents: maxCents,
  })
  if (!('job_id' in started.data)) return console.log('The model answered without a job.')
  const { job_id: id } = started.data
  console.log(`Job: ${id}`)

  for await (const { status } of tollgate.watch(id)) console.log(`Status: ${status}`)
  const { video, kept_files: files } = bill.addJob(await tollgate.waitFor<Video>(id))

  console.log(`Video: ${video?.url}`)
  // The link works for an hour, the file stays in your account.
  for (const { file_id: fileId, mime, size } of files ?? [])
    console.log(`File: ${fileId}, ${mime}, ${size} bytes. New link: files/get`)
})
