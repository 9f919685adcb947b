import { Type, type Static } from '../../lib/schema.ts'
import { costOfParts } from '../../llm/tokens/token-price.ts'
import { openaiFailure } from '../../catalog/answers/openai-failure.ts'
import {
  answerLimit,
  chatFields,
  chatPromptTokens,
  chatReply,
  chatUsage,
  rejectServerTools,
} from '../shared/chat-action.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { choice, optional, text, whole, type Ended } from '../../catalog/vocabulary/fields.ts'
import { filledRows, isFilled } from '../../catalog/answers/filled.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import {
  capError,
  costOfUsage,
  readCount,
  DIRECT_CALL_CAP,
  estimateInput,
  estimateUsage,
  cheapestExchange,
  findModelPrice,
  rejectAboveCap,
  hasCounts,
  worstCost,
} from '../shared/model-cost.ts'
import { embeddingModels, imageModels, openaiModels } from '../shared/model-prices.ts'
import { failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { field } from '../../catalog/answers/vendor-failure.ts'
import { bearer, post, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const openai: Vendor = {
  baseUrl: 'https://api.openai.com/v1',
  auth: bearer(),
  docsUrl: 'https://platform.openai.com/docs/api-reference',
  readFailure: openaiFailure,
}
const PRICE_SOURCE = "The provider's price list, 2026-11."

const chatInput = params({
  model: text('Model of the provider, such as "gpt-6-luna".', 100),
  max_completion_tokens: answerLimit(128_000),
  ...chatFields,
})
type ChatInput = Static<typeof chatInput>

const answersOf = ({ n }: ChatInput): number => n ?? 1

function checkChat(input: ChatInput): void {
  rejectServerTools(input.tools)
  rejectAboveCap(
    findModelPrice(openaiModels, input.model),
    chatPromptTokens(input),
    input.max_completion_tokens,
    answersOf(input),
    'max_completion_tokens',
  )
}

function chatOutcome({ body }: Reply<Static<typeof chatReply>>, input: ChatInput): Outcome {
  const { choices, usage } = body
  if (!isFilled(choices))
    return failed('upstream_error', 'The model returned an empty answer. Nothing was charged.')
  const counts = hasCounts(usage, 'prompt_tokens', 'completion_tokens')
    ? chatUsage(usage)
    : estimateUsage(
        chatPromptTokens(input),
        choices.map((one) => field(one, 'message')),
      )
  return {
    kind: 'done',
    data: body,
    actual: costOfUsage(findModelPrice(openaiModels, input.model), counts),
  }
}

const asTokens = Type.Array(Type.Integer({ minimum: 0 }), { minItems: 1, maxItems: 8_192 })

const embeddingsInput = params({
  model: choice('Model of the provider.', [
    'text-embedding-3-small',
    'text-embedding-3-large',
    'text-embedding-ada-002',
  ]),
  input: Type.Union(
    [
      Type.String({ minLength: 1 }),
      Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 2_048 }),
      asTokens,
      Type.Array(asTokens, { minItems: 1, maxItems: 2_048 }),
    ],
    { description: 'The text, or up to 2,048 texts, each as a string or as tokens of the model.' },
  ),
  dimensions: optional(whole('Length of each vector. Not supported by ada-002.', 1, 3_072)),
  encoding_format: optional(choice('Encoding of each vector.', ['float', 'base64'])),
})
type EmbeddingsInput = Static<typeof embeddingsInput>

/** A vector of less than a page is rarely worth a call. */
const TOKENS_OF_A_PAGE = 5_000

const embeddingsCost = ({ model }: EmbeddingsInput, tokens: number) =>
  costOfParts([tokens, findModelPrice(embeddingModels, model)])

const SUCCESSORS = ['gpt-image-2.6-flare', 'gpt-image-2.6-sunburst']
/**
 * Shut down by 1 December 2026, with the recommended replacements
 * (developers.openai.com/api/docs/deprecations).
 */
