/**
 * Words that refusals use, by language. A refusal names something of the visitor and a refusal in
 * one sentence, in any order and with any words between them. Matched against lower-case text.
 */
export type RefusalWords = {
  /** The visitor, and what the visitor sends: address, request, browser, network. */
  readonly visitor: RegExp
  readonly refused: RegExp
  /** Programs that read pages. */
  readonly robots: RegExp
  /** Refusals of programs. */
  readonly unwelcome: RegExp
  /** The visitor's country or region, or the only one served. */
  readonly place: RegExp
  readonly unavailable: RegExp
  /** Phrases that are a refusal, a rate limit or a test of humanity by themselves. */
  readonly whole: RegExp
}

const IP_NUMBER = String.raw`\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}`
const any = (...parts: readonly string[]): RegExp => new RegExp(parts.join('|'), 'u')

export const REFUSAL_WORDS: Readonly<Record<string, RefusalWords>> = {
  english: {
    visitor: any(
      String.raw`\b(your|this|the|a|an|new|bad) ([\w-]+ ){0,2}(ip|ips|address|requests?|connections?|network|client|browser|device|computer|host|subnet|user[- ]agent|session|traffic|activity|visit|action|url|operation|access|behaviou?r|range|location)\b`,
      String.raw`\byou (are|were|have been|'ve been|do(n't| not) have (access|permission))\b|\byou're\b`,
      String.raw`\b(requests?|traffic|connections?|visitors?|visits|users|people|hits|crawling|tor|vpns?|prox(y|ies)|data cent(er|re)s|access) (that|who|from|through|via|by|exit|with|or|and|to|of)\b`,
      String.raw`\b(a|an|open|anonymous|of) (vpn|proxy|proxies)\b|\b(malicious|illegal|unsafe|dangerous) (request|operation|action)`,
      IP_NUMBER,
    ),
    refused: any(
      String.raw`\b(block(ed|ing|s)?|ban(s|ned)?|reject(s|ed|ing)?|refus(es?|ed|ing)|denied|denies|intercepted|terminated|suspended|restrict(ed|ions?|s)|locked out|(black|deny)-?list(ed)?|stopped|excluded|forbid(s|den)?|disallow(s|ed)?|flagged|triggered|suspicious|unusual|abnormal|malicious|dangerous|harmful|abus(e|es|ive)|attacks?|illegal|malformed|violat(es?|ed|ion)|unsafe|detected|prohibited|disable it|switch it off|turn it off|limited|paused|throttled|spamhaus|not pass|banned by)\b`,
      String.raw`\b(not|n't|never|cannot|neither)\b ([\w-]+ ){0,3}(allow(ed)?|serve[ds]?|accept(ed|s)?|permit(ted)?|process(ed)?|complete[ds]?|handle[ds]?|load(ed)?|authori[sz]ed|acceptable|used|available|welcome|trust(ed)?|like|answered|fulfil+(ed)?)\b`,
      String.raw`(don't|do not) have (access|permission)|answered again|unauthori[sz]ed|outside (of )?(the|our)`,
    ),
    robots: any(
      String.raw`\b(ro)?bots?\b|\bcrawl(ers?|ing)?\b|\bspiders?\b|\bscrap(ers?|ing|e)\b|\bautomat(ed|ic|ion)\b|\bscripts?\b|\bsoftware\b|\buser[- ]agents?\b|\b(gpt|cc|claude|google)bot\b|\b(curl|wget|python)\b|\bprograms?\b|\bbulk\b|\bharvest(ing|ers?)?\b`,
    ),
    unwelcome: any(
      String.raw`\b(block(ed|ing|s)?|banned|reject(s|ed)?|refus(es?|ed)|denied|stopped|forbid(s|den)?|disallow(s|ed)?|detected|prohibited|identif(y|ies|ied)|limit(ed|ing)?|restricted|paused|unwelcome|suspect(ed|s)?)\b`,
      String.raw`\b(not|n't|never|may not|no)\b ([\w-]+ ){0,2}(allow(ed)?|welcome|permitted|read|accept(ed)?|served?|access|tolerated?|supported|fetch|scraping|crawling|(ro)?bots)\b`,
      String.raw`too (busy|many|fast)|only to (people|humans|persons|visitors)|registered crawlers only|comes? from a (script|program|bot)|keep (ro)?bots out|use our api|out of bounds|keep out`,
    ),
    place: any(
      String.raw`\b(your|this|the visitor'?s?|which|certain|some) ([\w-]+ )?(country|countries|region|location|area|territory|territories|jurisdiction|place|state)\b|in your (country|area|region)|from (the place|a territory|where you)|where you are|your location`,
      String.raw`\b(visitors?|users?|requests?|people|customers?|residents?|connections?|access|traffic) (\w+ )?(from|in|of|to|outside|located|based)\b|\boutside (of )?(the )?(united|eu|european|us|uk|[a-z]+)\b|\b(european union|eea|eu|european economic area|gdpr|embargo|sanction(s|ed)?|export regulations?)\b`,
      String.raw`\b(is|only|are) (available |open |intended )?(for|to|in) (visitors|people|users|residents|customers) (in|from|of)\b|\bgeo-?(block|restrict|fenc|locat)`,
    ),
    unavailable: any(
      String.raw`\b(not|n't|un|cannot|can't|unable|no longer)\b ?([\w-]+ ){0,4}(available|accessible|permitted|allowed|offered?|shown?|used?|open|view(ed)?|access(ed)?|serve[ds]?|supported|licen[sc]ed|reach(ed)?|provide[ds]?|deliver(ed)?)\b`,
      String.raw`\b(unavailable|inaccessible|blocked|restricted|prohibit(s|ed)?|denied|forbidden|banned|geo-?(blocked|restricted|fenced)|embargoed|off limits|closed to)\b|\bonly\b`,
    ),
    whole: any(
      String.raw`too many (bad |failed )?(requests|hits|calls|connections|page views|attempts|queries)|\brate limit|rate[- ]limited|slow(er)? down|(faster than|too fast|too quickly)|excessive (traffic|crawling|requests|use)|(daily|hourly) (number|limit|quota) of (page|requests|views)|quota (was |is |has been )?exceeded|page views .{0,40}used up`,
      String.raw`\b(show|prove|confirm|verify|convince|ensure|make sure|know|demonstrate|check)\b (to )?(us |me )?(that )?(you('re| are)|your are|this is) (really |indeed |actually )?(a |an )?(real|human|person|not a (machine|robot|bot|program|computer))`,
      String.raw`(type|enter|copy) the (characters|letters|numbers|digits|text|word|code) .{0,20}(you see|shown|in the (picture|image))|(slide|drag|move) the (\w+ )?(piece|slider|puzzle|handle|arrow)|(press|click) and hold|tick the (check ?)?box .{0,30}(person|human|robot)|complete the (puzzle|challenge|captcha)|you('re| are) (a real person|not a (machine|robot|bot))`,
      String.raw`(firewall|security (service|system|policy|rules?|software|solution|plugin|provider|check)|protection (rules?|software|system|service)|intrusion (prevention|detection)|mod_?security|wordfence|sucuri|imperva) .{0,60}(block|stop|reject|refus|terminat|deni|prevent|interrupt|trigger|dangerous|did not|flag|violat|not authori|protect itself)|(block|stopp|reject|refus|terminat|deni|prevent|interrupt)\w* .{0,60}(firewall|security (service|system|policy|rule|reason)|protection (rule|software|system))`,
      String.raw`(for|due to) (security|legal) reasons.{0,60}\b(not|n't|cannot|unavailable|blocked|denied)|(could not|couldn't|unable to) identify your browser|(enable|turn on) (javascript|cookies).{0,20}to continue|generated by (wordfence|mod_security|cloudfront)|(you are|you're) trying to (extract|scrape|harvest|collect|copy) (the )?(information|data|content)`,
    ),
  },
  spanish: {
    visitor: any(
      String.raw`\b(su|tu|la|el|esta|este) ([\p{L}-]+ ){0,2}(ip|dirección|petición|solicitud|conexión|red|navegador|acceso|dispositivo|equipo|visita|consulta)\b|\b(usted|has sido|ha sido|está)\b|\b(peticiones|solicitudes|accesos|visitas|vpn|proxy)\b|` +
        IP_NUMBER,
    ),
    refused: any(
      String.raw`bloque|rechazad|denegad|prohib|banead|vetad|expulsad|restring|suspendid|sospechos|inusual|anómal|malicios|cortafuegos|firewall|impedid|limitad|interrumpid|(no|ni) (se )?(permit|acept|autoriz|admit|pod(emos|ido) (mostrar|procesar|completar|atender))|no tiene (permiso|acceso)|lista negra`,
    ),
    robots:
      /robots?\b|\bbots?\b|automátic|automatizad|rastreador|arañas|programas|scraping|rastreo/u,
    unwelcome:
      /no (se )?(permit|acept|admit|autoriz)|prohibid|bloque|detectad|no está(n)? (permitid|autorizad)|rechazad|no pueden|limitad/u,
    place:
      /(su|tu|este|esta|desde|determinados) (\p{L}+ )?(país(es)?|región|ubicación|zona|territorio|lugar)|visitantes? (de|desde|en)|fuera de|unión europea/u,
    unavailable:
      /no (se )?(está|puede|es|son|pueden|disponible|permit|accesible|ofrec)|bloque|restring|prohibid|solo|sólo|únicamente|denegad|limitad/u,
    whole:
      /demasiad[ao]s (\p{L}+ )?(peticiones|solicitudes|consultas|accesos|intentos|visitas)|demasiado rápido|exceso de (peticiones|solicitudes|tráfico|consultas)|(demuestre|demuestra|confirme|confirma|verifique|verifica|compruebe|comprobar|asegurarnos de) (\p{L}+ )?que (usted |tú )?(es|eres|sea) (una |un )?(persona|human|ser humano|real)|que no (es|eres|sea) un robot|(por|motivos? de|razones de) seguridad.{0,50}(no|bloque|deneg|rechaz)|(no|bloque\p{L}*|deneg\p{L}*|rechaz\p{L}*).{0,60}(motivos|razones) de seguridad/u,
  },
  portuguese: {
    visitor: any(
      String.raw`\b(seu|sua|o|a|esta|este) ([\p{L}-]+ ){0,2}(ip|endereço|requisição|solicitação|pedido|conexão|ligação|rede|navegador|acesso|dispositivo|visita)\b|\bvocê\b|\b(requisições|solicitações|acessos|vpn|proxy)\b|` +
        IP_NUMBER,
    ),
    refused:
      /bloque|recusad|rejeitad|negad|proib|banid|expuls|restri(to|ng|ção)|suspens|suspeit|incomum|anormal|malicios|firewall|impedid|limitad|interrompid|não (é|são|foi|pode|podemos) (\p{L}+ )?(permitid|aceit|autorizad|mostrar|process|exib|conclu)|não tem (permissão|acesso)|lista negra/u,
    robots:
      /robôs?|\brobots?\b|\bbots?\b|automátic|automatizad|rastreador|programas|scraping|raspagem/u,
    unwelcome:
      /não (são|é|está|estão|têm|podem|aceitamos|permitimos)|proibid|bloque|detectad|recusad|limitad/u,
    place:
      /(seu|sua|neste|nesta|no seu|na sua|alguns) (\p{L}+ )?(país(es)?|região|localização|território|local)|visitantes? (d[aeo]|em)|fora d[aeo]|união europeia/u,
    unavailable:
      /não (está|pode|é|são|estão|podem|disponível|permit)|indisponível|bloque|restrit|proibid|apenas|somente|só\b|negad/u,
    whole:
      /(muit[ao]s|demasiad[ao]s|excesso de) (\p{L}+ )?(pedidos|requisições|solicitações|acessos|consultas|tentativas)|rápido demais|muito rápido|(confirm|prov|verifi|certific|demonstr)\p{L}* (\p{L}+ )?(que|se) (você )?(é|seja) (uma |um )?(pessoa|human|ser humano|real)|não (é|sou) um robô|(motivos?|razões|questões) de segurança|erro de segurança/u,
  },
  french: {
    visitor: any(
      String.raw`\b(votre|vos|ton|cette|la|une|l')\s?([\p{L}-]+ ){0,2}(ip|adresse|requêtes?|demandes?|connexion|réseau|navigateur|accès|appareil|visite|activité|trafic)\b|\bvous (êtes|avez été|avez)\b|\b(trafic|requêtes|connexions|accès|vpn|proxy)\b|` +
        IP_NUMBER,
    ),
    refused:
      /bloqu|refus|rejet|interdi|banni|exclu\b|restrei|restric|suspendu|suspect|inhabituel|anormal|malveillan|pare-feu|empêch|limité|interromp|liste noire|(n'est|ne sont|n'a|n'avez|ne pouvons|ne peut) pas (\p{L}+ )?(autoris|accept|permis|admis|affich|traiter|traité|abouti|accès|le droit)/u,
    robots:
      /robots?\b|\bbots?\b|automatique|automatisé|aspirateur|crawler|programmes|scraping|moissonn/u,
    unwelcome:
      /(ne sont|n'est|ne peuvent|n'ont|ne sommes) pas|interdi|bloqu|détect|refus|limité|proscri/u,
    place:
      /(votre|ce|cette|certains|dans le|depuis le) (\p{L}+ )?(pays|région|localisation|zone|territoire|emplacement)|(visiteurs|utilisateurs|internautes|personnes|résidents) (\p{L}+ )?(de|en|situés|hors|d')|hors de|union européenne/u,
    unavailable:
      /(n'est|ne sont|ne peut|n'es) (pas|plus)|indisponible|inaccessible|bloqu|restrei|interdi|réservé|uniquement|seulement|limité/u,
    whole:
      /trop (de (requêtes|demandes|connexions|tentatives|pages)|rapide|vite)|(prouve|confirme|montre|vérifi|assur|démontre)\p{L}* (\p{L}+ )?que vous (êtes|n'êtes pas) (bien )?(une |un )?(personne|humain|être humain|réel|robot)|(raisons?|mesures?) de sécurité.{0,60}(pas|bloqu|refus|interdi)|(système|service|dispositif) de (sécurité|protection).{0,60}(bloqu|détect|interromp|refus|rejet|arrêt)/u,
  },
  german: {
    visitor: any(
      String.raw`\b(ihre?|deine?|ihrem|ihren|ihrer|deinem|deiner|diese|die|der|eine?) ([\p{L}-]+ ){0,2}(ip|ip-adresse|adresse|anfragen?|verbindung|netzwerk|netz|browser|zugriff|zugang|zugriffe|gerät|besuch|aktivität|aktion)\b|\b(du (wurdest|bist)|sie (wurden|sind))\b|\b(anfragen|zugriffe|verbindungen|vpn|proxy|datenverkehr|abrufe)\b|` +
        IP_NUMBER,
    ),
    refused:
      /blockier|gesperrt|sperr(t|ung|liste)|abgelehnt|abgewiesen|verweiger|verboten|verbannt|gebannt|ausgeschlossen|eingeschränkt|beschränkt|verdächtig|ungewöhnlich|auffällig|bösartig|schädlich|firewall|unterbrochen|beendet|unterbunden|verhindert|(nicht|kein\p{L}*) (\p{L}+ )?(erlaubt|gestattet|zulässig|zugelassen|akzeptier|bearbeite|angezeigt|ausgeführt|verarbeite|berechtig)/u,
    robots:
      /roboter|\bbots?\b|automatisch|automatisiert|crawler|spider|programme?\b|scraping|skripte?\b|auslesen/u,
    unwelcome:
      /(nicht|kein\p{L}*) (\p{L}+ )?(erlaubt|gestattet|zulässig|zugelassen|erwünscht|willkommen|lesen|zugriff)|untersagt|verboten|blockier|gesperrt|erkannt|abgewiesen|abgelehnt|unerwünscht/u,
    place:
      /\b(ihrem|deinem|ihrer|deiner|diesem|ihr|dein|einigen|manchen) (\p{L}+ )?(land|länder|ländern|region|standort|gebiet|ort|aufenthaltsort)\b|(besucher|nutzer|kunden|personen|zugriffe)n? (aus|in|von)\b|außerhalb|europäischen union/u,
    unavailable:
      /nicht (\p{L}+ )?(verfügbar|abrufbar|erreichbar|zugänglich|möglich|erlaubt|gestattet|angeboten|aufgerufen|angezeigt|zulässig)|gesperrt|blockiert|eingeschränkt|\b(nur|ausschließlich)\b|vorbehalten/u,
    whole:
      /zu (viele|schnell|häufig)( \p{L}+)? ?(anfragen|zugriffe|abrufe|aufrufe|seiten|ab\b|hinter)?.{0,40}(warten|später|gesperrt|minuten|abruf|rufen|erhalten)|zu viele (anfragen|zugriffe|seitenaufrufe)|(zeig|beweis|bestätig|nachweis|sicherstell|überprüf|prüf)\p{L}*.{0,20}(dass|ob) (sie|du) (wirklich )?(ein )?(mensch|kein (roboter|bot|programm))|(aus )?sicherheitsgründen|sicherheitssystem\p{L}*.{0,60}(block|verdächtig|erkannt|abge|gestoppt)/u,
  },
  italian: {
    visitor: any(
      String.raw`\b(tuo|tua|suo|sua|questa|la|l')\s?([\p{L}-]+ ){0,2}(ip|indirizzo|richiesta|connessione|rete|browser|accesso|dispositivo|visita|attività|traffico)\b|\b(sei stat[oa]|è stat[oa])\b|\b(richieste|accessi|connessioni|vpn|proxy|traffico)\b|` +
        IP_NUMBER,
    ),
    refused:
      /blocca|rifiuta|respint|negat|vietat|bannat|esclus|limitat|sospes|sospett|insolit|anomal|dannos|firewall|impedit|interrott|lista nera|non (è|sono|è stat\p{L}|possiamo|può) (\p{L}+ )?(consentit|permess|accettat|autorizzat|ammess|mostrare|elaborar|completat)|non (ha|hai) (il permesso|accesso)/u,
    robots: /robot\b|\bbot\b|automatic|automatizzat|crawler|spider|programmi|scraping/u,
    unwelcome: /non (è|sono|possono|accettiamo)|vietat|blocca|rilevat|rifiuta|proibit/u,
    place:
      /(tuo|tua|suo|sua|questo|questa|dal|dalla|alcuni) (\p{L}+ )?(paese|paesi|regione|posizione|zona|territorio|area)|(visitatori|utenti) (d[aei]|in|situati|dall)|(al di )?fuori d|unione europea/u,
    unavailable:
      /non (è|sono|può|si può|possono) |indisponibile|blocca|limitat|vietat|riservat|soltanto|\bsolo\b|inaccessibile/u,
    whole:
      /tropp[eoi] (richieste|veloce|velocemente|accessi|rapidamente|tentativi)|(dimostr|conferm|verific|prov)\p{L}* (\p{L}+ )?(di essere|che sei|che è) (una |un )?(person|uman|essere umano)|non (sei|essere) un robot|(per )?(motivi|ragioni) di sicurezza/u,
  },
  polish: {
    visitor: any(
      String.raw`\b(twój|twoje|twoja|twojego|twojej|pana|państwa|to|ten) ([\p{L}-]+ ){0,2}(ip|adres\p{L}*|żądanie|zapytanie|połączenie|sieci?|przeglądark\p{L}*|dostęp|urządzeni\p{L}*|aktywność)|(żądanie|dostęp|połączenie|zapytania|ruch) |(wysyłasz|zostałeś|zostałaś|jesteś)|` +
        IP_NUMBER,
    ),
    refused:
      /zablokowan|blokad|odrzucon|odmówion|zabron|zbanowan|wykluczon|ograniczon|zawieszon|podejrzan|nietypow|nieprawidłow|złośliw|zapor|firewall|przerwan|wstrzyman|niedozwolon|nie (jest|są|został\p{L}*|może|możemy|masz) (\p{L}+ )?(dozwolon|akceptowan|dostępu|uprawnie|wyświetl|przetworz|autoryz)/u,
    robots: /robot|\bbot(y|ów|om)?\b|automat|crawler|pająk|program|skrypt|scraping/u,
    unwelcome: /nie (mają|są|jest|mogą|ma)|zabron|zakaz|zablokowan|wykry|niedozwolon|odrzuc/u,
    place:
      /(twoim|twojego|tym|pana|państwa|niektórych|danym) (\p{L}+ )?(kraju|krajach|regionie|lokalizacji|obszarze|regionu)|(użytkownik|odwiedzając|osób)\p{L}* (z|spoza|w)\b|spoza|poza granic|unii europejskiej/u,
    unavailable:
      /nie (jest|są|można|może) |niedostępn|zablokowan|ograniczon|tylko|wyłącznie|zabronion/u,
    whole:
      /zbyt (wiele|dużo|szybko|często)|za (dużo|szybko|często)|(potwierdź|udowodnij|zweryfikuj|sprawdz\p{L}*|upewni\p{L}*)[^.]{0,20}(że|czy) (jesteś|nie jesteś) (\p{L}+ )?(człowiek|robot|osob)|wzgl(ędu|ędów) (na )?bezpieczeństw|względów bezpieczeństwa|system\p{L}* (ochrony|bezpieczeństwa|zabezpiecze\p{L}*)/u,
  },
  russian: {
    visitor: any(
      String.raw`(ваш\p{L}*|этот|это|данн\p{L}*) ([\p{L}-]+ ){0,2}(ip|ip-адрес\p{L}*|адрес\p{L}*|запрос\p{L}*|соединени\p{L}*|подключени\p{L}*|сет(ь|и)|браузер\p{L}*|доступ\p{L}*|устройств\p{L}*|трафик\p{L}*|действи\p{L}*)|(вы|вам) |доступ|запрос|трафик|соединение|\bvpn\b|прокси|` +
        IP_NUMBER,
    ),
    refused:
      /заблокирован|блокиров|отклон|отказан|запрещ|забанен|\bбан\b|исключен|ограничи|ограничен|приостанов|подозрительн|необычн|вредоносн|опасн|прерван|разорван|не (разреш|допуска|принима|обслужива|может быть (обработан|выполнен|показан))|черн(ый|ом|ого) спис|файрвол|брандмауэр|межсетев|системой защиты|фаервол/u,
    robots:
      /робот|\bбот(ы|ов|ам)?\b|автоматическ|автоматизирован|краулер|парсинг|парсер|скрипт|программ|сбор данных/u,
    unwelcome:
      /запрещ|не (разреш|допуска|принима|обслужива)|заблокирован|обнаруж|отклон|ограничен|закрыт/u,
    place:
      /(ваш\p{L}*|эт\p{L}*|данн\p{L}*|некоторых) (\p{L}+ )?(стран|регион|местоположени|территори)|(посетител|пользовател|жител)\p{L}* (из|с|в|за)|за пределами|европейского союза/u,
    unavailable:
      /недоступ|не (доступ|может|показыва|предостав|работа|поддержива)|запрещ|заблокирован|ограничен|закрыт|только/u,
    whole:
      /слишком (много|часто|быстро|част)|превышен\p{L}* (лимит|количество|число)|(подтвердите|докажите|проверяем|убедиться|проверка)[^.]{0,20}что (вы|это) (не )?(человек|робот|реальн)|(соображени|цел|мер)\p{L}* безопасности/u,
  },
  turkish: {
    visitor: any(
      String.raw`isteğin|istek|ip adres|adresiniz|erişim|bağlantı|tarayıcı|ağınız|ağınızdan|trafik|hesabınız|ziyaret|eylem|\bvpn\b|` +
        IP_NUMBER,
    ),
    refused:
      /engellen|engelli|reddedil|yasak|kısıtlan|askıya|şüpheli|olağandışı|anormal|zararlı|kötü amaçlı|güvenlik duvarı|izin veril|durdurul|kapatıl|kara liste|kesildi/u,
    robots: /\bbot(lar|ların|lara)?\b|robot|otomatik|tarayıcı bot|örümcek|betik|program/u,
    unwelcome: /izin veril|yasak|engellen|reddedil|kabul edil|tespit edil|kapalı/u,
    place:
      /(ülke|bölge|konum|coğrafya)(niz|nız|nuz|de|den|sinden|deki)?\p{L}*|dışından|avrupa birliği/u,
    unavailable:
      /kullanılam|erişilem|mevcut değil|kapalı|engellen|kısıtlan|görüntülenem|sunulm|yalnızca|sadece|yasak|izin veril/u,
    whole:
      /çok (fazla|sık|hızlı) ?(istek|isteği|talep|sorgu|gönder|sayfa)?[^.]{0,30}(bekle|gönder|sonra|isteği|engel|istek)|çok hızlı|insan olduğunu|robot olmadığını|güvenlik (nedeni|gerekçesi|sebebi)/u,
  },
  arabic: {
    visitor: any(
      String.raw`طلبك|الطلب|طلبات|عنوان|اتصالك|الاتصال|متصفحك|شبكتك|وصولك|الوصول|زيارتك|جهازك|نشاط|حركة|ip|` +
        IP_NUMBER,
    ),
    refused:
      /حظر|محظور|رفض|مرفوض|منع|ممنوع|تقييد|مقيد|مشبوه|غير (عادي|معتاد|طبيعي|مصرح|مسموح|مألوف)|ضار|جدار|إيقاف|القائمة السوداء|لا يسمح|لا يمكن/u,
    robots: /روبوت|الروبوتات|آلي|تلقائي|زواحف|برامج/u,
    unwelcome: /لا يسمح|غير مسموح|ممنوع|محظور|يمنع|يحظر|حظر|لا نسمح|تم (رصد|اكتشاف)/u,
    place: /بلدك|دولتك|منطقتك|موقعك الجغرافي|بلادك|هذه المنطقة|هذا البلد|من خارج|الزوار من/u,
    unavailable: /غير (متاح|متوفر|مسموح|مدعوم)|لا يمكن|محظور|ممنوع|مقيد|حظر|فقط|لا يتوفر/u,
    whole:
      /(عدد|عددا).{0,10}(كبير|كثير).{0,10}(من )?الطلبات|طلبات كثيرة|كثرة الطلبات|(تأكيد|إثبات|التحقق من|أثبت|أكد) (من )?أنك (لست|إنسان|بشر|شخص)|أسباب أمنية|دواع أمنية|لدواعٍ? أمنية|نظام الحماية/u,
  },
  hindi: {
    visitor: any(String.raw`आपका|आपके|आपकी|अनुरोध|आईपी|कनेक्शन|ब्राउज़र|नेटवर्क|पहुंच|पहुँच|ip|` + IP_NUMBER),
    refused:
      /अवरुद्ध|ब्लॉक|अस्वीकार|प्रतिबंध|निषेध|निषिद्ध|संदिग्ध|असामान्य|हानिकारक|फ़ायरवॉल|फायरवॉल|रोक (दिया|दी)|अनुमति नहीं|निलंबित|मना/u,
    robots: /रोबोट|बॉट|स्वचालित|क्रॉलर|प्रोग्राम/u,
    unwelcome: /अनुमति नहीं|प्रतिबंध|निषेध|निषिद्ध|ब्लॉक|मना|अवरुद्ध|वर्जित/u,
    place: /(आपके|इस|आपकी) (देश|क्षेत्र|स्थान|इलाके)|देश में|क्षेत्र (में|से)|के बाहर/u,
    unavailable: /उपलब्ध नहीं|नहीं (खोल|देख|मिल|है)|प्रतिबंध|अवरुद्ध|ब्लॉक|केवल|अनुपलब्ध/u,
    whole:
      /बहुत (अधिक|ज़्यादा|ज्यादा|सारे|तेज़|तेज) (अनुरोध|गति)?|(पुष्टि|साबित|सत्यापित|सिद्ध) कर(ें|ना).{0,20}(इंसान|मनुष्य|मानव|रोबोट)|(इंसान|मनुष्य|मानव) (हैं|होने).{0,30}(पुष्टि|साबित|सत्यापित)|सुरक्षा (कारणों|प्रणाली)/u,
  },
  chinese: {
    visitor: any(
      String.raw`[您你]的?(ip|请求|請求|访问|訪問|网络|網路|浏览器|瀏覽器|设备|設備|操作|地址|行为|行為|连接|連線|账号)|请求|請求|访问|訪問|存取|連線|流量|操作|爬虫|ip`,
      IP_NUMBER,
    ),
    refused:
      /拦截|攔截|封禁|被封|屏蔽|封锁|封鎖|拒绝|拒絕|禁止|黑名单|黑名單|限制|异常|異常|可疑|风险|風險|防火墙|防火牆|阻止|阻断|不(允许|允許|被允许|支持|接受)|违规|非法|恶意|惡意|攻击|攻擊/u,
    robots:
      /爬虫|爬蟲|机器人|機器人|自动(程序|化|访问)|自動(程式|化|存取)|脚本|腳本|采集|採集|抓取/u,
    unwelcome: /禁止|不(允许|允許|欢迎|歡迎|接受)|拒绝|拒絕|限制|检测到|檢測到|偵測到|屏蔽|封/u,
    place:
      /[您你]?(所在|的)?(的)?(国家|國家|地区|地區|区域|區域|位置)|大陆以外|海外|境外|国外|國外/u,
    unavailable:
      /不(可用|支持|提供|能|可|允许|开放|開放)|无法|無法|暂不|暫不|限制|禁止|屏蔽|仅限|僅限|未开放|拒绝/u,
    whole:
      /(过于|太|過於|过)(频繁|頻繁|快|多)|(访问|請求|请求|操作)(速度)?(过|太|過)(快|多|频繁|頻繁)|频率(过|太)(快|高)|次数(过多|超限|已达)|(确认|確認|验证|驗證|证明|證明)(您|你)?(是|为|為)?(否)?(是)?(真人|人类|人類|本人操作)|是真人|不是机器人|不是機器人|(完成|進行|进行|通过)(下面的|以下|下方)?(安全)?(验证|驗證)|输入验证码|輸入驗證碼/u,
  },
  japanese: {
    visitor: any(
      String.raw`アクセス|リクエスト|接続|ip ?アドレス|ipアドレス|ブラウザ|ネットワーク|通信|操作|お客様|お使い`,
      IP_NUMBER,
    ),
    refused:
      /遮断|ブロック|拒否|禁止|制限|停止され|不正|異常|不審|疑わしい|許可されて(い|お)|許可していません|ファイア ?ウォール|お断り|できません|規制|ブラックリスト|検(出|知)/u,
    robots:
      /ロボット|ボット|クローラ|自動(アクセス|化|的|取得|プログラム)|スクレイピング|プログラム|スクリプト|機械的/u,
    unwelcome:
      /お断り|禁止|ブロック|拒否|許可されて|許可していません|制限|検(出|知)|遠慮|認め(て|られ)|ご遠慮/u,
    place: /(お住まいの|お客様の|この|ご利用の|現在の)?(国|地域|エリア)|海外|国外|日本国内|欧州/u,
    unavailable:
      /(ご覧|利用|閲覧|視聴|アクセス|表示|提供|接続)\S{0,6}(できません|いただけません|ません)|制限|禁止|遮断|のみ|限定|対象外/u,
    whole:
      /(短時間|多数|大量|過剰|頻繁)\S{0,8}(アクセス|リクエスト)|アクセスが(集中|多)|(リクエスト|アクセス)(数)?が(多|上限)|人間である|ロボットではない|(画像|表示)\S{0,10}文字\S{0,6}入力|セキュリティ(上の|の)(理由|都合|ため)/u,
  },
  korean: {
    visitor: any(
      String.raw`요청|접속|접근|ip|연결|브라우저|네트워크|트래픽|귀하|고객님|사용자`,
      IP_NUMBER,
    ),
    refused:
      /차단|거부|금지|제한|비정상|의심|악성|방화벽|허용되지|허용하지|중단|불가|위반|블랙리스트|할 수 없|하실 수 없/u,
    robots: /로봇|봇|크롤러|자동화|자동 (프로그램|접속|수집)|스크립트|매크로|크롤링|스크래핑/u,
    unwelcome: /허용되지|허용하지|금지|차단|거부|제한|감지|불가/u,
    place: /국가|지역|해외|국외|거주|나라|국내/u,
    unavailable:
      /(이용|시청|접속|접근|제공|사용)\S{0,6} ?(할 수 없|하실 수 없|수 없|불가|되지 않)|차단|제한|금지|에서만|없습니다/u,
    whole:
      /(너무|매우) (많은|빠르|자주|빈번)|요청(이|을)? ?(너무|과다|초과)|과도한|(사람|인간)(인지|임을|이라는)|로봇이 아(님|닙|닌)|보안(상|상의|을 위|정책)/u,
  },
  indonesian: {
    visitor: any(
      String.raw`permintaan|alamat ip|\bip\b|akses|koneksi|peramban|browser|jaringan|lalu lintas|\banda\b`,
      IP_NUMBER,
    ),
    refused:
      /diblokir|blokir|ditolak|dilarang|dibatasi|mencurigakan|tidak (biasa|wajar|diizinkan|diperbolehkan|diterima|dapat (diproses|ditampilkan|dilanjutkan))|berbahaya|firewall|dihentikan|ditangguhkan|daftar hitam|dicekal/u,
    robots: /robot|\bbot\b|otomatis|perayap|crawler|program|skrip/u,
    unwelcome:
      /tidak (diizinkan|diperbolehkan|boleh|diterima)|dilarang|diblokir|ditolak|terdeteksi/u,
    place: /(negara|wilayah|lokasi|daerah)( anda| ini)?|luar negeri|di luar/u,
    unavailable: /tidak (tersedia|dapat|bisa|diizinkan)|diblokir|dibatasi|dilarang|hanya/u,
    whole:
      /terlalu (banyak|cepat|sering)|(buktikan|konfirmasi|pastikan|verifikasi)\p{L}* (bahwa )?anda (adalah )?(manusia|bukan robot|seorang)|alasan keamanan|sistem keamanan/u,
  },
}
