/** The instructions that a prompt carries for the simulated upstream. They make every response predictable. */

export type Reply =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string; readonly input: string }
  | { readonly kind: 'endless' }

/** The text of every plain answer. */
export const ANSWER = 'Two and two make four.'
/** The text after a tool's result. */
export const AFTER_TOOL = 'The tool has answered.'

export const callTool = (name: string, input: unknown): string =>
  `[[call ${name} ${JSON.stringify(input)}]]`
export const answerJson = (value: unknown): string => `[[json ${JSON.stringify(value)}]]`
export const ENDLESS = '[[endless]]'

/**
 * The reply to a request, from its last instruction. `request` is the body as text, so that the
 * instruction is found in every API's form; `forced` is the tool that the client demands.
 */
export function replyTo(
  request: string,
  { hasToolResult, forced }: { readonly hasToolResult: boolean; readonly forced: string | null },
): Reply {
  const text = request.replaceAll('\\"', '"')
  if (text.includes(ENDLESS)) return { kind: 'endless' }
  if (hasToolResult) return { kind: 'text', text: AFTER_TOOL }
  const [, name, input] = /\[\[call (\S+) (\{.*?\})\]\]/.exec(text) ?? []
  if (name !== undefined && input !== undefined) return { kind: 'call', name, input }
  const [, json] = /\[\[json (\{.*?\})\]\]/.exec(text) ?? []
  if (json === undefined) return { kind: 'text', text: ANSWER }
  return forced === null
    ? { kind: 'text', text: json }
    : { kind: 'call', name: forced, input: json }
}

export const wordsOf = (text: string): string[] => text.split(/(?<= )/)
