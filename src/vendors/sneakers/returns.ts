/** From the types of KicksDB's SDK, version 3. Each marketplace fills other fields. */
import {
  address,
  answer,
  anything,
  count,
  either,
  items,
  maybe,
  number,
  open,
  record,
  records,
  text,
  time,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const price = (description: string) =>
  maybe(number(`${description}, in the currency of the market.`))
const product = {
  id: maybe(
    either('The id of the product, for product-detail.', text('A text.'), number('A number.')),
  ),
  slug: maybe(text('The name of the product in its URL, also accepted as id.')),
  title: maybe(text('The name of the product.')),
  name: maybe(text('The name of the product at some marketplaces.')),
  brand: maybe(text('The brand.')),
  model: maybe(text('The model.')),
  sku: maybe(text('The style code of the brand.')),
  colorway: maybe(text('The colors.')),
  gender: maybe(text('The intended wearer.')),
  category: maybe(text('The category.')),
  secondary_category: maybe(text('The subcategory.')),
  product_type: maybe(text('The kind of product, such as "sneakers".')),
  description: maybe(text('The description of the product.')),
  image: maybe(address('The main image.')),
  image_url: maybe(address('The main image at some marketplaces.')),
  gallery: maybe(words('Further images.')),
  link: maybe(address('The product at the marketplace.')),
  release_date: maybe(time('When the product was released.')),
  rank: maybe(number('The place by popularity. 1 is the most popular.')),
  weekly_orders: maybe(count('The orders of the last week.', 'orders')),
  min_price: price('The lowest price of all sizes'),
  max_price: price('The highest price of all sizes'),
  avg_price: price('The average price of all sizes'),
  variants: maybe(items('The sizes with their prices, if requested.', open('A size.'))),
  traits: maybe(items('Facts such as the retail price, if requested.', anything('A fact.'))),
  identifiers: maybe(items('Codes such as the EAN, if requested.', anything('A code.'))),
  statistics: maybe(open('Prices over time, if requested.')),
  updated_at: maybe(time('When the vendor last read the product.')),
}
const meta = maybe(
  record('Facts about the list.', {
    total: maybe(count('The number of all matches.', 'results')),
    current_page: maybe(count('The page number, from 1.')),
    per_page: maybe(count('The size of a page.', 'results')),
  }),
)

export const returns: Returns = {
  'product-search': answer({
    status: maybe(text("The vendor's word for the outcome.")),
    data: records('The products, best match first.', product),
    meta,
  }),
  'product-detail': answer({
    status: maybe(text("The vendor's word for the outcome.")),
    data: maybe(record('The product.', product)),
    meta,
  }),
  'sales-history': answer({
    status: maybe(text("The vendor's word for the outcome.")),
    data: records('The sales, latest first.', {
      amount: maybe(number('The price that was paid, in the currency of the market.')),
      currency: maybe(text('The currency as an ISO 4217 code. Only GOAT.')),
      created_at: maybe(time('When it was sold. Only StockX.')),
      purchased_at: maybe(time('When it was sold. Only GOAT.')),
      product_id: maybe(either('The id of the product.', text('A text.'), number('A number.'))),
      variant_id: maybe(text('The id of the size. Only StockX.')),
      size_us: maybe(anything('The size. Only GOAT.')),
      location: maybe(text('The place of the sale. Only GOAT.')),
      type: maybe(text('The kind of offer. Only GOAT.')),
    }),
    meta,
  }),
}