const ENDED_MODELS: Ended = Object.fromEntries(
  [
    'gpt-image-1.5',
    'gpt-image-1.5-2025-12-16',
    'gpt-image-1-mini',
    'gpt-image-1',
    'chatgpt-image-latest',
    'dall-e-3',
    'dall-e-2',
  ].map((model) => [model, SUCCESSORS]),
)

const imageInput = params({
  prompt: text('Description of the image.', 32_000),
  model: choice(
    'Model of the provider.',
    [
      'gpt-image-2.5-flare',
      'gpt-image-2.5-sunburst',
      'gpt-image-2.6-flare',
      'gpt-image-2.6-sunburst',
      'gpt-image-2',
    ],
    { default: 'gpt-image-2.5-flare', ended: ENDED_MODELS },
  ),
  n: whole('Number of images, 1 to 10.', 1, 10, { default: 1 }),
  size: choice('Width and height.', ['1024x1024', '1536x1024', '1024x1536', 'auto'], {
    default: '1024x1024',
  }),
  quality: choice(
    'More detail costs more: about half a cent, 5 or 20 cents for a square image.',
    ['low', 'medium', 'high'],
    { default: 'medium' },
  ),
  background: optional(
    choice('The background behind the subject.', ['transparent', 'opaque', 'auto']),
  ),
  output_format: optional(choice('Format of the file.', ['png', 'jpeg', 'webp'])),
  output_compression: optional(whole('Compression in percent, for jpeg and webp.', 0, 100)),
  moderation: optional(choice("Strictness of the provider's content filter.", ['auto', 'low'])),
})
type ImageInput = Static<typeof imageInput>

function imageCost(
  { model }: ImageInput,
  tokens: { readonly text: number; readonly image: number; readonly output: number },
) {
  const rates = findModelPrice(imageModels, model)
  return costOfParts(
    [tokens.text, rates.text],
    [tokens.image, rates.image],
    [tokens.output, rates.output],
  )
}

/** The highest price of this many images. */
function mostOfImages(input: ImageInput, count = input.n) {
  const { tokens } = findModelPrice(imageModels, input.model)
  return imageCost(input, {
    text: estimateInput(input.prompt),
    image: 0,
    output: count * tokens[input.quality][input.size],
  })
}

/** The least image: small, of low quality, by the cheapest models. */
const LEAST_IMAGE = mostOfImages({
  prompt: '',
  model: 'gpt-image-2',
  n: 1,
  size: '1024x1536',
  quality: 'low',
})

function checkImages(input: ImageInput): void {
  if (mostOfImages(input) <= DIRECT_CALL_CAP) return
  let fits = input.n - 1
  while (fits > 0 && mostOfImages(input, fits) > DIRECT_CALL_CAP) fits -= 1
  throw capError('n', fits, { largest_n: fits })
}

const imageReply = Type.Object({
  data: Type.Array(Type.Unknown()),
  usage: Type.Optional(Type.Unknown()),
})

function imageOutcome({ body }: Reply<Static<typeof imageReply>>, input: ImageInput): Outcome {
  const { data, usage } = body
  const count = filledRows(data).length
  if (count === 0)
    return failed('upstream_error', 'The provider returned no image. Nothing was charged.')
  const kind = count < input.n ? 'partial' : 'done'
  if (!hasCounts(usage, 'output_tokens'))
    return { kind, data: body, actual: mostOfImages(input, count) }
  const image = readCount(usage, 'input_tokens_details', 'image_tokens')
  return {
    kind,
    data: body,
    actual: imageCost(input, {
      text: Math.max(0, readCount(usage, 'input_tokens') - image),
      image,
      output: readCount(usage, 'output_tokens'),
    }),
  }
}

const paid = { at: tempoMerchant('https://openai.mpp.tempo.xyz/v1') }

