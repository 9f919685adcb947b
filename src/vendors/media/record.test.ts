import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { cents, formatCents } from '../../lib/money.ts'
import { createCatalog } from '../../catalog/index.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { billable, leastPrice, priceOf, worstCase } from '../../catalog/prices/price.ts'
import { amountText } from '../../catalog/published/price-block.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'
import { createValidator } from '../../catalog/validate/validate.ts'
import type { WireRequest } from '../../catalog/vocabulary/wire.ts'
import { priceRangeOf } from '../../catalog/prices/media-price.ts'
import type { MediaModel } from '../../catalog/vocabulary/media-model.ts'
import { mediaModels } from './models.ts'
import { generateInput } from './params.ts'

const { run, missOf, failureOf } = withSimulators()
const { action: generate } = createCatalog().findAction('media', 'generate')
const boat = { prompt: 'A paper boat.' }

const validator = createValidator()

function checked(input: Data): Data {
  const valid = validator.validate(generate.input, input)
  generate.check(valid)
  return valid
}

function held(input: Data): string {
  return formatCents(worstCase(generate, checked(input)))
}

function launched(input: Data): WireRequest {
  assert.ok(generate.kind === 'job')
  return generate.launch.request(checked(input))
}

function sent(input: Data): Data {
  const { action, input: checked } = prepared('media/generate', input)
  return action.request(checked).json as Data
}

/** Inputs with every parameter at its limits, in all combinations. */
function extremesOf({ key, params }: MediaModel): Data[] {
  const sample: Data = {
    prompt: 'A boat.',
    text: 'a',
    image_url: 'https://a.example/a.png',
    video_url: 'https://a.example/a.mp4',
    audio_url: 'https://a.example/a.mp3',
    file_url: 'https://a.example/a.mp4',
    output_format: 'webm',
    video_urls: ['https://a.example/a.mp4'],
    tracks: [
      {
        id: 'a',
        type: 'video',
        keyframes: [{ url: 'https://a.example/a.mp4', timestamp: 0, duration: 1 }],
      },
    ],
  }
  const pictures = Array.from({ length: 10 }, (_, index) => `https://a.example/${index}.png`)
  const choices = Object.entries(params).map(([name, rule]): [string, unknown[]] => {
    if (name === 'text') return [name, ['a', 'a'.repeat(rule.most ?? 1)]]
    if (name === 'image_urls') return [name, [undefined, pictures]]
    if (rule.required === true) return [name, [sample[name]]]
    if (rule.values !== undefined) return [name, [undefined, ...rule.values]]
    if (typeof rule.default === 'boolean') return [name, [true, false]]
    return [
      name,
      rule.least === undefined || rule.most === undefined
        ? [undefined]
        : [undefined, rule.least, rule.most],
    ]
  })
  const all = choices.reduce<Data[]>(
    (inputs, [name, values]) =>
      inputs.flatMap((input) =>
        values.map((value) => (value === undefined ? input : { ...input, [name]: value })),
      ),
    [{ model: key }],
  )
  // A size without an aspect ratio is rejected for an edited image.
  return all.filter(
    (input) =>
      params['resolution']?.with === undefined ||
      input['resolution'] === undefined ||
      input['aspect_ratio'] !== undefined ||
      input['image_urls'] === undefined,
  )
}

