/** Reads makes, models and model years of vehicles. */
const MAKES =
  'Acura,Alfa Romeo,Aston Martin,Audi,Bentley,BMW,Buick,Cadillac,Chevrolet,Chrysler,Citroen,Dacia,Dodge,Ferrari,Fiat,Ford,Genesis,GMC,Harley-Davidson,Honda,Hyundai,Infiniti,Jaguar,Jeep,Kia,Lamborghini,' +
  'Land Rover,Lexus,Lincoln,Lucid,Maserati,Mazda,McLaren,Mercedes-Benz,Mercedes,Mini,Mitsubishi,Nissan,Opel,Peugeot,Polestar,Porsche,Ram,Renault,Rivian,Rolls-Royce,Saab,Seat,Skoda,Smart,Subaru,Suzuki,Tesla,Toyota,Volkswagen,Volvo,Yamaha'
const MAKE = new RegExp(
  String.raw`(?<![\p{L}-])(${MAKES.replaceAll(',', '|')})(?![\p{L}-])(?:\s+([\p{Lu}\d][\p{L}\d-]{0,20}(?:\s(?:[IVX]{1,3}|(?!(?:19|20)\d\d\b)\d{3,4}|[A-Z]\d?)(?![\p{L}\d]))?))?`,
  'u',
)

export type Vehicle = {
  readonly make: string
  readonly model: string
  readonly year: number | null
}

/** The first vehicle of a text; '' and null for unknown parts. */
export function vehicleIn(text: string): Vehicle | null {
  const found = MAKE.exec(text)
  if (found === null) return null
  const year = /\b(19[5-9]\d|20[0-4]\d)\b/.exec(text)?.[1]
  return {
    make: found[1] ?? '',
    model: /^(?:19|20)\d\d$/.test(found[2] ?? '') ? '' : (found[2] ?? ''),
    year: year === undefined ? null : Number(year),
  }
}
