import { minorUnitDigits } from '@einvoicing/domain/currency'
import type { Gender } from './number-words'

export interface Noun {
  one: string
  many: string
  gender: Gender
}

export interface CurrencyNames {
  major: Noun
  minor: Noun | undefined
}

const centime = masculine('centime')
const cent = masculine('cent')
const millime = masculine('millime')

const known: Record<string, CurrencyNames> = {
  MAD: { major: masculine('dirham'), minor: centime },
  EUR: { major: masculine('euro'), minor: centime },
  USD: { major: masculine('dollar américain', 'dollars américains'), minor: cent },
  CAD: { major: masculine('dollar canadien', 'dollars canadiens'), minor: cent },
  CHF: { major: masculine('franc suisse', 'francs suisses'), minor: centime },
  GBP: {
    major: { one: 'livre sterling', many: 'livres sterling', gender: 'feminine' },
    minor: masculine('penny', 'pence'),
  },
  TND: { major: masculine('dinar tunisien', 'dinars tunisiens'), minor: millime },
  DZD: { major: masculine('dinar algérien', 'dinars algériens'), minor: centime },
  JPY: { major: masculine('yen'), minor: undefined },
  CNY: { major: masculine('yuan'), minor: masculine('fen') },
  SAR: { major: masculine('riyal saoudien', 'riyals saoudiens'), minor: masculine('halala') },
  AED: {
    major: masculine('dirham des Émirats', 'dirhams des Émirats'),
    minor: masculine('fils', 'fils'),
  },
  XOF: { major: masculine('franc CFA', 'francs CFA'), minor: undefined },
  XAF: { major: masculine('franc CFA', 'francs CFA'), minor: undefined },
}

const fractions = ['', 'dixième', 'centième', 'millième', 'dix-millième']

/** An unlisted currency is named by its code. */
export function currencyNames(currency: string): CurrencyNames {
  const digits = minorUnitDigits(currency)
  const fraction = fractions[digits]
  return (
    known[currency] ?? {
      major: masculine(currency, currency),
      minor: fraction ? masculine(fraction) : undefined,
    }
  )
}

function masculine(one: string, many = `${one}s`): Noun {
  return { one, many, gender: 'masculine' }
}