export const service = defineService({
  id: 'llmnative-b',
  title: 'OpenAI models in their native API',
  category: 'language models',
  vendor: openai,
  returns,
  actions: {
    chat: call({
      title: 'OpenAI models',
      summary: 'Call an OpenAI model with the Chat Completions API: text, images, tools and JSON.',
      description:
        "Request and answer are those of the provider's API, without streaming. Charged by the tokens that the provider reports, or by an estimate if it reports none.",
      keywords: [
        'llm',
        'completion',
        'openai',
        'gpt',
        'chat completions',
        'language model',
        'translate',
        'summarize text',
        'rewrite',
        'write a text',
        'answer a question',
      ],
      input: chatInput,
      example: {
        model: 'gpt-6-luna',
        max_completion_tokens: 200,
        messages: [{ role: 'user', content: 'What is a ledger?' }],
      },
      price: {
        kind: 'actual',
        cap: DIRECT_CALL_CAP,
        isEstimate: true,
        atMost: (input) =>
          worstCost(
            findModelPrice(openaiModels, input.model),
            chatPromptTokens(input),
            input.max_completion_tokens * answersOf(input),
          ),
      },
      leastCharge: cheapestExchange(openaiModels),
      priceSource: PRICE_SOURCE,
      timeoutMs: 300_000,
      check: checkChat,
      request: (input) => post('/chat/completions', input),
      merchant: paid,
      reply: chatReply,
      outcome: chatOutcome,
    }),
    embeddings: call({
      title: 'Text embeddings',
      summary: 'Turn texts into vectors for similarity search.',
      description:
        'Up to 2,048 texts of at most 8,192 tokens each. Charged by the tokens that the provider reports.',
      keywords: ['embedding', 'vector', 'semantic similarity', 'rag index', 'openai'],
      input: embeddingsInput,
      example: { model: 'text-embedding-3-small', input: ['a ledger', 'a book of accounts'] },
      price: {
        kind: 'actual',
        cap: DIRECT_CALL_CAP,
        isEstimate: true,
        atMost: (input) => embeddingsCost(input, estimateInput(input.input)),
      },
      leastCharge: embeddingsCost({ model: 'text-embedding-3-small', input: '' }, TOKENS_OF_A_PAGE),
      priceSource: "The provider's price list, 2025-12.",
      timeoutMs: 60_000,
      request: (input) => post('/embeddings', input),
      merchant: paid,
      reply: Type.Object({
        data: Type.Array(Type.Unknown(), { minItems: 1 }),
        usage: Type.Optional(Type.Unknown()),
      }),
      outcome: ({ body }, input) =>
        !isFilled(body.data)
          ? failed('upstream_error', 'The provider returned no vector. Nothing was charged.')
          : {
              kind: 'done',
              data: body,
              actual: embeddingsCost(
                input,
                hasCounts(body.usage, 'prompt_tokens')
                  ? readCount(body.usage, 'prompt_tokens')
                  : estimateInput(input.input),
              ),
            },
    }),
    'image-generate': call({
      title: 'Images from an OpenAI model',
      summary: 'Generate images from a description with an OpenAI model.',
      description:
        'The gateway stores the images among your files: `data[].url` are links for an hour, `kept_files` names the files. An image that could not be stored is returned as base64 in `data[].b64_json`. Charged by the tokens that the provider reports, about 5 cents for an image of medium quality.',
      keywords: ['text to image', 'illustration', 'dall-e', 'gpt-image', 'draw'],
      input: imageInput,
      example: {
        prompt: 'A paper boat on a calm lake, watercolour.',
        model: 'gpt-image-2.5-flare',
        n: 1,
        size: '1024x1024',
        quality: 'medium',
      },
      price: {
        kind: 'actual',
        cap: DIRECT_CALL_CAP,
        isEstimate: true,
        atMost: (input) => mostOfImages(input),
      },
      leastCharge: LEAST_IMAGE,
      priceSource: "The provider's price list, 2026-09.",
      timeoutMs: 300_000,
      isOrder: true,
      check: checkImages,
      request: (input) => post('/images/generations', input),
      merchant: paid,
      reply: imageReply,
      outcome: imageOutcome,
      fileFields: [
        { field: 'data[].b64_json', filename: 'picture', mime: 'image/png', linkField: 'url' },
      ],
    }),
  },
})
