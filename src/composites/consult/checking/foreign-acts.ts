/**
 * Requests to act in the world in the languages of the search, by the English verb for them. Verbs begin an intent in
 * most languages, and end it in Turkish, Hindi, Japanese and Korean. Verbs of search and reading are not here.
 */
const FIRST: Readonly<Record<string, string>> = {
  register:
    'registra(?:r)?|regístrame|inscribe|registre|registrar|registe|registe?re|enregistre[rz]?(?= (?:le |la |ma |mon )?(?:nom|domaine|marque|société|entreprise))|dépose[rz]?|registriere?|melde|zarejestruj|зарегистриру[йи][\\p{L}\\p{M}]*|سج[ّ]?ل|注册|登记|daftarkan',
  buy: 'compra(?:r|me)?|cómprame|adquiere|compre|comprar|achète[rz]?|acheter|kaufe?|erwirb|acquista(?:re)?|kup|купи[\\p{L}\\p{M}]*|اشتر[ِي]?|购买|买|beli(?:kan)?',
  pay: 'paga(?:r)?|págame|pague|pagar|paie[rz]?|paye[rz]?|règle[rz]?|zahle?|bezahle?|begleiche?|zapłać|opłać|оплати[\\p{L}\\p{M}]*|заплати[\\p{L}\\p{M}]*|ادفع|سدد|支付|付|缴|bayar(?:kan)?',
  order:
    'pide|pedir|pídeme|encarga|ordena(?:r)?|peça|encomende|commande[rz]?|bestelle?|ordina(?:re)?|zamów|закажи[\\p{L}\\p{M}]*|اطلب|订购|点(?=一|份|餐|外卖)|pesan(?:kan)?',
  book: 'umów|zapisz(?= mnie)|запиши(?= меня)|pide(?= (?:una )?(?:cita|hora))|fissa|vereinbare?|prends?(?= (?:un )?rendez)|marque|atur(?= janji)|reserva(?:r)?|resérvame|agenda|reserve|agende|réserve[rz]?|buche?|reserviere?|prenota(?:re)?|zarezerwuj|забронируй[\\p{L}\\p{M}]*|احجز|预订|预定|订',
  transfer:
    'transfiere|env[ií]a(?=\\P{L}{1,3}\\d+ ?(?:€|euros?|d[oó]lares|pesos))|transfira|envie(?=\\P{L}{1,3}\\d+ ?(?:€|euros?|d[oó]lares|reais))|vire[rz]?|transfère|envoie(?=\\P{L}{1,3}\\d+ ?(?:€|euros?))|überweise?|bonifica|trasferisci|przelej|переведи(?=\\P{L}{1,3}\\d)|حو[ّ]?ل|转账|汇款|给\\p{L}{1,6}转|transfer|kirim(?: uang)',
  call: 'llama(?:r)?|ligue|telefone|appelle[rz]?|rufe?|chiama(?:re)?|zadzwoń|позвони[\\p{L}\\p{M}]*|вызови|اتصل|打电话|telepon|hubungi',
  cancel:
    'cancela(?:r)?|anula|cancele|annule[rz]?|résilie[rz]?|storniere?|kündige?|annulla(?:re)?|disdici|anuluj|odwołaj|отмени[\\p{L}\\p{M}]*|[أا]لغ[ِ]?|取消|退订|batalkan',
  publish:
    'publica(?:r)?|postea|publique|poste[rz]?|publie[rz]?|veröffentliche?|pubblica(?:re)?|posta(?:re)?|opublikuj|опубликуй[\\p{L}\\p{M}]*|انشر|发布|posting|unggah(?= ke)',
  follow:
    'sigue(?= a)|dale|siga|curta|abonne[rz]?|like[rz]?|folge|segui|metti|polub|obserwuj|поставь|подпишись|تابع|点赞|关注|ikuti|sukai',
  sign: 'firma(?:r)?(?= (?:el|la|este|il|questo))|assine|signe[rz]?|unterschreibe?|firma|podpisz|подпиши|وق[ّ]?ع|签|tanda ?tangani',
  sell: 'vende(?:r)?|venda|vends|vendez|verkaufe?|vendi|sprzedaj|продай[\\p{L}\\p{M}]*|بع|卖|jual',
  change:
    'cambia(?:r|me)?|cámbiame|modifica|mude|troque|altere|modifie[rz]?|ändere?|wechsle|zmień|измени|поменяй|更改|修改|改签|ubah',
  renew:
    'renueva|renove|renouvelle[rz]?|erneuere?|rinnova|odnów|продли(?! сеанс)|جدد|续费|续订|perpanjang(?! sesi)',
  comment:
    'comenta|comente|commente[rz]?|kommentiere?|commenta|skomentuj|прокомментируй[\\p{L}\\p{M}]*|عل[ّ]?ق على|komentari',
  reply:
    'antworte(?= (?:auf|dem|der|den))|rispondi(?= (?:alle recensioni|ai commenti))|回复|balas(?= (?:komentar|ulasan|pesan))',
  block:
    'bloquea(?:r)?|bloqueie|bloque[rz]?|blockiere?|sperre|blocca|zablokuj|заблокируй[\\p{L}\\p{M}]*|احظر|拉黑|屏蔽|blokir',
  delete:
    'borra(?:r)?|elimina(?:r)?|apague|exclua|supprime[rz]?|efface[rz]?|lösche?|cancella|usuń|skasuj|удали[\\p{L}\\p{M}]*|احذف|删除|注销|hapus',
  repair:
    'repara|arregla|conserte|répare[rz]?|repariere?|ripara|napraw|почини[\\p{L}\\p{M}]*|[أا]صلح|修理|perbaiki',
  bet: 'apuesta|aposte|parie[rz]?|wette|scommetti|postaw|راهن|下注|taruhan',
}
const LAST: Readonly<Record<string, string>> = {
  register:
    'kaydettir|kayıt (?:et|yap|ol)|पंजीकृत कर[\\p{L}\\p{M}]*|रजिस्टर कर[\\p{L}\\p{M}]*|登録して[\\p{L}\\p{M}]*|등록해[\\p{L}\\p{M}]*|anmelden|registrieren',
  buy: 'satın al|खरीद[\\p{L}\\p{M}]*|買って[\\p{L}\\p{M}]*|購入して[\\p{L}\\p{M}]*|구매해[\\p{L}\\p{M}]*|사 ?줘|kaufen',
  pay: 'öde|भर(?:ो| दो|ें)|भुगतान कर[\\p{L}\\p{M}]*|払って[\\p{L}\\p{M}]*|支払って[\\p{L}\\p{M}]*|결제해[\\p{L}\\p{M}]*|납부해[\\p{L}\\p{M}]*|bezahlen',
  order:
    'sipariş (?:ver|et)|ısmarla|ऑर्डर कर[\\p{L}\\p{M}]*|मंगवा[\\p{L}\\p{M}]*|注文して[\\p{L}\\p{M}]*|頼んで[\\p{L}\\p{M}]*|주문해[\\p{L}\\p{M}]*|불러 ?줘|bestellen',
  book: 'randevu (?:al|ayarla|yap)|termin vereinbaren|अपॉइंटमेंट (?:लो|बुक[\\p{L}\\p{M}]*)|rezervasyon(?:u)? (?:yap|et)|rezerve et|बुक कर[\\p{L}\\p{M}]*|予約して[\\p{L}\\p{M}]*|예약해[\\p{L}\\p{M}]*|buchen|reservieren',
  transfer:
    'havale (?:et|yap)|para gönder|पैसे भेज[\\p{L}\\p{M}]*|送金して[\\p{L}\\p{M}]*|송금해[\\p{L}\\p{M}]*|이체해[\\p{L}\\p{M}]*|überweisen',
  call: 'ara ve .{3,80}sor|telefon et|कॉल कर[\\p{L}\\p{M}]*|電話して[\\p{L}\\p{M}]*|전화해[\\p{L}\\p{M}]*|anrufen',
  cancel:
    'iptal et|रद्द कर[\\p{L}\\p{M}]*|キャンセルして[\\p{L}\\p{M}]*|취소해[\\p{L}\\p{M}]*|kündigen|stornieren',
  publish:
    'paylaş|पोस्ट कर[\\p{L}\\p{M}]*|投稿して[\\p{L}\\p{M}]*|게시해[\\p{L}\\p{M}]*|올려 ?줘|veröffentlichen',
  follow:
    'beğen|takip et|लाइक कर[\\p{L}\\p{M}]*|फॉलो कर[\\p{L}\\p{M}]*|いいねして[\\p{L}\\p{M}]*|フォローして[\\p{L}\\p{M}]*|팔로우해[\\p{L}\\p{M}]*|좋아요 눌러[\\p{L}\\p{M}]*',
  sign: 'imzala|署名して[\\p{L}\\p{M}]*|서명해[\\p{L}\\p{M}]*|unterschreiben',
  sell: 'sat|बेच[\\p{L}\\p{M}]*|売って[\\p{L}\\p{M}]*|팔아 ?줘|verkaufen',
  comment:
    'yorum (?:yap|yaz)|कमेंट कर[\\p{L}\\p{M}]*|コメントして[\\p{L}\\p{M}]*|댓글 (?:달아|써) ?줘',
  reply: '返信して[\\p{L}\\p{M}]*|답장해[\\p{L}\\p{M}]*',
  block:
    'engelle|ब्लॉक कर[\\p{L}\\p{M}]*|ブロックして[\\p{L}\\p{M}]*|차단해[\\p{L}\\p{M}]*|blockieren',
  delete:
    'sil|हटा[\\p{L}\\p{M}]*|डिलीट कर[\\p{L}\\p{M}]*|削除して[\\p{L}\\p{M}]*|삭제해[\\p{L}\\p{M}]*|löschen',
  repair: 'tamir et|ठीक कर[\\p{L}\\p{M}]*|修理して[\\p{L}\\p{M}]*|수리해[\\p{L}\\p{M}]*|reparieren',
  renew: 'yenile|更新して[\\p{L}\\p{M}]*|갱신해[\\p{L}\\p{M}]*',
}
const POLITE =
  /^(?:(?:por favor|porfa|please|s['’]il te pla[iî]t|bitte|per favore|proszę|пожалуйста|lütfen|من فضلك|कृपया|请|帮我|麻烦|tolong|quiero que|necesito|je veux|ich möchte|möchte|voglio|chcę|я хочу|quero)[\s,]*)+/iu
const UNSPACED = /^\p{Script=Han}/u

const first = compile(FIRST, (words) => `^(?:${words})`)
const last = compile(LAST, (words) => `(?<!\\p{L})(?:${words})[\\s.!।。?]*$`)

function compile(
  verbs: Readonly<Record<string, string>>,
  toPattern: (words: string) => string,
): readonly (readonly [verb: string, pattern: RegExp])[] {
  return Object.entries(verbs).map(([verb, words]) => [verb, new RegExp(toPattern(words), 'iu')])
}

/** The English verb of an act that an intent in another language asks for; null without one. */
export function foreignActOf(intent: string): string | null {
  const text = intent
    .replaceAll(/https?:\S+/g, 'url')
    .trim()
    .replace(POLITE, '')
  for (const [verb, pattern] of first) {
    const [found = ''] = pattern.exec(text) ?? []
    const isWord = !/^[\p{L}\p{M}]/u.test(text.slice(found.length)) || UNSPACED.test(found)
    if (found !== '' && isWord) return verb
  }
  // Japanese verbs stand directly after their object.
  return last.find(([, pattern]) => pattern.test(text.replaceAll(/[をに]/g, ' ')))?.[0] ?? null
}
