/** Indicators of the World Bank by the words for them in the languages of the search. */

/** The first matching rule decides, so special indicators precede general ones. */
const INDICATORS: readonly (readonly [words: string, code: string])[] = [
  [
    'gdp per (?:capita|head|person)|per capita gdp|(?:pib|pil|bip|pkb) (?:per|par|pro|por) \\p{L}+|人均(?:gdp|国内生产总值)|一人当たり',
    'NY.GDP.PCAP.CD',
  ],
  [
    '(?:gdp|economic) growth|growth of (?:the )?(?:gdp|economy)|wirtschaftswachstum|crecimiento económico|croissance économique|crescimento econômico',
    'NY.GDP.MKTP.KD.ZG',
  ],
  [
    'gdp|gross domestic product|pib|pil|bip|bruttoinlandsprodukt|pkb|ввп|gsyh|gsyi̇h|国内生产总值|国内総生産|जीडीपी|pdb|الناتج المحلي',
    'NY.GDP.MKTP.CD',
  ],
  ['gni|gross national income', 'NY.GNP.MKTP.CD'],
  [
    'inflation|inflación|inflação|inflazione|inflacj\\p{L}*|инфляци\\p{L}*|enflasyon\\p{L}*|التضخم|मुद्रास्फीति|महंगाई|通货膨胀|通胀|インフレ|인플레이션|물가상승률|inflasi',
    'FP.CPI.TOTL.ZG',
  ],
  ['youth unemployment', 'SL.UEM.1524.ZS'],
  [
    'unemployment|jobless(?: rate)?|desempleo|desemprego|chômage|arbeitslosigkeit|arbeitslosenquote|disoccupazione|bezroboci\\p{L}*|безработиц\\p{L}*|işsizlik|البطالة|बेरोजगारी|失业率|失業率|실업률|pengangguran',
    'SL.UEM.TOTL.ZS',
  ],
  ['urban population', 'SP.URB.TOTL.IN.ZS'],
  ['population growth', 'SP.POP.GROW'],
  [
    'population|inhabitants|población|população|bevölkerung|einwohner(?:zahl)?|popolazione|ludnoś\\p{L}*|населени\\p{L}*|nüfus\\p{L}*|عدد سكان|سكان|जनसंख्या|人口|인구|penduduk',
    'SP.POP.TOTL',
  ],
  [
    'life expectancy|esperanza de vida|expectativa de vida|espérance de vie|lebenserwartung|aspettativa di vita|продолжительност\\p{L} жизни|期望寿命|预期寿命|平均寿命|기대 ?수명|harapan hidup',
    'SP.DYN.LE00.IN',
  ],
  ['infant mortality', 'SP.DYN.IMRT.IN'],
  ['fertility(?: rate)?|birth rate|geburtenrate', 'SP.DYN.TFRT.IN'],
  ['literacy', 'SE.ADT.LITR.ZS'],
  ['gini|income inequality', 'SI.POV.GINI'],
  ['poverty|pobreza|pauvreté|armut', 'SI.POV.DDAY'],
  ['foreign direct investment|fdi', 'BX.KLT.DINV.CD.WD'],
  ['internet (?:users|usage|use|penetration)', 'IT.NET.USER.ZS'],
  ['access to electricity|electricity access', 'EG.ELC.ACCS.ZS'],
  ['military (?:spending|expenditure)|defen[cs]e spending', 'MS.MIL.XPND.GD.ZS'],
  ['health (?:spending|expenditure)', 'SH.XPD.CHEX.GD.ZS'],
  ['(?:research|r&d) (?:spending|expenditure)', 'GB.XPD.RSDV.GD.ZS'],
  ['(?:government|public|central government) debt', 'GC.DOD.TOTL.GD.ZS'],
  ['exports?', 'NE.EXP.GNFS.CD'],
  ['imports?', 'NE.IMP.GNFS.CD'],
  ['forest (?:area|cover)', 'AG.LND.FRST.ZS'],
  ['renewable energy', 'EG.FEC.RNEW.ZS'],
]
const rules = INDICATORS.map(
  ([words, code]) =>
    [
      new RegExp(String.raw`(?<!\p{L})(?:${words})(?!\p{Script=Latin}|\p{Script=Cyrillic})`, 'iu'),
      code,
    ] as const,
)
/** A code of the World Bank, such as NY.GDP.MKTP.CD. */
const CODE = /(?<![\w.])[A-Z]{2}(?:\.[A-Z\d]{2,5}){2,5}(?![\w.]*\w)/

/** The code of the indicator that a text names; '' without one. Plain words are no indicator. */
export function indicatorIn(text: string): string {
  return CODE.exec(text)?.[0] ?? rules.find(([pattern]) => pattern.test(text))?.[1] ?? ''
}
