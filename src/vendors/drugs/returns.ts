/** The merchant's fields, and openFDA's documentation of the NDC directory. */
import {
  answer,
  anything,
  flag,
  maybe,
  open,
  records,
  text,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'
import { foundRecords, oneRecord, recordId } from '../shared/record-returns.ts'

const merchant = {
  id: recordId('drugs/get'),
  name: maybe(text('The name.')),
  generic_name: maybe(text('The name of the substance.')),
  brand_name: maybe(text('The name of the product.')),
  ndc: maybe(text('The National Drug Code of the product.')),
  manufacturer: maybe(text('The company.')),
  dosage_form: maybe(text('The form, such as a tablet.')),
  route: maybe(anything('How it is taken.')),
}
const ndc = {
  product_ndc: maybe(text('The National Drug Code of the product, for drugs/get.')),
  product_id: maybe(text('The id of the row.')),
  brand_name: maybe(text('The name of the product.')),
  brand_name_base: maybe(text('That name without its suffix.')),
  brand_name_suffix: maybe(text('The suffix, such as a strength.')),
  generic_name: maybe(text('The name of the substance.')),
  labeler_name: maybe(text('The company on the label.')),
  active_ingredients: maybe(
    records('The substances that act.', {
      name: maybe(text('The substance.')),
      strength: maybe(text('The amount, such as "200 mg/1".')),
    }),
  ),
  dosage_form: maybe(text('The form, such as "TABLET".')),
  route: maybe(words('How it is taken, such as "ORAL".')),
  product_type: maybe(text('The kind of product, such as "HUMAN OTC DRUG".')),
  marketing_category: maybe(text('The kind of approval.')),
  marketing_start_date: maybe(text('When sales began, as YYYYMMDD.')),
  marketing_end_date: maybe(text('When sales ended, as YYYYMMDD.')),
  listing_expiration_date: maybe(text('When the listing expires, as YYYYMMDD.')),
  application_number: maybe(text('The number of the approval.')),
  dea_schedule: maybe(text('The class of a controlled substance.')),
  pharm_class: maybe(words('The pharmacological classes.')),
  packaging: maybe(
    records('The packages.', {
      package_ndc: maybe(text('The National Drug Code of the package.')),
      description: maybe(text('The contents.')),
      marketing_start_date: maybe(text('When sales began, as YYYYMMDD.')),
      marketing_end_date: maybe(text('When sales ended, as YYYYMMDD.')),
      sample: maybe(flag('Whether it is a sample.')),
    }),
  ),
  spl_id: maybe(text('The id of the label.')),
  finished: maybe(flag('Whether it is a finished product.')),
  openfda: maybe(open('Codes of the same drug in other registers.')),
}

export const returns: Returns = {
  search: answer(foundRecords('The products', merchant, ndc)),
  get: answer(oneRecord('drug', merchant, ndc)),
}
