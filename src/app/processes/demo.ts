import { createReadStream } from 'node:fs'
import type { JobHandler } from '../../catalog/vocabulary/handlers.ts'
import type { DemoDeps } from '../../composites/demo/make-video.ts'
import { createProduceAutodemo, createProduceDemo } from '../../composites/demo/produce-demo.ts'
import type { Pages } from '../../reader/create-pages.ts'
import type { FileDeps } from '../../resources/files/file-deps.ts'
import { saveOutput } from '../../resources/files/save-output.ts'
import { samplePage } from '../../simulators/sample-site.ts'

/** The jobs that make demo videos: recorded by the browser of `pages`, stored among the account's files. */
export function demoHandlers(
  pages: Pick<Pages, 'recordDemo' | 'surveyPages'>,
  files: FileDeps,
): ReadonlyMap<string, JobHandler> {
  const deps: DemoDeps = {
    record: pages.recordDemo,
    survey: pages.surveyPages,
    samplePage,
    narrate: null,
    store: ({ jobId, ...owner }, { path, filename, source }, signal) =>
      saveOutput(
        files,
        owner,
        { id: jobId, filename, source, mime: 'video/mp4', tags: ['demo'] },
        createReadStream(path),
        signal,
      ),
  }
  return new Map([
    ['core.produce_demo', createProduceDemo(deps)],
    ['core.produce_autodemo', createProduceAutodemo(deps)],
  ])
}
