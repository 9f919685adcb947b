import { fieldsOf, isFields, listedFields, type Fields } from '../../../lib/json-fields.ts'
import type { Prompt } from '../../bill/prompt.ts'
import { invalidField } from '../own-form.ts'
import { OwnPrompt } from '../own-prompt.ts'

/** The text and media in a body of the Messages API. Throws AppError `invalid_params` for files of the upstream. */
export function promptOfMessages(
  body: Fields,
  messages: readonly Fields[],
): { readonly prompt: Prompt; readonly hasImages: boolean } {
  const reader = new MessagesPrompt()
  reader.readMark(body)
  reader.readContent(body['system'], 'system')
  messages.forEach((message, place) => {
    reader.parts.addMessage()
    reader.readMark(message)
    reader.readContent(message['content'], `messages[${place}].content`)
  })
  for (const tool of listedFields(body['tools'])) reader.readMark(tool)
  reader.parts.add(body['tools'])
  reader.parts.add(body['output_config'])
  reader.parts.add(body['output_format'])
  return { prompt: reader.parts.prompt, hasImages: reader.hasImages }
}

class MessagesPrompt {
  readonly parts = new OwnPrompt()
  hasImages = false

  /** Notes a request for the more expensive cache for an hour. */
  readMark({ cache_control: control }: Fields): void {
    if (isFields(control) && control['ttl'] === '1h') this.parts.usesLongCache = true
  }

  readContent(content: unknown, path: string): void {
    if (!Array.isArray(content)) this.parts.add(content)
    else content.forEach((block: unknown, place) => this.#readBlock(block, `${path}[${place}]`))
  }

  #readBlock(block: unknown, path: string): void {
    if (!isFields(block)) {
      this.parts.add(block)
      return
    }
    this.readMark(block)
    const source = fieldsOf(block['source'])
    if (source['type'] === 'file' || block['type'] === 'container_upload')
      throw invalidField(
        path,
        'Files of the upstream are not available.',
        'Send the content as base64, as text or as a URL.',
      )
    switch (block['type']) {
      case 'text':
        this.parts.add(block['text'])
        if (block['citations'] != null) this.parts.add(block['citations'])
        break
      case 'image':
        this.hasImages = true
        this.parts.addImage(dataUrlOf(source) ?? source['url'])
        break
      case 'document':
        this.#readDocument(block, source, path)
        break
      case 'tool_result':
        this.readContent(block['content'], `${path}.content`)
        break
      default:
        this.parts.add(block)
    }
  }

  #readDocument({ title, context }: Fields, source: Fields, path: string): void {
    this.parts.add(title)
    this.parts.add(context)
    if (source['type'] === 'text') this.parts.add(source['data'])
    else if (source['type'] === 'content') this.readContent(source['content'], `${path}.source`)
    else this.parts.addFile(dataUrlOf(source) ?? JSON.stringify(source))
  }
}

/** The data URL of a source with base64 data; null for another source. */
export function dataUrlOf({ type, media_type: media, data }: Fields): string | null {
  return type === 'base64' && typeof data === 'string'
    ? `data:${typeof media === 'string' ? media : 'application/octet-stream'};base64,${data}`
    : null
}

/** Whether the body contains any `cache_control`. */
export function marksCache(body: Fields): boolean {
  const isMarked = (item: Fields): boolean => isFields(item['cache_control'])
  return (
    isMarked(body) ||
    listedFields(body['system']).some(isMarked) ||
    listedFields(body['tools']).some(isMarked) ||
    listedFields(body['messages']).some(({ content }) => listedFields(content).some(isMarked))
  )
}
