import { isBlank } from '@einvoicing/domain/xml-text'
import type { Invoice } from '@einvoicing/proto/invoice'
import { countryElement } from './party'
import { optionalTextElement } from './xml'

/** EN 16931 BG-13; an address has a country (BR-57). */
export function delivery({ deliveryDate, deliveryAddress, deliveryCountry }: Invoice): string {
  const hasAddress = !isBlank(deliveryAddress) || !isBlank(deliveryCountry)
  if (!hasAddress && isBlank(deliveryDate)) return ''
  const location = hasAddress
    ? '<cac:DeliveryLocation><cac:Address>' +
      optionalTextElement('cbc:StreetName', deliveryAddress) +
      `${countryElement(deliveryCountry)}</cac:Address></cac:DeliveryLocation>`
    : ''
  const date = optionalTextElement('cbc:ActualDeliveryDate', deliveryDate)
  return `<cac:Delivery>${date}${location}</cac:Delivery>\n`
}
