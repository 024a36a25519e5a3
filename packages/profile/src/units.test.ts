import { findUnitCode } from './units'

it.each([
  ['HUR', 'HUR'],
  ['heure', 'HUR'],
  ['Heures', 'HUR'],
  ['h.', 'HUR'],
  ['jour', 'DAY'],
  ['Journées', 'DAY'],
  ['jours-homme', 'E49'],
  ['kg', 'KGM'],
  ['KG', 'KGM'],
  ['litres', 'LTR'],
  ['L', 'LTR'],
  ['pièce', 'H87'],
  ['pièce(s)', 'H87'],
  ['PIÈCES', 'H87'],
  ['pie\u0300ces', 'H87'],
  ['boîtes', 'XBX'],
  ['m²', 'MTK'],
  ['m³', 'MTQ'],
  ['mètres  carrés', 'MTK'],
  [' unité ', 'C62'],
  ['mois', 'MON'],
  ['boxes', 'XBX'],
  ['forfait', 'LS'],
  ['ans', 'ANN'],
  ['kgs', 'KGM'],
  ['hrs', 'HUR'],
  ['h(s)', 'HUR'],
])('reads %j as %s', (unit, code) => {
  expect(findUnitCode(unit)).toBe(code)
})

it.each([
  'KL',
  'ml',
  'ft',
  'hur',
  'PCE ?',
  'caisse',
  'وحدة',
  's',
  'ms',
  'Gs',
  'ts',
  'js',
  'ls',
  'm3s',
  '.',
  ' ',
  'constructor',
  'toString',
])('does not guess what %j is', (unit) => {
  expect(findUnitCode(unit)).toBeUndefined()
})
