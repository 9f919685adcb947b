import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actOf } from './acts.ts'

test('recognises acts in the languages of the search by their English verb', () => {
  for (const [intent, verb] of [
    ['register the domain shop-lena.example', 'register'],
    ['like every post of @lena', 'like'],
    ['order two bags of flour', 'order'],
    ['change the opening hours of our bakery', 'change'],
    ['exchange 500 dollars cash into pounds', 'act'],
    ['correct the spelling of our entry', 'correct'],
    ['unlist this video', 'unlist'],
    ['make the mailbox accept mail again', 'generate'],
    ['kommentiere den neuen Beitrag von @lena', 'comment'],
    ['supprime le commentaire', 'delete'],
    ['bu hesabı engelle', 'block'],
    ['このアカウントをブロックして', 'block'],
    ['cambia la hora de mi reserva', 'change'],
    ['registra el dominio tienda-lena.es', 'register'],
    ['registre o domínio loja-lena.com.br', 'register'],
    ['enregistre le nom de domaine boutique-lena.fr', 'register'],
    ['registriere die Domain laden-lena.de', 'register'],
    ['zarejestruj domenę sklep-lena.pl', 'register'],
    ['зарегистрируй домен magazin-lena.ru', 'register'],
    ['paie ma facture de gaz', 'pay'],
    ['bitte überweise 20 Euro an Lena', 'transfer'],
    ['prenota un tavolo per due', 'book'],
    ['elektrik faturasını öde', 'pay'],
    ['بيتزا كبيرة', null],
    ['احجز غرفة في فندق', 'book'],
    ['टैक्सी बुक करो', 'book'],
    ['帮我订一张机票', 'book'],
    ['ホテルを予約して', 'book'],
    ['호텔 예약해줘', 'book'],
    ['bayar tagihan air', 'pay'],
  ] as const)
    assert.equal(actOf(intent), verb, intent)
})

test('does not take searches and reading for acts', () => {
  for (const intent of [
    'open this link behind a bot wall https://example.org/p',
    'run a sanctions check on Lena Roth',
    'serch the web for lamps',
    'take a screenshot of example.org',
    'make a picture of a fox',
    'keywords the site example.org ranks for',
    'vectorise the text "wool"',
    'enregistre https://example.com/c.pdf dans mes fichiers',
    'busca noticias sobre compras públicas',
    'lies die Seite https://example.de/kaufen',
    '注意力机制的论文',
    'registration data of example.org',
    'order book of BTC/USDT',
    'exchange 500 dollars into pounds',
    'cuánto paga una enfermera en Madrid',
  ])
    assert.equal(actOf(intent), null, intent)
})
