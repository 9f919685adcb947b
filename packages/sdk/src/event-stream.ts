/** Reads server-sent events. */
export type ServerEvent = { readonly event: string; readonly data: string }

/** The events of a response. Leaving the loop closes the connection. */
export async function* readEventStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ServerEvent, void, void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      // A CR at the end may be half of a CRLF.
      const text = rest + value
      const whole = text.endsWith('\r') ? text.slice(0, -1) : text
      const blocks = whole.replaceAll(/\r\n?/g, '\n').split('\n\n')
      rest = (blocks.pop() ?? '') + text.slice(whole.length)
      for (const block of blocks) {
        const event = readBlock(block)
        if (event !== null) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Null for a comment, such as a sign of life. */
function readBlock(block: string): ServerEvent | null {
  const data: string[] = []
  let event = 'message'
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? []
    if (name === 'data') data.push(value)
    else if (name === 'event') event = value
  }
  return data.length === 0 ? null : { event, data: data.join('\n') }
}
