/** UN/ECE Recommendation 20: one. For a line without a unit, or with an unknown one. */
export const unspecifiedUnit = 'C62'

const wordsByCode: Record<string, string> = {
  [unspecifiedUnit]: 'u un unit unite one',
  H87: 'pc pcs pce piece',
  EA: 'each chacun article item',
  PR: 'paire pair',
  SET: 'jeu set',
  DZN: 'dz douzaine dozen',
  CEN: 'cent centaine hundred',
  MIL: 'mille millier thousand',
  LS: 'forfait lump|sum',
  E48: 'service prestation service|unit unite|de|service',
  ZP: 'page',
  P1: '% pourcent pourcentage percent',

  SEC: 'sec seconde second',
  MIN: 'mn minute',
  HUR: 'h hr heure hour',
  DAY: 'j jr jour journee day',
  E49: 'jour|homme homme|jour jour|ouvre jour|ouvrable working|day man|day j/h jh',
  WEE: 'sem semaine week',
  MON: 'mois month',
  QAN: 'trimestre quarter',
  SAN: 'semestre half|year',
  ANN: 'an annee year',

  MGM: 'mg milligramme milligram',
  GRM: 'g gr gramme gram',
  KGM: 'kg kgs kilo kilogramme kilogram',
  DTN: 'quintal',
  TNE: 't tonne',

  MMT: 'mm millimetre millimeter',
  CMT: 'cm centimetre centimeter',
  MTR: 'm metre meter',
  LM: 'metre|lineaire linear|metre linear|meter',
  KMT: 'km kilometre kilometer',
  MTK: 'm2 metre|carre square|metre square|meter',
  MTQ: 'm3 metre|cube cubic|metre cubic|meter',
  MLT: 'millilitre milliliter',
  CLT: 'cl centilitre centiliter',
  LTR: 'l litre liter',
  HLT: 'hl hectolitre hectoliter',

  KWT: 'kw kilowatt',
  KWH: 'kwh kilowattheure kilowatt|heure kilowatt|hour',
  MWH: 'mwh megawattheure megawatt|heure megawatt|hour',

  XBX: 'boite box boxe',
  XCT: 'carton',
  XPA: 'paquet packet',
  XPK: 'colis package',
  XPX: 'palette pallet',
  XBG: 'sac bag',
  XBO: 'bouteille bottle',
  XCI: 'bidon canister',
  XDR: 'fut drum',
  XRO: 'rouleau rouleaux roll',
  XST: 'feuille sheet',
  XTU: 'tube',
  XJR: 'pot bocal jar',
  XLT: 'lot',
}

const codeByWord = new Map(
  Object.entries(wordsByCode).flatMap(([code, words]) =>
    words.split(' ').map((word) => [word.replaceAll('|', ' '), code] as const),
  ),
)

const otherByCase = /^(?:Mg|Mm|mWh)s?\b/

// `undefined` when in doubt (`ml`: millilitre or running metre): a wrong unit on a legal document
// is worse than C62 with the client's own word.
export function findUnitCode(unit: string): string | undefined {
  if (Object.hasOwn(wordsByCode, unit)) return unit
  const written = unit
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[\s-]+/g, ' ')
    .replace(/^ | ?\.? ?$/g, '')
  if (otherByCase.test(written)) return undefined
  const word = written.toLowerCase()
  return codeByWord.get(word) ?? codeByWord.get(singular(word))
}

// After one letter an s is no plural: `ms` is a millisecond.
function singular(word: string): string {
  return word
    .split(' ')
    .map((part) => part.replace(/(?<=[a-z]{2})s$|\(s\)$/, ''))
    .join(' ')
}
