import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cleanUp } from '../clean-up.ts'

export type LocalServerKind = 'ollama' | 'vllm' | 'llama.cpp'

const ANSWERS: Readonly<Record<LocalServerKind, Readonly<Record<string, unknown>>>> = {
  ollama: {
    '/api/version': { version: '0.9.6' },
    '/v1/models': listOwnedBy('library', 'llama3.2:3b', 'qwen3:8b'),
  },
  vllm: {
    '/version': { version: '0.10.1' },
    '/v1/models': listOwnedBy('vllm', 'Qwen/Qwen3-8B'),
  },
  'llama.cpp': {
    '/props': { default_generation_settings: { n_ctx: 4096 }, total_slots: 1 },
    '/v1/models': listOwnedBy('llamacpp', 'gemma-3-4b.gguf'),
  },
}

function listOwnedBy(owner: string, ...ids: readonly string[]) {
  return {
    object: 'list',
    data: ids.map((id) => ({ id, object: 'model', created: 1, owned_by: owner })),
  }
}

/** A server of language models on loopback that speaks the APIs of one program. Its base URL ends in "/v1". */
export async function startLocalModelServer(kind: LocalServerKind): Promise<string> {
  const server = createServer((request, response) => {
    const answer = ANSWERS[kind][request.url ?? '']
    const isCompletion = request.url === '/v1/chat/completions'
    response.writeHead(answer === undefined && !isCompletion ? 404 : 200, {
      'content-type': 'application/json',
    })
    response.end(JSON.stringify(isCompletion ? COMPLETION : (answer ?? { error: 'not found' })))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'llama3.2:3b',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'Hello there.' }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
}
