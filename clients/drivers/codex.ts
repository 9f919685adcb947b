import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AFTER_TOOL, ANSWER, callTool } from '../bed/script.ts'
import { expect, type Bed, type Driver } from '../driver.ts'
import { bin, run, type Run } from './command-line.ts'
import { CITY_QUESTION, CITY_SCHEMA, ENDLESS_QUESTION, QUESTION } from './questions.ts'

export const codex: Driver = {
  name: 'Codex',
  package: '@openai/codex',
  api: 'responses',
  steps: {
    answer: async (bed) => {
      const { exitCode, output } = await exec(bed, QUESTION)
      expect(exitCode === 0 && output.includes(ANSWER), 'the answer', output)
    },
    stream: async (bed) => {
      const { output } = await exec(bed, QUESTION, ['--json'])
      expect(output.includes('"type":"turn.completed"'), 'the end of the turn', output)
    },
    'tool call': async (bed) => {
      const prompt = `Greet me. ${callTool('exec_command', { cmd: 'echo hello' })}`
      const { output } = await exec(bed, prompt)
      expect(output.includes(AFTER_TOOL), 'the second answer', output)
    },
    'structured output': async (bed) => {
      const schema = join(bed.folder, 'schema.json')
      writeFileSync(schema, JSON.stringify(CITY_SCHEMA))
      const last = join(bed.folder, 'last-message.txt')
      const { output } = await exec(bed, CITY_QUESTION, ['--output-schema', schema, '-o', last])
      expect(readFileSync(last, 'utf8') === '{"city":"Oslo"}', 'Oslo', output)
    },
    abort: async (bed) => {
      const { exitCode } = await exec(bed, ENDLESS_QUESTION, ['--json'], {
        signal: AbortSignal.timeout(8_000),
      })
      expect(exitCode !== 0, 'an interrupted command', exitCode)
    },
    '402': async (bed) => {
      const { exitCode, output } = await exec(bed, QUESTION)
      expect(exitCode !== 0 && output.includes('402'), 'the reason', output)
    },
    '429': async (bed) => {
      const { exitCode, output } = await exec(bed, QUESTION)
      expect(exitCode !== 0 && output.includes('429'), 'the reason', output)
    },
    replay: 'it sends no Idempotency-Key',
  },
}

const CONFIG = (bed: Bed): string => `model = "${bed.model}"
model_provider = "tollgate"
web_search = "disabled"

[model_providers.tollgate]
name = "Tollgate"
base_url = "${bed.baseUrl}"
env_key = "TOLLGATE_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`

function exec(
  bed: Bed,
  prompt: string,
  args: readonly string[] = [],
  more: { readonly signal?: AbortSignal } = {},
): Promise<Run> {
  const home = join(bed.folder, 'codex')
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'config.toml'), CONFIG(bed))
  return run({
    file: bin('.bin/codex'),
    args: [
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      ...args,
      prompt,
    ],
    env: { CODEX_HOME: home, TOLLGATE_KEY: bed.key },
    folder: bed.folder,
    ...more,
  })
}
