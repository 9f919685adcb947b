/**
 * An upstream of language models that answers immediately: one answer, or fifty events in a write each. With "drip" in
 * the request it sends an event every 20 ms. Prints its port. Uses bare sockets, because it shares a core with the database.
 */
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { readMessages } from '../gateway/http-messages.ts'

const EVENTS = 50
const DRIP_MS = 20
const DRIPS = 500
const base = { id: 'gen-bench', created: 1_790_000_000, model: 'bench/model' }
const usage = { prompt_tokens: 20, completion_tokens: EVENTS, total_tokens: 20 + EVENTS }

const whole = (status: string, body: unknown): Buffer => {
  const text = JSON.stringify(body)
  return Buffer.from(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: keep-alive\r\nkeep-alive: timeout=60\r\n\r\n${text}`,
  )
}
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const event = (fields: object): string =>
  chunk(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', ...fields })}\n\n`)

const MODELS = whole('200 OK', {
  data: [{ id: 'bench/model', pricing: { prompt: '0.0000001', completion: '0.0000005' } }],
})
const ANSWER = whole('200 OK', {
  ...base,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'A word of the answer. '.repeat(12) },
      finish_reason: 'stop',
    },
  ],
  usage,
})
const HEAD =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nconnection: keep-alive\r\nkeep-alive: timeout=60\r\n\r\n'
const WORD = Buffer.from(
  event({ choices: [{ index: 0, delta: { content: ' word' }, finish_reason: null }] }),
)
const FIRST = Buffer.concat([Buffer.from(HEAD), WORD])
const END = Buffer.from(
  `${event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}${event({ choices: [], usage })}${chunk('data: [DONE]\n\n')}0\r\n\r\n`,
)

function stream(socket: Socket): void {
  let sent = 1
  socket.write(FIRST)
  const next = (): void => {
    if (socket.destroyed) return
    sent += 1
    socket.write(sent < EVENTS ? WORD : END)
    if (sent < EVENTS) setImmediate(next)
  }
  setImmediate(next)
}

function drip(socket: Socket): void {
  let sent = 1
  socket.write(FIRST)
  const timer = setInterval(() => {
    sent += 1
    if (sent < DRIPS && !socket.destroyed) {
      socket.write(WORD)
      return
    }
    clearInterval(timer)
    socket.write(END)
  }, DRIP_MS)
}

const server = createServer({ noDelay: true }, (socket) => {
  socket.on(
    'data',
    readMessages((message) => {
      const text = message.toString('latin1')
      if (text.startsWith('GET ')) socket.write(MODELS)
      else if (!text.includes('"stream":true')) socket.write(ANSWER)
      else if (text.includes('drip')) drip(socket)
      else stream(socket)
    }),
  )
  socket.on('error', () => socket.destroy())
})
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`),
)
