/** IATA codes of the main airports of large cities. */
const AIRPORTS =
  'Amsterdam AMS,Athens ATH,Atlanta ATL,Auckland AKL,Bangkok BKK,Barcelona BCN,Beijing PEK,Berlin BER,Bogota BOG,Boston BOS,Brussels BRU,Bucharest OTP,Budapest BUD,Buenos Aires EZE,Cairo CAI,Cape Town CPT,' +
  'Chicago ORD,Cologne CGN,Copenhagen CPH,Dallas DFW,Delhi DEL,Denver DEN,Detroit DTW,Doha DOH,Dubai DXB,Dublin DUB,Dusseldorf DUS,Düsseldorf DUS,Edinburgh EDI,Frankfurt FRA,Geneva GVA,Hamburg HAM,Helsinki HEL,Hong Kong HKG,' +
  'Houston IAH,Istanbul IST,Jakarta CGK,Johannesburg JNB,Kuala Lumpur KUL,Lagos LOS,Las Vegas LAS,Lima LIM,Lisbon LIS,London LHR,Los Angeles LAX,Lyon LYS,Madrid MAD,Manchester MAN,Manila MNL,Melbourne MEL,' +
  'Mexico City MEX,Miami MIA,Milan MXP,Montreal YUL,Mumbai BOM,Munich MUC,Nairobi NBO,New York JFK,Nice NCE,Oslo OSL,Paris CDG,Porto OPO,Prague PRG,Reykjavik KEF,Riga RIX,Rome FCO,San Francisco SFO,' +
  'Santiago SCL,Sao Paulo GRU,Seattle SEA,Seoul ICN,Shanghai PVG,Singapore SIN,Sofia SOF,Stockholm ARN,Sydney SYD,Taipei TPE,Tallinn TLL,Tel Aviv TLV,Tokyo HND,Toronto YYZ,Vancouver YVR,Vienna VIE,Vilnius VNO,Warsaw WAW,Washington IAD,Zurich ZRH,Zürich ZRH,' +
  // In other languages.
  'Wien VIE,Viena VIE,Vienne VIE,Wiedeń VIE,Viyana VIE,München MUC,Múnich MUC,Monaco di Baviera MUC,Köln CGN,Genf GVA,Genève GVA,Ginebra GVA,Ginevra GVA,' +
  'Lissabon LIS,Lisboa LIS,Lisbonne LIS,Lisbona LIS,Lizbona LIS,Rom FCO,Roma FCO,Rzym FCO,Mailand MXP,Milano MXP,Milán MXP,Prag PRG,Praga PRG,Praha PRG,' +
  'Warschau WAW,Warszawa WAW,Varsovia WAW,Varsavia WAW,Londres LHR,Londra LHR,Londyn LHR,Parigi CDG,Paryż CDG,Brüssel BRU,Bruxelles BRU,Bruselas BRU,' +
  'Kopenhagen CPH,Copenhague CPH,Stockholm ARN,Atenas ATH,Athen ATH,Atene ATH,Moskau SVO,Москва SVO,Москвы SVO,Москву SVO,İstanbul IST,Nueva York JFK,' +
  'Nova York JFK,東京 HND,东京 HND,大阪 KIX,北京 PEK,上海 PVG,香港 HKG,서울 ICN,도쿄 HND,Singapur SIN,Singapura SIN'
const codes = new Map(
  AIRPORTS.split(',').map((entry) => [entry.slice(0, -4).toLowerCase(), entry.slice(-3)]),
)
const CITY = new RegExp(
  String.raw`(?<![\p{L}-])(?:${[...codes.keys()].join('|')})(?![\p{L}-])`,
  'giu',
)

/** The airports of a text about flights, in their order: codes of `known`, otherwise cities. */
export function airportsIn(text: string, known: readonly string[]): readonly string[] {
  const places = [
    ...known.map((code) => ({ code, at: text.indexOf(code) })),
    ...[...text.matchAll(CITY)].flatMap(({ 0: city, index }) => {
      // "New York JFK" and "Munich airport MUC" name one airport.
      const named = /^(?: airport)?,? \(?([A-Z]{3})\b/.exec(text.slice(index + city.length))?.[1]
      const code = named ?? codes.get(city.toLowerCase())
      return code === undefined ? [] : [{ code, at: index }]
    }),
  ]
  return [...new Set(places.toSorted((a, b) => a.at - b.at).map(({ code }) => code))]
}

/** Whether a place is the city of one of these airports. */
export function isCityOf(place: string, airports: readonly string[]): boolean {
  return (
    airports.includes(/\b[A-Z]{3}$/.exec(place)?.[0] ?? '') ||
    [...place.matchAll(CITY)].some(([city]) =>
      airports.includes(codes.get(city.toLowerCase()) ?? ''),
    )
  )
}