describe('images', () => {
  test('have a price each, by model, size and quality', () => {
    assert.equal(held({ model: 'nano-banana-pro', ...boat }), '18')
    assert.equal(held({ model: 'nano-banana-pro', ...boat, resolution: '4K', num_images: 2 }), '72')
    assert.equal(held({ model: 'gpt-image-2', ...boat }), '40')
    assert.equal(held({ model: 'gpt-image-2', ...boat, quality: 'low' }), '4')
    assert.equal(held({ model: 'ideogram-v3', ...boat, rendering_speed: 'TURBO' }), '4')
  })

  test('of a model that its maker ended are rejected, naming the successor', () => {
    for (const model of ['gpt-image-1.5', 'gpt-image-1', 'gpt-image-1-mini']) {
      const { code, param, message, fix } = refusal('media/generate', { model, ...boat })
      assert.deepEqual(
        [code, param, message],
        ['invalid_params', 'model', `The vendor replaced "${model}" with "gpt-image-2".`],
      )
      assert.match(fix ?? '', /"gpt-image-2"/)
    }
  })

  test('cost by the megapixel if the vendor counts so, four times as much at 2K', () => {
    assert.equal(held({ model: 'flux-schnell', ...boat }), '0.63')
    assert.equal(
      held({ model: 'flux-2-pro', ...boat, aspect_ratio: '16:9', resolution: '2K' }),
      '16.2',
    )
    assert.equal(held({ model: 'flux-schnell', ...boat, num_images: 3 }), '1.89')
  })

  test('are charged as delivered: by image or by megapixel', async () => {
    for (const [input, charge] of [
      [{ model: 'nano-banana', ...boat, num_images: 2 }, '9.56'],
      [{ model: 'flux-2', ...boat, aspect_ratio: '4:3' }, '1.62'],
    ] as const) {
      const result = await run('media/generate', input)
      assert.ok('outcome' in result && result.outcome.kind === 'done')
      assert.equal(formatCents(result.charged), charge)
    }
    const { action, input } = prepared('media/generate', {
      model: 'nano-banana',
      ...boat,
      num_images: 4,
    })
    const outcome = action.outcome(
      { status: 200, headers: {}, body: { images: [{ url: 'https://a.example/1.png' }] } },
      input,
    )
    assert.equal(outcome.kind === 'done' && outcome.units, 1)
    const large = prepared('media/generate', {
      model: 'flux-2',
      ...boat,
      num_images: 4,
      resolution: '2K',
    })
    const one = large.action.outcome(
      { status: 200, headers: {}, body: { images: [{ url: 'https://a.example/1.png' }] } },
      large.input,
    )
    assert.equal(one.kind === 'done' && one.units, 4)
  })

  test("have aspect ratio and size in the model's terms", () => {
    const sized = { ...boat, aspect_ratio: '16:9' }
    assert.deepEqual(
      sent({ model: 'nano-banana-pro', ...sized, resolution: '2K' })['resolution'],
      '2K',
    )
    assert.deepEqual(sent({ model: 'qwen-image', ...sized, resolution: '2K' })['image_size'], {
      width: 2688,
      height: 1536,
    })
    assert.equal(sent({ model: 'ideogram-v3', ...sized })['image_size'], 'landscape_16_9')
  })

  test("of the caller are edited by the model's editing variant", () => {
    const { action, input } = prepared('media/generate', {
      model: 'nano-banana',
      ...boat,
      image_url: 'https://a.example/a.png',
      image_urls: ['https://a.example/b.png'],
    })
    const { path, json } = action.request(input)
    assert.deepEqual(
      [path, (json as Data)['image_urls']],
      ['/fal-ai/nano-banana/edit', ['https://a.example/a.png', 'https://a.example/b.png']],
    )
  })

  test("never exceed the model's maximum size, and cost their megapixels", () => {
    const wide = { ...boat, aspect_ratio: '16:9', resolution: '2K' }
    assert.deepEqual(
      [sent({ model: 'flux-2', ...wide })['image_size'], held({ model: 'flux-2', ...wide })],
      [{ width: 2048, height: 1168 }, '4.86'],
    )
    assert.deepEqual(
      [
        sent({ model: 'flux-2-pro', ...wide })['image_size'],
        held({ model: 'flux-2-pro', ...wide }),
      ],
      [{ width: 2560, height: 1456 }, '16.2'],
    )
    assert.deepEqual(sent({ model: 'gpt-image-2', ...boat, aspect_ratio: '16:9' })['image_size'], {
      width: 1344,
      height: 768,
    })
  })

  test('keep their aspect ratio when edited, unless another is requested', () => {
    const given = { ...boat, image_url: 'https://a.example/a.png' }
    const sizes = ['nano-banana', 'gpt-image-2', 'seedream-4.5', 'flux-2-pro', 'flux-2'].map(
      (model) => sent({ model, ...given })['image_size'],
    )
    assert.deepEqual(sizes, [undefined, 'auto', 'auto_2K', 'auto', undefined])
    assert.deepEqual(sent({ model: 'flux-2', ...given, aspect_ratio: '1:1' })['image_size'], {
      width: 1024,
      height: 1024,
    })
    assert.equal(
      refusal('media/generate', { model: 'flux-2', ...given, resolution: '2K' }).param,
      'aspect_ratio',
    )
  })

  test('that keep their ratio hold the largest size and charge the actual one', () => {
    const { action, input } = prepared('media/generate', {
      model: 'flux-2',
      ...boat,
      image_urls: ['https://a.example/a.png', 'https://a.example/b.png'],
      num_images: 2,
    })
    // Four megapixels for each of two images, and one for each input image.
    assert.equal(formatCents(worstCase(generate, input)), '16.2')
    const charged = (images: readonly object[]) =>
      formatCents(
        billable(
          generate,
          input,
          action.outcome({ status: 200, headers: {}, body: { images } }, input),
        ),
      )
    const url = 'https://a.example/1.png'
    assert.equal(
      charged([
        { url, width: 1024, height: 1024 },
        { url, width: 1200, height: 1024 },
      ]),
      '8.1',
    )
    // An invalid size counts as that of the largest image.
    for (const width of [null, -1, 'wide', [], { toString: null }])
      assert.equal(
        charged([
          { url, width, height: 1024 },
          { url, width: 1024, height: 1024 },
        ]),
        charged([{ url }, { url, width: 1024, height: 1024 }]),
      )
    assert.equal(charged([{ url }, { url }]), '16.2')
  })

  test('cost extra as input if the vendor bills them', () => {
    const pictures = {
      ...boat,
      aspect_ratio: '1:1',
      image_url: 'https://a.example/a.png',
      image_urls: ['https://a.example/b.png'],
    }
    assert.equal(held({ model: 'flux-2-pro', ...pictures }), '12.15')
    assert.equal(held({ model: 'gpt-image-2', ...pictures, quality: 'low' }), '8')
    assert.equal(held({ model: 'nano-banana', ...pictures }), '4.78')
  })

  test('without a URL are free', () => {
    const { action, input } = prepared('media/generate', {
      model: 'nano-banana',
      ...boat,
      num_images: 2,
    })
    const outcome = action.outcome(
      {
        status: 200,
        headers: {},
        body: { images: [{ url: 'https://a.example/1.png' }, { url: null }] },
      },
      input,
    )
    assert.equal(outcome.kind === 'done' && outcome.units, 1)
  })
})

