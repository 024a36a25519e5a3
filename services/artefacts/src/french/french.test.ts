import { amountWords } from './amount-words'
import {
  frenchAmount,
  frenchDate,
  frenchQuantity,
  frenchRib,
  frenchTimestamp,
  frenchUnitPrice,
} from './format'

describe('amounts in words', () => {
  it.each([
    [0, 'MAD', 'zéro dirham'],
    [1, 'MAD', 'zéro dirham et un centime'],
    [100, 'MAD', 'un dirham'],
    [199, 'MAD', 'un dirham et quatre-vingt-dix-neuf centimes'],
    [200, 'MAD', 'deux dirhams'],
    [120_050, 'MAD', 'mille deux cents dirhams et cinquante centimes'],
    [100_000_000, 'MAD', 'un million de dirhams'],
    [100_000_050, 'MAD', 'un million de dirhams et cinquante centimes'],
    [100_000_100, 'MAD', 'un million un dirhams'],
    [200_000_000_000, 'EUR', 'deux milliards d’euros'],
    [150, 'USD', 'un dollar américain et cinquante cents'],
    [2_100, 'GBP', 'vingt et une livres sterling'],
    [101, 'GBP', 'une livre sterling et un penny'],
    [12_345, 'TND', 'douze dinars tunisiens et trois cent quarante-cinq millimes'],
    [1_001, 'TND', 'un dinar tunisien et un millime'],
    [10_000_000, 'JPY', 'dix millions de yens'],
    [250, 'SEK', 'deux SEK et cinquante centièmes'],
    [1_500, 'KWD', 'un KWD et cinq cents millièmes'],
    [7, 'KRW', 'sept KRW'],
  ])('%d %s is « %s »', (minorUnits, currency, words) => {
    expect(amountWords(minorUnits, currency)).toBe(words)
  })

  it('spells the largest amount there can be', () => {
    expect(amountWords(999_999_999_999_999, 'MAD')).toMatch(
      /^neuf billions neuf cent quatre-vingt-dix-neuf milliards .* dirhams et quatre-vingt-dix-neuf centimes$/,
    )
  })
})

describe('numbers', () => {
  it('groups by narrow no-break spaces and has the currency’s digits', () => {
    expect(frenchAmount(123_456_789, 'MAD')).toBe('1\u202F234\u202F567,89')
    expect(frenchAmount(123_456, 'JPY')).toBe('123\u202F456')
    expect(frenchAmount(1, 'TND')).toBe('0,001')
    expect(frenchAmount(99_999, 'MAD')).toBe('999,99')
    expect(frenchAmount(100_000, 'MAD')).toBe('1\u202F000,00')
    expect(frenchAmount(999_999_999_999_999, 'MAD')).toBe(
      '9\u202F999\u202F999\u202F999\u202F999,99',
    )
  })

  it('never loses a digit that the client gave', () => {
    expect(frenchQuantity('2.50')).toBe('2,5')
    expect(frenchQuantity('1200')).toBe('1\u202F200')
    expect(frenchQuantity('999999999999.9999999999')).toBe(
      '999\u202F999\u202F999\u202F999,9999999999',
    )
    expect(frenchUnitPrice('100', 'MAD')).toBe('100,00')
    expect(frenchUnitPrice('0.12345', 'MAD')).toBe('0,12345')
    expect(frenchUnitPrice('125000', 'JPY')).toBe('125\u202F000')
    expect(frenchUnitPrice('12.5', 'TND')).toBe('12,500')
  })
})

it('writes dates and identifiers the French way', () => {
  expect(frenchDate('2026-05-03')).toBe('03/05/2026')
  expect(frenchTimestamp('2026-05-03T23:59:59.999Z')).toBe('04/05/2026 à 00:59 (heure du Maroc)')
  expect(frenchRib('011780000012345678901234')).toBe('011 780 0000123456789012 34')
  expect(frenchRib('sur demande')).toBe('sur demande')
})
