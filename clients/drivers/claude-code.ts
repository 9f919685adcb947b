import { AFTER_TOOL, ANSWER, callTool } from '../bed/script.ts'
import { expect, type Bed, type Driver } from '../driver.ts'
import { bin, run, type Run } from './command-line.ts'
import { CITY_QUESTION, CITY_SCHEMA, ENDLESS_QUESTION, QUESTION } from './questions.ts'

const CLAUDE = bin(`@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`)
const STREAM = ['--output-format', 'stream-json', '--verbose', '--include-partial-messages']

export const claudeCode: Driver = {
  name: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  api: 'messages',
  steps: {
    answer: async (bed) => {
      const { exitCode, output } = await claude(bed, QUESTION)
      expect(exitCode === 0 && output.includes(ANSWER), 'the answer', output)
    },
    stream: async (bed) => {
      const { output } = await claude(bed, QUESTION, STREAM)
      expect(output.includes('"text_delta"'), 'parts of the answer', output)
      expect(output.includes(ANSWER), 'the answer', output)
    },
    'tool call': async (bed) => {
      const prompt = `Greet me. ${callTool('Bash', { command: 'echo hello', description: 'Greet' })}`
      const { output } = await claude(bed, prompt, ['--allowedTools', 'Bash(echo *)'])
      expect(output.includes(AFTER_TOOL), 'the second answer', output)
    },
    'structured output': async (bed) => {
      const schema = ['--output-format', 'json', '--json-schema', JSON.stringify(CITY_SCHEMA)]
      const prompt = `${CITY_QUESTION} ${callTool('StructuredOutput', { city: 'Oslo' })}`
      const { output } = await claude(bed, prompt, schema)
      expect(output.includes('"structured_output":{"city":"Oslo"}'), 'Oslo', output)
    },
    abort: async (bed) => {
      const { output } = await claude(bed, ENDLESS_QUESTION, STREAM, {
        signal: AbortSignal.timeout(20_000),
      })
      expect(output.includes('more'), 'the beginning of the answer', output)
      expect(!output.includes('"subtype":"success"'), 'no complete answer', output)
    },
    '402': async (bed) => {
      const { exitCode, output } = await claude(bed, QUESTION)
      expect(exitCode !== 0 && output.includes('402'), 'the reason', output)
    },
    '429': async (bed) => {
      const { exitCode, output } = await claude(bed, QUESTION)
      expect(exitCode !== 0 && output.includes('429'), 'the reason', output)
    },
    replay: 'it sends no Idempotency-Key',
  },
}

function claude(
  { anthropicUrl, key, model, folder }: Bed,
  prompt: string,
  args: readonly string[] = [],
  more: { readonly signal?: AbortSignal } = {},
): Promise<Run> {
  return run({
    file: CLAUDE,
    args: ['-p', prompt, '--model', model, ...args],
    env: {
      ANTHROPIC_BASE_URL: anthropicUrl,
      ANTHROPIC_AUTH_TOKEN: key,
      ANTHROPIC_SMALL_FAST_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_MAX_RETRIES: '0',
      DISABLE_AUTOUPDATER: '1',
    },
    folder,
    ...more,
  })
}