describe('speech and music', () => {
  test('cost by thousand characters or by piece', () => {
    assert.equal(held({ model: 'kokoro', text: 'a'.repeat(1_000) }), '4')
    assert.equal(held({ model: 'eleven-turbo-2.5', text: '🛶'.repeat(500) }), '3')
    assert.equal(held({ model: 'minimax-music', prompt: 'A calm lake.' }), '18')
  })

  test('are a link to a file, never bytes in hexadecimal', async () => {
    assert.equal(sent({ model: 'minimax-speech-turbo', text: 'Hello.' })['output_format'], 'url')
    const result = await run('media/generate', { model: 'minimax-speech-turbo', text: 'Hello.' })
    assert.ok('outcome' in result && result.outcome.kind === 'done')
    assert.match((result.outcome.data['audio'] as { url: string }).url, /^data:audio/)
  })
})

describe('videos', () => {
  test('cost by the second, with and without audio, by resolution', () => {
    assert.equal(held({ model: 'veo-3.1', ...boat }), '384')
    assert.equal(held({ model: 'veo-3.1', ...boat, duration: 4, generate_audio: false }), '96')
    assert.equal(held({ model: 'veo-3.1', ...boat, duration: 4, resolution: '4k' }), '288')
    assert.equal(held({ model: 'kling-3-pro', ...boat, duration: 3 }), '60.6')
    assert.equal(held({ model: 'seedance-2-mini', ...boat, resolution: '480p' }), '43.5')
    assert.equal(held({ model: 'seedance-2-fast', ...boat, resolution: '480p' }), '68')
    assert.equal(held({ model: 'wan-2.7', ...boat, resolution: '1080p', duration: 2 }), '36')
  })

  test('have a fixed price, or cost by the megapixels of all frames', () => {
    assert.equal(held({ model: 'hailuo-2.3-pro', ...boat }), '58.8')
    // 1280 × 720 × 26 frames are 23.9616 megapixels.
    assert.equal(held({ model: 'ltx-2', ...boat, duration: 1 }), '5.2716')
  })

  test("start from an image with the model's variant and name for it", () => {
    const wire = launched({
      model: 'kling-3-pro',
      ...boat,
      image_url: 'https://a.example/a.png',
      end_image_url: 'https://a.example/b.png',
    })
    assert.deepEqual(
      [wire.path, wire.origin],
      ['/fal-ai/kling-video/v3/pro/image-to-video', 'queue'],
    )
    assert.deepEqual(wire.json, {
      prompt: boat.prompt,
      duration: '5',
      generate_audio: true,
      start_image_url: 'https://a.example/a.png',
      end_image_url: 'https://a.example/b.png',
    })
    assert.equal(
      refusal('media/generate', {
        model: 'kling-3-pro',
        ...boat,
        end_image_url: 'https://a.example/b.png',
      }).param,
      'image_url',
    )
  })

  test('are as long as the model allows', () => {
    for (const duration of [5, 9])
      assert.equal(
        refusal('media/generate', { model: 'veo-3.1', ...boat, duration }).param,
        'duration',
      )
    assert.deepEqual(
      [
        launched({ model: 'veo-3.1', ...boat }).json as Data,
        launched({ model: 'wan-2.7', ...boat }).json as Data,
      ].map(({ duration }) => duration),
      ['8s', 5],
    )
  })

  test('of the caller hold the chargeable seconds, one minute by default', () => {
    const film = { video_url: 'https://a.example/1.mp4' }
    assert.equal(
      held({ model: 'sync-lipsync-2', ...film, audio_url: 'https://a.example/1.mp3' }),
      '360',
    )
    assert.equal(held({ model: 'bria-video-bg', ...film, duration: 10 }), '60')
    assert.equal(held({ model: 'ffmpeg-merge', video_urls: ['https://a.example/1.mp4'] }), '100')
    assert.equal(
      refusal('media/generate', {
        model: 'ffmpeg-compose',
        tracks: [
          {
            id: 'a',
            type: 'video',
            keyframes: [{ url: 'file:///a.mp4', timestamp: 0, duration: 1 }],
          },
        ],
      }).code,
      'bad_url',
    )
  })

  test("are polled at the vendor's URL and nowhere else", () => {
    assert.ok(generate.kind === 'job')
    const { launch, poll } = generate
    const referenceAt = (response_url: string): string => {
      const body = { request_id: 'a-1', response_url }
      assert.ok(createValidator().matches(launch.reply, body), response_url)
      return launch.reference({ status: 200, headers: {}, body })
    }
    const address = 'https://other.example/fal-ai/veo3.1/requests/a-1'
    const reference = referenceAt(address)
    for (const more of ['/', '/response', '/status?logs=1', '?token=x', '#a'])
      assert.equal(referenceAt(`${address}${more}`), reference, more)
    assert.deepEqual(
      [poll.request(reference), poll.result?.(reference), poll.stop?.(reference)],
      [
        { method: 'GET', path: '/fal-ai/veo3.1/requests/a-1/status', origin: 'queue' },
        { method: 'GET', path: '/fal-ai/veo3.1/requests/a-1', origin: 'queue' },
        { method: 'PUT', path: '/fal-ai/veo3.1/requests/a-1/cancel', origin: 'queue' },
      ],
    )
  })
})

