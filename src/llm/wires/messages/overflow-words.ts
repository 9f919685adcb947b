/** The words of Anthropic's API for a request beyond the model's context. Claude Code repairs requests by them. */

/** The limit of the context, the prompt and the requested response, as OpenAI and vLLM report them. */
const SPLIT =
  /context (?:length|window)(?: of| is)? (\d+).*?(\d+)(?: tokens)? (?:from|in|of) the (?:input )?(?:messages|prompt|input)\D*(\d+)(?: tokens)? (?:for|in) the completion/s
const SPLIT_AS_SUM =
  /context length is (\d+) tokens and your request has (\d+) input tokens \((\d+) > /
const TOTAL =
  /context (?:length|window)(?: of| is)? (\d+).*?(?:resulted in|requested|contains|has)\D*(\d+)/s
const AS_ANTHROPIC = /prompt is too long|exceed context limit/i

/** Puts the words in front of the upstream's, if it used others. */
export function withOverflowWords(message: string): string {
  if (AS_ANTHROPIC.test(message)) return message
  const [, limit, prompt, response] = SPLIT.exec(message) ?? SPLIT_AS_SUM.exec(message) ?? []
  if (limit !== undefined && Number(prompt) < Number(limit))
    return `input length and \`max_tokens\` exceed context limit: ${prompt} + ${response} > ${limit}, decrease input length or \`max_tokens\` and try again. ${message}`
  const [, most, total] = TOTAL.exec(message) ?? []
  const numbers =
    prompt !== undefined
      ? `: ${prompt} tokens > ${limit} maximum`
      : total !== undefined && Number(total) > Number(most)
        ? `: ${total} tokens > ${most} maximum`
        : ''
  return `prompt is too long${numbers}. ${message}`
}
