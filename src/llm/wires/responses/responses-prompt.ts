import { fieldsOf, isFields, listedFields, type Fields } from '../../../lib/json-fields.ts'
import type { Prompt } from '../../bill/prompt.ts'
import { invalidField } from '../own-form.ts'
import { OwnPrompt } from '../own-prompt.ts'

/** The text and media in a body of the Responses API. Throws AppError `invalid_params` for an invalid input. */
export function promptOfResponses({ input, instructions, text, tools }: Fields): {
  readonly prompt: Prompt
  readonly hasImages: boolean
} {
  const parts = new OwnPrompt()
  let hasImages = false
  parts.add(instructions)
  parts.add(fieldsOf(text)['format'])
  parts.add(tools)

  function readPart(part: Fields, path: string): void {
    if (typeof part['file_id'] === 'string')
      throw invalidField(
        path,
        'Files of the upstream are not available.',
        'Send the content as a data URL, or its URL.',
      )
    switch (part['type']) {
      case 'input_image':
        hasImages = true
        parts.addImage(part['image_url'], part['detail'])
        break
      case 'input_file':
        parts.addFile(JSON.stringify(part))
        break
      default:
        parts.add(part['text'] ?? part)
    }
  }

  function readItem(item: unknown, place: number): void {
    const path = `input[${place}]`
    if (!isFields(item))
      throw invalidField(path, 'An item of the input is an object with "type" or "role".')
    parts.addMessage()
    const { content, output, ...others } = item
    for (const [name, value] of Object.entries({ content, output }))
      if (Array.isArray(value))
        for (const [at, part] of listedFields(value).entries())
          readPart(part, `${path}.${name}[${at}]`)
      else parts.add(value)
    if (item['type'] !== 'message' && item['role'] === undefined) parts.add(others)
  }

  if (typeof input === 'string') {
    parts.addMessage()
    parts.add(input)
  } else if (Array.isArray(input) && input.length > 0) input.forEach(readItem)
  else
    throw invalidField(
      'input',
      '"input" must be a text or a list of at least one item.',
      'Send for example "input": "Hello".',
    )
  return { prompt: parts.prompt, hasImages }
}
