import type { ChatMessage, ChatRequest } from '../../../sdk/src/index.ts'
import type { Command, Deps, Report } from '../command.ts'
import { readWhole } from '../input/read-value.ts'
import type { FlagValues } from '../input/read-words.ts'
import { Interrupted } from '../interrupted.ts'
import { dollars } from '../output/money.ts'
import { note } from '../output/notes.ts'
import { safeText } from '../output/safe-text.ts'
import { UsageError } from '../usage-error.ts'

const USUAL_MODEL = 'core/cheap'
const MICROS_PER_DOLLAR = 1_000_000

export const chat: Command = {
  name: 'chat',
  summary: 'stream the answer of a language model',
  operand: {
    value: '<message>',
    about: 'the message, in quotation marks; without it, or for "-", the standard input',
    isOptional: true,
  },
  flags: {
    model: {
      value: '<model>',
      about: `a model or a tier, such as core/mid; default: ${USUAL_MODEL}`,
    },
    system: { value: '<text>', about: 'instructions for the model' },
    'max-tokens': { value: '<count>', about: 'the most tokens of the answer' },
    'max-cents': { value: '<cents>', about: 'the most that the answer may cost, in whole cents' },
  },
  example: 'chat "What is double-entry bookkeeping?" --model core/mid',
  isText: true,
  async run({ operands, flags }, deps) {
    const request = await readRequest(operands[0], flags, deps)
    const { signal, terminal } = deps
    // Ctrl-C ends the answer, and with it the charge.
    const stream = deps.connect.open().chat.stream(request, { signal, resumable: false })
    let text = ''
    let model = request.model ?? ''
    try {
      for await (const chunk of stream) {
        const part = chunk.choices[0]?.delta.content ?? ''
        model = chunk.model
        text += part
        if (!deps.wantsJson) terminal.out(terminal.outColumns === null ? part : safeText(part))
      }
    } catch (error) {
      if (!signal.aborted) throw error
      throw new Interrupted('The generated tokens are charged.')
    } finally {
      if (!deps.wantsJson && text !== '') terminal.out('\n')
    }
    const { usage } = stream
    const micros = Math.round((usage?.cost ?? 0) * MICROS_PER_DOLLAR)
    note(
      deps,
      `${model} · charged ${dollars(micros)} · ${usage?.prompt_tokens ?? 0} tokens in, ${usage?.completion_tokens ?? 0} out`,
    )
    return deps.wantsJson ? reportAnswer({ text, model, usage, micros }) : null
  },
}

type Answer = {
  readonly text: string
  readonly model: string
  readonly usage: unknown
  readonly micros: number
}

function reportAnswer({ text, model, usage, micros }: Answer): Report {
  return { data: { text, model, usage }, text, facts: { charged_micros: micros } }
}

async function readRequest(
  message: string | undefined,
  flags: FlagValues,
  { terminal }: Deps,
): Promise<ChatRequest> {
  const isPiped = message === undefined || message === '-'
  const content = isPiped ? ((await terminal.readInput()) ?? '') : message
  if (content.trim() === '')
    throw new UsageError('There is no message.', `Write ${terminal.program} chat "Your question".`)
  const messages: ChatMessage[] = [
    ...(flags['system'] === undefined
      ? []
      : [{ role: 'system', content: flags['system'][0] ?? '' }]),
    { role: 'user', content },
  ]
  const { 'max-tokens': tokens, 'max-cents': cents } = flags
  return {
    model: flags['model']?.[0] ?? USUAL_MODEL,
    messages,
    ...(tokens === undefined ? {} : { max_tokens: readWhole('max-tokens', tokens[0], 1) }),
    ...(cents === undefined ? {} : { max_cost_cents: readWhole('max-cents', cents[0], 1) }),
  }
}
