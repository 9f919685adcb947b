import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import iconv from 'iconv-lite'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { decodeText } from './charset.ts'
import { detectCharset } from './detect-charset.ts'

const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  'windows-1251': [
    'Сегодня в городе прошло собрание жителей, на котором обсуждали строительство новой школы.',
    'Погода на завтра: облачно, небольшой дождь, ветер северный, температура около десяти градусов.',
    'Главная страница сайта о рыбалке и охоте. Купить снасти можно в нашем магазине.',
    'Украшення з бурштину: як обрати якісний виріб та не помилитися з розміром і вартістю.',
  ],
  'koi8-r': [
    'Сегодня в городе прошло собрание жителей, на котором обсуждали строительство новой школы.',
    'Погода на завтра: облачно, небольшой дождь, ветер северный.',
  ],
  gbk: [
    '今天下午，本市举行了一场关于新学校建设的居民会议，讨论了许多问题。',
    '天气预报：明天多云转小雨，北风三到四级，最高气温十度左右。',
    '欢迎来到我们的网站，这里有最新的手机报价和评测。',
  ],
  big5: [
    '今天下午，本市舉行了一場關於新學校建設的居民會議，討論了許多問題。',
    '天氣預報：明天多雲轉小雨，北風三到四級，最高氣溫十度左右。',
  ],
  shift_jis: [
    '今日の午後、市内で新しい学校の建設についての住民集会が開かれました。',
    '明日の天気は曇り時々雨、最高気温は十度くらいでしょう。',
    'トップページへようこそ。最新のニュースとイベント情報をお届けします。',
  ],
  'euc-jp': [
    '今日の午後、市内で新しい学校の建設についての住民集会が開かれました。',
    '明日の天気は曇り時々雨、最高気温は十度くらいでしょう。',
  ],
  'euc-kr': [
    '오늘 오후 시내에서 새 학교 건설에 관한 주민 회의가 열렸습니다.',
    '내일 날씨는 흐리고 비가 조금 오겠으며 최고 기온은 십도 안팎이 되겠습니다.',
  ],
  'windows-1250': [
    'Dziś po południu odbyło się zebranie mieszkańców w sprawie budowy nowej szkoły. Żółta łódź płynie.',
    'Dnes odpoledne se ve městě konala schůze obyvatel o výstavbě nové školy, řekl starosta.',
    'Ma délután lakossági gyűlést tartottak az új iskola építéséről, ahol sok kérdés merült fel. Őszintén szólva',
  ],
  'windows-1252': [
    'Cet après-midi, une réunion des habitants a été organisée au sujet de la construction d’une nouvelle école.',
    'Heute Nachmittag fand eine Bürgerversammlung über den Bau der neuen Schule statt. Viele Grüße aus München.',
    'Esta tarde se celebró una reunión de vecinos sobre la construcción de la nueva escuela en la ciudad. ¿Qué más?',
    'Esta tarde houve uma reunião de moradores sobre a construção da nova escola; não há informações.',
  ],
  'windows-1253': [
    'Σήμερα το απόγευμα έγινε συνέλευση των κατοίκων για την κατασκευή του νέου σχολείου.',
    'Ο καιρός αύριο: συννεφιά και λίγη βροχή.',
  ],
  'windows-1254': [
    'Bugün öğleden sonra şehirde yeni okulun inşaatı hakkında bir toplantı yapıldı. Işıklar açıldı, çağrı kısaydı.',
    'Yarın hava bulutlu ve yağışlı olacak, sıcaklık on derece civarında.',
  ],
  'windows-1255': ['היום אחר הצהריים התקיימה בעיר אסיפת תושבים בנושא בניית בית הספר החדש.'],
  'windows-1256': [
    'عقد اليوم بعد الظهر اجتماع لسكان المدينة حول بناء المدرسة الجديدة في الحي.',
    'الطقس غدا غائم مع أمطار خفيفة ورياح شمالية.',
  ],
  'windows-874': ['วันนี้ช่วงบ่ายมีการประชุมชาวเมืองเกี่ยวกับการก่อสร้างโรงเรียนใหม่ในเมือง'],
}

describe('encoding detection', () => {
  for (const [charset, sentences] of Object.entries(SENTENCES))
    it(`decodes undeclared ${charset} by its bytes`, () => {
      for (const sentence of sentences) {
        const html = `<html><head><title>Home</title><script>var a = "x < y";</script></head><body><div class="content"><p>${sentence}</p><a href="/index.php?id=3">Home</a></div></body></html>`
        for (const label of ['text/html', 'text/html; charset=utf-8'])
          assert.ok(decodeText(iconv.encode(html, charset), label).includes(sentence), sentence)
      }
    })

  it('reads bytes of any kind in bounded time', () => {
    const random = Buffer.from(Array.from({ length: 300_000 }, (_value, at) => (at * 7_919) % 256))
    for (const bytes of [random, Buffer.alloc(10_000_000, 0xe9), Buffer.from('<'.repeat(500_000))])
      assert.ok(cpuMsOf(() => detectCharset(bytes)) < 2_000)
  })
})