describe('a file of the caller', () => {
  test('gets an upload URL and a file URL for a cent', async () => {
    const result = await run('media/upload', {
      file_name: 'paper boat.png',
      content_type: 'image/png',
    })
    assert.ok('outcome' in result && result.outcome.kind === 'done')
    const { upload_url: place, file_url: address } = result.outcome.data as Record<string, string>
    assert.deepEqual(
      [result.charged, Object.keys(result.outcome.data)],
      [cents('1'), ['upload_url', 'file_url']],
    )
    assert.ok(
      (
        await fetch(place ?? '', {
          method: 'PUT',
          headers: { 'content-type': 'image/png' },
          body: Buffer.from([0x89, 0x50, 0x4e, 0x47]),
        })
      ).ok,
    )
    assert.equal(
      prepared('media/generate', { model: 'nano-banana', ...boat, image_url: address }).input[
        'image_url'
      ],
      address,
    )
  })

  test('has a name without a path, and a type', () => {
    assert.equal(
      refusal('media/upload', { file_name: '../a.png', content_type: 'image/png' }).param,
      'file_name',
    )
    assert.equal(
      refusal('media/upload', { file_name: 'a.png', content_type: 'png' }).param,
      'content_type',
    )
  })
})

describe('a model', () => {
  test('with an unknown key is rejected with the nearest keys', () => {
    const { code, param, fix, details } = refusal('media/generate', {
      model: 'flux-schnel',
      ...boat,
    })
    assert.deepEqual(
      [code, param, details],
      ['invalid_params', 'model', { suggestions: ['flux-schnell'] }],
    )
    assert.match(fix ?? '', /"flux-schnell"/)
    assert.deepEqual(refusal('media/generate', { model: 'veo-9000', ...boat }).details, {
      suggestions: ['veo-3.1', 'veo-3.1-fast', 'veo-3.1-lite'],
    })
  })

  test('is listed in the parameter description, for readers of the parameters only', () => {
    const { description } = generateInput.properties.model as { readonly description?: string }
    for (const { key } of mediaModels) assert.ok(description?.includes(` ${key}`), key)
  })

  test('gets only supported parameters and all required ones', () => {
    const refused: readonly (readonly [Data, string])[] = [
      [{ model: 'flux-schnell', ...boat, voice: 'Rachel' }, 'voice'],
      [{ model: 'sync-lipsync-2', video_url: 'https://a.example/1.mp4' }, 'audio_url'],
      [{ model: 'flux-schnell', ...boat, resolution: '4K' }, 'resolution'],
      [{ model: 'eleven-turbo-2.5', text: 'Hello.', speed: 1.5 }, 'speed'],
      [{ model: 'nano-banana', ...boat, image_url: 'file:///etc/passwd' }, 'image_url'],
    ]
    for (const [input, param] of refused)
      assert.equal(refusal('media/generate', input).param, param)
  })

  test('accepts no exact pixel sizes', () => {
    for (const size of [
      { width: 512 },
      { height: 512 },
      { image_size: { width: 512, height: 512 } },
      { resolution: '512x512' },
      { aspect_ratio: '512:511' },
    ])
      assert.equal(
        refusal('media/generate', { model: 'flux-2', ...boat, ...size }).code,
        'invalid_params',
      )
  })

  test('without a delivered file is free', async () => {
    assert.equal(
      (await missOf('media/generate', { model: 'flux-schnell', prompt: 'nobody' })).code,
      'upstream_error',
    )
  })

  test("passes on the vendor's message, and treats a used-up balance as the operator's problem", async () => {
    assert.equal(
      await failureOf('media/generate', { model: 'flux-schnell', prompt: 'sim:422' }),
      'upstream_rejected',
    )
    assert.equal(
      await failureOf('media/generate', { model: 'flux-schnell', prompt: 'sim:quota' }),
      'upstream_payment',
    )
  })

  test('exists for each family of video prices: 3.6¢ to $4.68 per second, $2.22 to $8.13 each', () => {
    const rates = (unit: string) =>
      mediaModels
        .filter(({ kind, unit: of }) => kind === 'video' && of === unit)
        .flatMap((model) => model.rates.map(({ rate }) => rate))
    for (const price of ['3.6', '56.76', '468'])
      assert.ok(rates('second').includes(cents(price)), `${price}¢ a second`)
    for (const price of ['222', '813'])
      assert.ok(rates('call').includes(cents(price)), `${price}¢ a film`)
    const held = (input: Data) => worstCase(generate, checked({ ...boat, ...input }))
    assert.deepEqual(
      [
        held({ model: 'veo-3.1-lite', duration: 4, generate_audio: false }),
        held({ model: 'seedance-2-4k', duration: 4 }),
      ],
      [cents('14.4'), cents('1872')],
    )
    assert.deepEqual(
      [
        held({ model: 'seedance-2' }),
        held({ model: 'seedance-2', resolution: '480p' }),
        held({ model: 'seedance-2', resolution: '1080p' }),
      ],
      [cents('544'), cents('222'), cents('813')],
    )
    const sent = (input: Data) =>
      mediaModels.find(({ key }) => key === input['model'])?.body({ ...boat, ...input })
    assert.deepEqual(
      [
        sent({ model: 'seedance-2', resolution: '1080p' })?.['duration'],
        sent({ model: 'seedance-2', resolution: '480p' })?.['duration'],
      ],
      ['10', '15'],
    )
    assert.equal(sent({ model: 'seedance-2-4k', duration: 5 })?.['resolution'], '4k')
  })

  test("has a row in the operators' table with its current prices", async () => {
    const page = await readFile(new URL('../../../docs/media.md', import.meta.url), 'utf8')
    const rows = page.split('\n').filter((line) => line.startsWith('| `'))
    assert.deepEqual(
      rows.map((line) => line.split(' | ').slice(0, 2).join(' | ')),
      mediaModels.map(
        ({ key, rates, unit }) =>
          `| \`${key}\` | ${rates.map(({ rate }) => amountText(rate)).join(', ')} per ${unit}`,
      ),
    )
  })

  test('has a price within its published range, held in full before the call', () => {
    const { price } = generate
    assert.ok(price.kind === 'computed')
    assert.equal(new Set(mediaModels.map(({ key }) => key)).size, mediaModels.length)
    for (const { rates, span } of mediaModels) {
      assert.equal(rates.at(-1)?.when, undefined, 'the last price always applies')
      for (const { rate } of rates)
        assert.ok(
          Number(rate) * span[1] <= Number(price.most) &&
            Math.ceil(Number(rate) * Math.max(1, span[0])) >= Number(price.least),
          'a whole result costs at least what is listed',
        )
    }
    for (const model of mediaModels) {
      const { least, most } = priceRangeOf([model])
      for (const input of extremesOf(model)) {
        const amount = worstCase(generate, checked(input))
        assert.ok(
          amount >= least && amount <= most,
          `${JSON.stringify(input)} is held for with ${amount}, of ${least} to ${most}`,
        )
        if (model.length === undefined)
          assert.equal(
            leastPrice(generate, checked(input)),
            amount,
            'nothing is cut from what a model makes',
          )
      }
    }
    const { input } = prepared('media/generate', { model: 'nano-banana', ...boat, num_images: 2 })
    assert.equal(priceOf(generate, input).kind, 'unit')
    assert.equal(leastPrice(generate, input), cents('9.56'))
  })
})
