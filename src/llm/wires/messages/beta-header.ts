/** The values of `anthropic-beta` that reach an upstream. */
import type { Candidate } from '../../lists/model.ts'

/** Features, without their dates, that neither change a price nor let the upstream do work. */
const PASSED: ReadonlySet<string> = new Set([
  'advanced-tool-use',
  'cache-diagnosis',
  'claude-code',
  'computer-use',
  'context-management',
  'dev-full-thinking',
  'effort',
  'extended-cache-ttl',
  'fine-grained-tool-streaming',
  'inline-tools',
  'interleaved-thinking',
  'max-tokens-3-5-sonnet',
  'mid-conversation-output-config',
  'mid-conversation-system-clear-at',
  'mid-conversation-tool-changes',
  'model-context-window-exceeded',
  'output-128k',
  'output-300k',
  'pdfs',
  'prompt-caching',
  'prompt-caching-scope',
  'redact-thinking',
  'structured-outputs',
  'task-budgets',
  'thinking-binding-controls',
  'thinking-display-updates',
  'thinking-token-count',
  'token-counting',
  'token-efficient-tools',
  'tool-examples',
  'tool-search-tool',
])
/** A longer window, whose prompts above the usual one cost more at some models. */
const LONG_CONTEXT = 'context-1m'
const USUAL_WINDOW_TOKENS = 200_000
const DATE = /-\d{4}-?\d{2}-?\d{2}$/

/** The values for a candidate, in the caller's order; null if none is passed on. */
export function betasFor(sent: string, candidate: Candidate): string | null {
  const passed = sent
    .split(',')
    .map((value) => value.trim())
    .filter((value) => {
      const name = value.replace(DATE, '')
      return (
        name !== value && (PASSED.has(name) || (name === LONG_CONTEXT && pricesLong(candidate)))
      )
    })
  return passed.length === 0 ? null : passed.join(',')
}

/** Whether the rates of a model cover prompts beyond the usual window. */
function pricesLong({ rates, model, isPricedByUpstream }: Candidate): boolean {
  return (
    (isPricedByUpstream && (model.contextLength ?? 0) > USUAL_WINDOW_TOKENS) ||
    rates.overrides.some(
      ({ minPromptTokens: least }) => least > 0 && least <= USUAL_WINDOW_TOKENS + 1,
    )
  )
}
