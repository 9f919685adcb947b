/** Ticker symbols of well-known companies, by their names in several scripts. */
const SYMBOLS =
  'Apple AAPL,Microsoft MSFT,Alphabet GOOGL,Google GOOGL,Amazon AMZN,Meta META,Meta Platforms META,Facebook META,Tesla TSLA,Nvidia NVDA,NVIDIA NVDA,Netflix NFLX,Intel INTC,AMD AMD,Broadcom AVGO,Qualcomm QCOM,Oracle ORCL,' +
  'IBM IBM,Cisco CSCO,Adobe ADBE,Salesforce CRM,PayPal PYPL,Uber UBER,Airbnb ABNB,Spotify SPOT,Shopify SHOP,Palantir PLTR,Snowflake SNOW,Coinbase COIN,Zoom ZM,Dell DELL,HP HPQ,Micron MU,Texas Instruments TXN,' +
  'Berkshire Hathaway BRK-B,JPMorgan JPM,JPMorgan Chase JPM,Goldman Sachs GS,Morgan Stanley MS,Bank of America BAC,Citigroup C,Wells Fargo WFC,Visa V,Mastercard MA,American Express AXP,BlackRock BLK,' +
  'Walmart WMT,Target TGT,Costco COST,Home Depot HD,Nike NKE,Starbucks SBUX,McDonald’s MCD,Coca-Cola KO,Pepsi PEP,PepsiCo PEP,Procter & Gamble PG,Disney DIS,Walt Disney DIS,Boeing BA,Ford F,Ford Motor F,General Motors GM,General Electric GE,' +
  'Caterpillar CAT,Deere DE,FedEx FDX,Pfizer PFE,Moderna MRNA,Merck MRK,Johnson & Johnson JNJ,Eli Lilly LLY,AbbVie ABBV,UnitedHealth UNH,Exxon XOM,ExxonMobil XOM,Chevron CVX,AT&T T,Verizon VZ,Delta Air Lines DAL,' +
  'ASML ASML,SAP SAP,Siemens SIE.DE,BMW BMW.DE,Volkswagen VOW3.DE,Adidas ADS.DE,Allianz ALV.DE,Deutsche Bank DBK.DE,LVMH MC.PA,TotalEnergies TTE,Airbus AIR.PA,L’Oréal OR.PA,Ferrari RACE,Inditex ITX.MC,Santander SAN,' +
  'Nestlé NESN.SW,Nestle NESN.SW,Novartis NVS,Roche ROG.SW,UBS UBS,AstraZeneca AZN,Shell SHEL,BP BP,HSBC HSBC,Unilever UL,Novo Nordisk NVO,Toyota TM,Sony SONY,Honda HMC,Nintendo NTDOY,TSMC TSM,Alibaba BABA,Tencent TCEHY,' +
  'Baidu BIDU,JD.com JD,BYD BYDDY,Infosys INFY,Petrobras PBR,Vale VALE,Embraer ERJ,MercadoLibre MELI'
const FOREIGN =
  '애플 AAPL,엔비디아 NVDA,테슬라 TSLA,삼성전자 005930.KS,아마존 AMZN,마이크로소프트 MSFT,구글 GOOGL,苹果 AAPL,特斯拉 TSLA,英伟达 NVDA,腾讯 TCEHY,阿里巴巴 BABA,比亚迪 BYDDY,アップル AAPL,テスラ TSLA,エヌビディア NVDA,トヨタ TM,ソニー SONY,任天堂 NTDOY,' +
  'آبل AAPL,أبل AAPL,تسلا TSLA,एप्पल AAPL,टेस्ला TSLA,Тесла TSLA,Эппл AAPL,Apple AAPL'

const byName = new Map(
  `${SYMBOLS},${FOREIGN}`.split(',').map((entry) => {
    const at = entry.lastIndexOf(' ')
    return [entry.slice(0, at).toLowerCase(), entry.slice(at + 1)]
  }),
)
const foreignNames = new RegExp(
  FOREIGN.split(',')
    .map((entry) => entry.slice(0, entry.lastIndexOf(' ')))
    .join('|'),
  'u',
)

/** The symbol of a company; '' if unknown. */
export function tickerOf(company: string): string {
  const name = company.toLowerCase().replaceAll("'", '’').trim()
  return (
    byName.get(name) ??
    byName.get(name.replace(/[ ,]+(?:inc|corp|corporation|plc|ag|se|nv|co)\.?$/, '')) ??
    ''
  )
}

/** The symbol of a company that a text names in another script; '' without one. */
export function foreignTickerIn(text: string): string {
  return tickerOf(foreignNames.exec(text)?.[0] ?? '')
}
