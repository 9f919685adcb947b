import type { RefusalWords } from './refusal-words.ts'

const NEVER = /(?!)/u
/** Refusals of programs are not known in these languages. */
const words = (
  visitor: RegExp,
  refused: RegExp,
  place: RegExp,
  unavailable: RegExp,
  whole: RegExp,
): RefusalWords => ({
  visitor,
  refused,
  robots: NEVER,
  unwelcome: NEVER,
  place,
  unavailable,
  whole,
})

/** The words of `refusal-words.ts` in thirteen more groups of languages. */
export const MORE_REFUSAL_WORDS: Readonly<Record<string, RefusalWords>> = {
  dutch: words(
    /\b(uw|je|jouw|dit|het|deze) ([\p{L}-]+ ){0,2}(ip|ip-adres|adres|verzoek|verbinding|netwerk|browser|toegang|verkeer|bezoek|apparaat)\b|\b(u|je) (bent|hebt)\b|\b(verzoeken|toegang|vpn|proxy)\b/u,
    /geblokkeerd|geweigerd|verboden|verbannen|afgewezen|beperkt|opgeschort|verdacht|ongebruikelijk|schadelijk|firewall|niet (\p{L}+ )?(toegestaan|geaccepteerd|verwerkt)/u,
    /\b(uw|je|jouw|dit|deze) (\p{L}+ )?(land|regio|locatie|gebied)\b|bezoekers (uit|van|buiten)|buiten (de |het )?\p{L}+/u,
    /niet (\p{L}+ )?(beschikbaar|toegankelijk|toegestaan|bereikbaar)|geblokkeerd|alleen|uitsluitend/u,
    /te veel (verzoeken|aanvragen|pogingen)|te snel|(bevestig|bewijs|controleer\p{L}*|verifieer)\p{L}* .{0,10}(dat|of) (u|je) (een |geen )?(mens|robot)|mens of (een )?robot|veiligheidsredenen/u,
  ),
  catalan: words(
    /\b(vostra|vostre|teva|teu|seva|seu|aquesta|aquest|la|el|l')\s?([\p{L}-]+ ){0,2}(ip|adreça|petició|sol·licitud|connexió|xarxa|navegador|accés|dispositiu)\b|\b(heu|has|ha) estat\b|\bvpn\b/u,
    /bloque|blocad|rebutjad|denegat|prohibi|restring|suspès|sospitos|inusual|maliciós|malicios|tallafoc|no (es |està |és |està )?(permet|permès|permes|accepta|autoritza)/u,
    /(vostre|teu|seu|aquest|aquesta|vostra) (\p{L}+ )?(país|regió|ubicació|territori|zona)|fora d/u,
    /no (està|es|és|és possible|està permès)|bloque|restring|només|únicament/u,
    /massa (peticions|sol·licituds|intents|ràpid)|(confirm|demostr|verifi|comprov)\p{L}* (\p{L}+ )?que (no )?(sou|ets|és) (un |una )?(robot|humà|humana|persona)|humà o (un )?robot|(motius|raons) de seguretat/u,
  ),
  czechoslovak: words(
    /\b(vaš\p{L}*|tvoj\p{L}*|tvůj|této|tento|tato|táto|touto) ([\p{L}-]+ ){0,2}(ip|ip-adres\p{L}*|adres\p{L}*|požadav\p{L}*|požiadav\p{L}*|připojen\p{L}*|pripojen\p{L}*|síť|sieť|prohlížeč\p{L}*|prehliadač\p{L}*|přístup\p{L}*|prístup\p{L}*|zařízen\p{L}*|zariaden\p{L}*)|\b(byl|bol)i? jste\b|\bboli ste\b|přístup|prístup|\bvpn\b/u,
    /blokov|zablok|odmítnut|odmietnut|zamítnut|zamietnut|zakázán|zakázan|omezen|obmedzen|pozastaven|podezřel|podozriv|neobvykl|škodliv|firewall|nepovol|není (\p{L}+ )?povolen|nie je (\p{L}+ )?povolen/u,
    /\b(vaš\p{L}*|vaší|této|tejto) (\p{L}+ )?(zem\p{L}*|krajin\p{L}*|oblast\p{L}*|region\p{L}*|státě|štáte)|mimo (území|eu)/u,
    /(není|nie je|nejsou|nie sú) |nedostupn|blokov|zablok|pouze|iba|len /u,
    /příliš (mnoho|rychle|často)|príliš (veľa|rýchlo|často)|prekroč\p{L}* .{0,30}(limit|počet|požiadav)|překroč\p{L}* .{0,30}(limit|počet|požadav)|(nejste|nie ste|nejsi|nie si) (žádný )?robot|(jste|ste) (skutečný |skutočný )?člov[eě]k|bezpečnostn(ích|ých) důvod|bezpečnostných dôvod/u,
  ),
  ukrainian: words(
    /(ваш\p{L}*|цей|ця|ці) ([\p{L}-]+ ){0,2}(ip|ip-адрес\p{L}*|адрес\p{L}*|запит\p{L}*|з'єднанн\p{L}*|підключенн\p{L}*|мереж\p{L}*|браузер\p{L}*|доступ\p{L}*)|\bви\b|доступ|запити/u,
    /заблокован|блоку|відхилен|відмовлен|заборонен|обмежен|призупинен|підозріл|незвичн|шкідлив|не (дозволен|допуска|прийма)/u,
    /(ваш\p{L}*|ц\p{L}{1,3}) (\p{L}+ )?(країн|регіон|місцезнаходженн|територі)|за межами/u,
    /недоступн|не (доступн|може|працю|підтриму)|заблокован|обмежен|лише|тільки/u,
    /(забагато|надто (багато|часто|швидко)|занадто (багато|часто|швидко))|(підтвердьте|доведіть|перевіря\p{L}*|переконатися)[^.]{0,20}що ви (не робот|людина)|ви не робот|(міркувань|причин) безпеки/u,
  ),
  romanian: words(
    /(adresa|cererea|conexiunea|rețeaua|browserul|accesul|dispozitivul|traficul|ip-ul) (\p{L}+ )?(ip )?(dumneavoastră|dvs|ta|tău|din)|\bați fost\b|\bai fost\b|accesul|\bvpn\b/u,
    /bloca|respins|refuzat|interzis|restric|suspendat|suspect|neobișnuit|malițios|firewall|nu (este|sunt|a fost) (\p{L}+ )?(permis|acceptat|autorizat)/u,
    /(țara|regiunea|locația|zona) (dumneavoastră|dvs|ta)|din afara|această (țară|regiune)/u,
    /nu (este|sunt|poate|se poate)|indisponibil|bloca|restric|doar|numai/u,
    /prea (multe|rapid|repede|des)|(confirmați|demonstrați|verificați|dovediți|confirmă|demonstrează|verificăm)[^.]{0,12}că (nu )?(sunteți|ești) (un |o )?(robot|om|uman|persoană)|motive de securitate/u,
  ),
  hungarian: words(
    /(ip-cím|ip cím|kérés|kapcsolat|hálózat|böngésző|hozzáférés|eszköz|forgalom)\p{L}*|\bönt?\b/u,
    /letilt|blokkol|elutasít|megtagad|tilt(ott|va)|korlátoz|felfüggeszt|gyanús|szokatlan|rosszindulatú|tűzfal|nem engedélyez/u,
    /(ország|régió|terület|tartózkodási hely)\p{L}*/u,
    /nem (érhető|elérhető|tekinthető|nyitható|engedélyezett)|letilt|korlátoz|csak/u,
    /túl (sok|gyors|gyakran)|(igazol|erősít|bizonyít|ellenőriz)\p{L}* .{0,12}hogy (ön )?(nem robot|ember)|biztonsági (okok|okból|rendszer)/u,
  ),
  greek: words(
    /(διεύθυνσ\p{L}*|αίτημ\p{L}*|σύνδεσ\p{L}*|δίκτυ\p{L}*|πρόγραμμα περιήγησης|πρόσβασ\p{L}*|συσκευ\p{L}*)|έχετε/u,
    /αποκλε|μπλοκαρ|απορρίφθηκ|αρνήθηκ|απαγορε|περιορ|ανασταλ|ύποπτ|ασυνήθιστ|κακόβουλ|τείχος προστασίας|δεν επιτρέπ/u,
    /(χώρα|περιοχή|τοποθεσία) (σας|σου)|εκτός/u,
    /δεν (είναι|επιτρέπ|παρέχ|μπορ)|μη διαθέσιμ|αποκλε|μόνο/u,
    /(πάρα πολλ|υπερβολικ)\p{L}* (αιτήματα|γρήγορα|προσπάθειες)|(επιβεβαιώ|αποδεί|επαληθεύ)\p{L}* ότι (δεν )?είστε|λόγους ασφαλείας/u,
  ),
  vietnamese: words(
    /địa chỉ ip|yêu cầu|kết nối|mạng|trình duyệt|truy cập|thiết bị|lưu lượng|\bbạn\b/u,
    /bị chặn|đã chặn|từ chối|bị cấm|hạn chế|tạm ngưng|đáng ngờ|bất thường|độc hại|tường lửa|không được phép/u,
    /(quốc gia|khu vực|vị trí|vùng)( này| của bạn)?/u,
    /không (khả dụng|có sẵn|thể|được|hỗ trợ)|bị chặn|hạn chế|chỉ dành/u,
    /quá (nhiều|nhanh) (yêu cầu|lần|lượt)|(xác nhận|xác minh|chứng minh)[^.]{0,20}(bạn )?(không phải|là con người|là người)|lý do bảo mật/u,
  ),
  scandinavian: words(
    /\b(din|ditt|dine|denne|dette|den här|detta|en|et) ([\p{L}-]+ ){0,2}(ip|ip-adress\p{L}*|ip-adresse\p{L}*|adress\p{L}*|förfrågan|begäran|anslutning\p{L}*|nätverk\p{L}*|webbläsare|åtkomst|adgang|tilgang|forespørsel\p{L}*|forespørgsel\p{L}*|forbindelse|tilkobling|nettverk\p{L}*|netværk\p{L}*|nettleser\p{L}*|enhet)\b|(forespørsel|forespørgsel)\p{L}* din|\bdu (har blivit|er blitt|er blevet)\b|åtkomst|adgang|tilgang|\bvpn\b/u,
    /blocker|blokker|blokere|spärra|spærre|sperre|nekad|nekta|nektet|nægtet|avvis|afvis|förbjud|forbud|begränsa|begrens|begræns|misstänk|mistænk|mistenk|ovanlig|usædvanlig|uvanlig|skadlig|skadelig|brandvägg|brannmur|(inte|ikke) (\p{L}+ )?(tillåt|tillat|tilladt)/u,
    /\b(ditt|din|dette|detta|denne) (\p{L}+ )?(land|region|område|plats|posisjon|placering)\b|(utanför|utenfor|uden for)/u,
    /(inte|ikke) (\p{L}+ )?(tillgänglig|tilgjengelig|tilgængelig\p{L}*|tillåt|tillat|tilladt)|otillgänglig|utilgjengelig|utilgængelig|blocker|blokker|blokere|endast|\bbare for\b|\bkun for\b/u,
    /för (många|snabbt)|for (mange|fort|hurtigt) ?(forespørs|forespørg|forsøk|forsøg|anrop)?|(bekräfta|bekreft|bekræft|bevisa|bevis|verifier\p{L}*|verifiser|kontroller\p{L}*),? (at|att|om)[^.]{0,10}(inte |ikke )?(en |et |ett )?(robot|människ|menneske)|(säkerhetsskäl|sikkerhetsgrunner|sikkerhedsgrunde|sikkerhetsårsaker)/u,
  ),
  finnish: words(
    /ip-osoit\p{L}*|pyyn(tö|nö)\p{L}*|yhte(ys|y)\p{L}*|verkko\p{L}*|selai\p{L}*|pääsy\p{L}*|laitte\p{L}*/u,
    /estetty|estäm|esto|hylätty|evätty|kielletty|rajoitet|keskeytet|epäilyttäv|epätavalli|haitalli|palomuuri|ei (ole )?sallit/u,
    /maassasi|maastasi|tässä maassa|alueellasi|tällä alueella|sijainnissasi|ulkopuolel/u,
    /ei (ole |voi )?(saatavilla|käytettävissä|katsott|sallit|nähtäv)|estetty|rajoitet|vain/u,
    /liian (mont|paljon|nopea|usein)|(vahvista|todista|varmista)\p{L}*,? (ettet|että)[^.]{0,12}(robotti|ihminen)|turvallisuussyist/u,
  ),
  uzbek: words(
    /ip ?manzil\p{L}*|so.?rov\p{L}*|ulanish\p{L}*|tarmo\p{L}*|brauzer\p{L}*|kirish\p{L}*|\bsiz(ning)?\b/u,
    /blok|rad et|taqiq|chekla|shubhali|zararli|ruxsat (yo|ber)/u,
    /mamlakat\p{L}*|mintaqa\p{L}*|hudud\p{L}*/u,
    /mavjud emas|ochiq emas|ruxsat yo|taqiq|chekla|faqat/u,
    /(juda|haddan tashqari) (ko.?p|tez)|(robot emaslig|inson eka)\p{L}*/u,
  ),
  bulgarian: words(
    /(ваш\p{L}*|тоз\p{L}*|таз\p{L}*) ([\p{L}-]+ ){0,2}(ip|адрес\p{L}*|заявк\p{L}*|връзк\p{L}*|мреж\p{L}*|браузър\p{L}*|достъп\p{L}*)|достъпът|заявката/u,
    /блокир|отказан|отхвърл|забранен|ограничен|подозрителн|необичайн|злонамерен|не (е|са) (\p{L}+ )?(разрешен|позволен)/u,
    /(ваш\p{L}*|таз\p{L}*) (\p{L}+ )?(държав|страна|регион|местоположен)|извън/u,
    /не (е|са|може) |недостъпн|блокир|ограничен|само/u,
    /твърде (много|бързо|често)|(потвърдете|докажете|проверя\p{L}*)[^.]{0,6}че (не сте|сте) (робот|човек)|съображения за сигурност/u,
  ),
  croatian: words(
    /\b(vaš\p{L}*|ov\p{L}{1,2}) ([\p{L}-]+ ){0,2}(ip|adres\p{L}*|zahtjev\p{L}*|zahtev\p{L}*|vez\p{L}*|mrež\p{L}*|preglednik\p{L}*|pristup\p{L}*)|\bpristup\b/u,
    /blokiran|odbijen|zabranjen|ograničen|obustavljen|sumnjiv|neuobičajen|zlonamjern|vatrozid|nije (\p{L}+ )?(dopušten|dozvoljen)/u,
    /(vaš\p{L}*|ov\p{L}{1,2}) (\p{L}+ )?(zemlj|držav|regij|lokacij|područj)\p{L}*|izvan/u,
    /(nije|nisu|ne može) |nedostup|blokiran|ograničen|samo/u,
    /previše (zahtjeva|zahteva|upita|pokušaja)|prebrzo|(potvrdite|dokažite|provjer\p{L}*)[^.]{0,6}da (niste|ste) (robot|čovjek)|sigurnosnih razloga/u,
  ),
}
