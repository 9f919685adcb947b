import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readIntent } from './intent-reading.ts'

const NOW_MS = Date.UTC(2026, 10, 20, 12)
const read = (intent: string) => readIntent(intent, NOW_MS)

describe('intents in other languages', () => {
  test('leave the words of the request out of the topic', () => {
    for (const [intent, topic] of [
      ['suche im Web nach Dämmstoffen', 'Dämmstoffen'],
      ['wissenschaftliche Arbeiten über Moorböden, 8 Stück', 'Moorböden'],
      ['notizie della settimana su Barilla', 'Barilla'],
      ['ソニーに関する今週のニュース', 'ソニー'],
      ['关于腾讯的最新新闻', '腾讯'],
    ] as const)
      assert.equal(read(intent).topic, topic, intent)
  })

  test('have counts, durations, amounts and times', () => {
    for (const [intent, count] of [
      ['40 Friseure in Kassel mit Adresse', 40],
      ['京都のカフェを15件', 15],
      ['广州20家健身房', 20],
      ['대구 치과 12곳', 12],
    ] as const)
      assert.equal(read(intent).entities.count, count, intent)
    for (const [intent, seconds] of [
      ['um navegador por 25 minutos', '1500'],
      ['ブラウザを30分', '1800'],
      ['eine halbe Stunde Browser', '1800'],
      ['40 dakikalığına tarayıcı', '2400'],
    ] as const)
      assert.deepEqual(read(intent).entities.values.duration, [seconds], intent)
    for (const [intent, money] of [
      ['convierte 400 dólares a pesos', '400 USD'],
      ['5000円をユーロに', '5000 JPY'],
      ['zamień 50 funtów na euro', '50 GBP'],
    ] as const)
      assert.deepEqual(read(intent).entities.values.money, [money], intent)
    for (const [intent, from] of [
      ['sabah.com.tr 2007 yılında nasıldı', '2007-01-01'],
      ['wie sah bild.de im Jahr 2004 aus', '2004-01-01'],
      ['am 3. Oktober 2026 in Köln', '2026-10-03'],
      ['las noticias de los últimos 7 días', '2026-11-13'],
    ] as const)
      assert.equal(read(intent).entities.span?.from, from, intent)
  })

  test('keep a company without the words before it', () => {
    assert.deepEqual(read('Handelsregistereintrag der Carl Zeiss AG').entities.values.company, [
      'Carl Zeiss AG',
    ])
  })
})

test('a number in a product name is not a count', () => {
  assert.equal(read('price of jordan 4 sneakers on goat').entities.count, null)
  assert.equal(read('last 20 tiktoks about bread').entities.count, 20)
  assert.equal(read('bakeries in Cork, 30 of them').entities.count, 30)
})
